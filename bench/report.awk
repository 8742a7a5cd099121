# SPDX-License-Identifier: BSD-2-Clause
# report.awk - prints the table of report.sh. A line of the input has a case, a tool, and the CPU seconds, elapsed seconds
# and MB of one run. Exits with 1 if a limit is missed.
function median(list, n,   i, k, t) {
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && list[k - 1] > list[k]; k--) {
			t = list[k]
			list[k] = list[k - 1]
			list[k - 1] = t
		}
	return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
# Returns the median of a column of one tool, or of the ratios of the other tool to it.
function of(key, column, other,   i, list) {
	for (i = 1; i <= runs[key]; i++)
		list[i] = other ? value[other, column, i] / (value[key, column, i] + 1e-9) : value[key, column, i]
	return median(list, runs[key])
}
{
	if (!($1 in known))
		order[++cases] = $1
	known[$1] = 1
	key = $1 " " $2
	runs[key]++
	value[key, 1, runs[key]] = $3
	value[key, 2, runs[key]] = $5
}
END {
	printf "%-16s %12s %12s %12s %12s %10s %10s\n", "case", "llvm-cov s", "bareprof s", "llvm-cov MB", "bareprof MB", "CPU", "memory"
	for (c = 1; c <= cases; c++) {
		theirs = order[c] " llvm-cov"
		ours = order[c] " bareprof"
		cpu = of(ours, 1, theirs)
		memory = of(ours, 2, theirs)
		printf "%-16s %12.3f %12.3f %12.1f %12.1f %9.1fx %9.1fx", order[c], of(theirs, 1), of(ours, 1), of(theirs, 2), of(ours, 2), cpu, memory
		# 1e-9 was added to each divisor.
		missed = (cpu < 10 - 1e-6 ? " MISSED: 10x less CPU" : "") (memory < 4 - 1e-6 ? " MISSED: 4x less memory" : "")
		print missed
		failed = failed || missed != ""
	}
	exit failed || !cases
}
