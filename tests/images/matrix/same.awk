# SPDX-License-Identifier: BSD-2-Clause
# same.awk HOSTED BOARD - the same functions, each with the same counts? The last
# line printed says how many; with `excuses`, functions whose control flow graph
# is another on the board go there, and the rest has to agree.
#
# In IR profiles the hash is that of the graph, and the passes before ask the
# target what is cheap, so it may differ where counts are the same. (Where names
# are in one of the profiles only, or hashes are the same, there is no excuse.)
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
			print n ": in one of the profiles only"
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
		print excused " of " all " functions have another graph here: more than " limit " %"
		bad = 1
	}
	print same + 0 " functions" (excused ? ", " excused " excused" : "")
	exit bad || !same
}
