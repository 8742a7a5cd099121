# SPDX-License-Identifier: BSD-2-Clause
# same.awk HOSTED BOARD - compares two profiles, which must have the same functions with the same counts. The last
# line of the output has the number of functions. The variable `excuses` can name a file. Then functions whose control
# flow graph differs on the board are written to this file, and only the other functions must agree.
#
# In IR profiles, the hash is computed from the control flow graph. Earlier passes of the compiler optimize the graph
# differently for different targets. So the hashes of a function may differ although its counts are the same. Two
# differences are never excused: a function name that only one of the profiles has, and different counts of a function
# with the same hash in both profiles.
{
	key = $1
	file = FILENAME == ARGV[1]
	hash[file, key] = $2
	sub(/^[^ ]+ [^ ]+ /, "")
	counts[file, key] = $0
	names[key]
}
END {
	for (n in names) {
		all++
		if (!((1, n) in hash) || !((0, n) in hash)) {
			print n ": only in one of the profiles"
			bad = 1
		} else if (counts[1, n] == counts[0, n]) {
			same++
		} else if (hash[1, n] == hash[0, n]) {
			print n ": the same graph, other counts"
			bad = 1
		} else if (excuses == "") {
			print n ": other counts"
			bad = 1
		} else {
			excused++
			print n ": graph " hash[0, n] ", hosted " hash[1, n] >excuses
		}
	}
	if (excused * 100 > limit * all) {
		print excused " of " all " functions have a different graph here: more than " limit " %"
		bad = 1
	}
	print same + 0 " functions" (excused ? ", " excused " excused" : "")
	exit bad || !same
}
