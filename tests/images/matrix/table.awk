# SPDX-License-Identifier: BSD-2-Clause
# table.awk PLAN AGREED - prints a table with a row for every compiler and a column for every target. Each cell shows
# how many of the planned combinations agreed. PLAN has lines `LLVM KIND OPT TARGET,...`, and AGREED has lines `LLVM
# TARGET`. The variables llvm and targets select the rows and columns and their order. The exit status is 1 if a
# combination did not agree.
FILENAME == ARGV[1] {
	n = split($4, target, ",")
	for (i = 1; i <= n; i++)
		planned[$1, target[i]]++
	next
}
{ agreed[$1, $2]++ }
END {
	columns = split(targets, column, " ")
	rows = split(llvm, row, " ")
	head = "| |"
	rule = "|---|"
	for (c = 1; c <= columns; c++) {
		head = head " " column[c] " |"
		rule = rule "---|"
	}
	print head
	print rule
	for (r = 1; r <= rows; r++) {
		line = "| clang " row[r] " |"
		for (c = 1; c <= columns; c++) {
			of = planned[row[r], column[c]] + 0
			got = agreed[row[r], column[c]] + 0
			line = line " " (of ? got "/" of : "not run") " |"
			bad = bad || got != of
			some = some || of
		}
		print line
	}
	exit bad || !some
}
