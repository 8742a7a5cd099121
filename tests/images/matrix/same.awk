# SPDX-License-Identifier: BSD-2-Clause
# same.awk HOSTED BOARD - compares two profiles: both must have the same functions with
# the same counts. The last line that it prints says how many functions they have. With
# `excuses`, functions whose control flow graph differs on the board are written to that
# file, and only the others must agree.
#
# In IR profiles the hash is computed from the graph. Earlier passes optimize the graph
# differently for different targets, so hashes may differ where counts are the same. (A name
# in only one of the profiles, or other counts with the same hash, are never excused.)
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
