# SPDX-License-Identifier: BSD-2-Clause
# capture.awk: reads rows "name profraw gzip capture frames text" with sizes in bytes. Prints tables
# of the sizes and of ratios between sizes. Then prints whether each ratio is at least its limit.
# The variable GZIP is the limit for the size of the gzip file divided by the size of the capture.
# Times are in seconds at 115200 baud, with ten bits for each byte. For hex and base64, ends of lines
# are not counted.
function seconds(bytes) {
	return bytes * 10 / 115200
}
function pair(bytes) {
	return sprintf(" %8d %6.2f", bytes, seconds(bytes))
}
function note(ratio, value) {
	list[ratio, rows] = value
	return sprintf(" %9.1f", value)
}
# Sorts the array of ratios in ascending order, so that ratio[1] is the worst ratio.
function sort(ratio,   i, k, t) {
	for (i = 2; i <= rows; i++)
		for (k = i; k > 1 && list[ratio, k - 1] > list[ratio, k]; k--) {
			t = list[ratio, k]
			list[ratio, k] = list[ratio, k - 1]
			list[ratio, k - 1] = t
		}
}
function limit(what, which, value, least) {
	reached = value >= least
	missed += !reached
	printf "%-32s %-7s %6.1f, at least %2d: %s\n", what, which, value, least, reached ? "reached" : "MISSED"
}
# Prints whether the lowest ratio is at least @worst. If @middle is set, it also prints whether the median of the ratios
# is at least @middle. If the number of ratios is even, the lower of the two middle ratios counts as the median.
function limits(what, ratio, worst, middle) {
	sort(ratio)
	limit(what, "worst", list[ratio, 1], worst)
	if (middle)
		limit(what, "median", list[ratio, int((rows + 1) / 2)], middle)
}
BEGIN {
	GOAL = 6
	printf "%-18s %8s %6s %8s %6s %8s %6s %8s %6s %8s %6s %8s %6s\n", "bytes and seconds", "hex", "s", "base64", "s",
		"gzip -9", "s", "capture", "s", "frames", "s", "text", "s"
}
NF == 6 && $2 * $3 * $4 * $5 * $6 > 0 {
	rows++
	hex = 2 * $2
	printf "%-18s%s%s%s%s%s%s\n", $1, pair(hex), pair(int(($2 + 2) / 3) * 4), pair($3), pair($4), pair($5), pair($6)
	ratios = ratios sprintf("%-18s", $1) note("hex-capture", hex / $4) note("hex-frames", hex / $5) \
		note("gzip-capture", $3 / $4) note("gzip-frames", $3 / $5) note("hex-text", hex / $6) "\n"
	next
}
{
	print "capture.awk: not a row: " $0
	exit bad = 1
}
END {
	if (bad || !rows)
		exit 1
	printf "\n%-18s %9s %9s %9s %9s %9s\n", "times fewer bytes", "hex:cap.", "hex:fr.", "gzip:cap.", "gzip:fr.", "hex:text"
	printf "%s\n", ratios
	limits("capture beside hex", "hex-capture", 25, 60)
	limits("frames beside hex", "hex-frames", 25, 60)
	limits("capture beside gzip", "gzip-capture", GZIP)
	limits("frames beside gzip", "gzip-frames", GZIP)
	limits("console text beside hex", "hex-text", 16, 35)
	if (GZIP < GOAL)
	printf "(compared with gzip, %d is the goal for source coverage; bench/capture.sh explains why)\n", GOAL
	exit missed > 0
}
