# SPDX-License-Identifier: BSD-2-Clause
# mip.awk - prints one row of the table of bench/mip.sh. The first line of the input has the numbers of the build
# without instrumentation, and the second line the numbers of the build to show (tests/mip/body/measure.py explains
# them). title, target and compiler are the words of the row. limits are the largest growths in percent: of the image,
# of the instructions, and of the instructions together with the slow ones. Exits with status 1 if a growth is above its
# limit.
NR == 1 {
	image = $1
	harness = $2
	functions = $3
	instructions = $5
	slow = $6
}
NR == 2 {
	# The harness and the hooks are the same in all builds, so they do not count as code that grows.
	size = 100 * (($1 - $2) - (image - harness)) / (image - harness)
	time = 100 * ($5 - instructions) / instructions
	calls = slow > 100 ? sprintf("%8.2f %%", 100 * ($6 - slow) / slow) : "         -"
	all = 100 * ($5 + $6 - instructions - slow) / (instructions + slow)
	split(limits, limit, " ")
	verdict = ""
	if (limit[1] != "" && limit[1] != "-" && size > limit[1])
		verdict = verdict "  MISSED image: at most " limit[1] " %"
	if (limit[2] != "" && limit[2] != "-" && time > limit[2])
		verdict = verdict "  MISSED instructions: at most " limit[2] " %"
	if (limit[3] != "" && limit[3] != "-" && all > limit[3])
		verdict = verdict sprintf("  MISSED: %.2f %% more instructions with the slow ones, at most %s %%", all, limit[3])
	if (limits != "" && $7 != 0)
		verdict = verdict "  MISSED: the map is loaded"
	printf "%-8s %-9s %-24s %8.2f %% %8.1f %8.2f %% %s %6d%s\n", target, compiler, title, size, \
		(($1 - $2) - (image - harness)) / functions, time, calls, $7, verdict
	if (verdict != "")
		failed = 1
}
END {
	if (NR != 2)
		print title ": two lines are expected"
	exit failed || NR != 2
}
