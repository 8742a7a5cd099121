# SPDX-License-Identifier: BSD-2-Clause
# picture.awk: draws the table of `bareprof report` as an SVG picture of a terminal:
#
#	bareprof report ELF PROFILE | awk -f tests/docs/picture/picture.awk >docs/report.svg
#
# The picture has every file that contains functions, and the total. It has the columns of functions, lines and
# branches. It leaves out the columns of regions and the "Missed" columns, because a line of a README has space for
# about 80 characters. The picture works without other files, such as fonts.

# The colours of percentages are those that llvm-cov uses on a terminal.
function colour(text) {
	if (text !~ /%$/)
		return "#d0d7de"
	return text + 0 == 100 ? "#56d364" : text + 0 >= 80 ? "#e3b341" : "#ff7b72"
}

function cell(x, anchor, fill, text) {
	body = body sprintf("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, y, anchor, fill, text)
}

function row(name, functions, executed, lines, line_cover, branches, branch_cover) {
	y += 19
	cell(20, "start", "#d0d7de", name)
	cell(260, "end", colour(functions), functions)
	cell(355, "end", colour(executed), executed)
	cell(430, "end", colour(lines), lines)
	cell(520, "end", colour(line_cover), line_cover)
	cell(620, "end", colour(branches), branches)
	cell(710, "end", colour(branch_cover), branch_cover)
}

function rule() {
	y += 12
	body = body sprintf("<path d=\"M20 %d H710\" stroke=\"#57606a\"/>\n", y)
}

BEGIN {
	y = 32
	cell(20, "start", "#8b949e", "$ bareprof report kernel.elf kernel.profraw")
	y += 6
	row("Filename", "Functions", "Executed", "Lines", "Cover", "Branches", "Cover")
	rule()
}

/^Files which/ { unused = 1 }
/^TOTAL/ { rule() }
NF == 13 && !unused || /^TOTAL/ { row($1, $5, $7, $8, $10, $11, $13) }

END {
	y += 22
	print "<!-- SPDX-License-Identifier: BSD-2-Clause -->"
	print "<!-- tests/docs/picture/test.sh makes this file. -->"
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 730 %d\" width=\"730\" height=\"%d\" ", y, y
	print "font-family=\"monospace\" font-size=\"14\">"
	print "<title>Coverage of the demo kernel, as bareprof report prints it</title>"
	printf "<rect width=\"730\" height=\"%d\" rx=\"8\" fill=\"#0d1117\"/>\n", y
	printf "%s</svg>\n", body
}
