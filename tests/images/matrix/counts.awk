# SPDX-License-Identifier: BSD-2-Clause
# counts.awk - prints one line for each function in the output of `llvm-profdata merge -text`. The line has the name,
# the hash and the counts, and then bitmap and values, if there are any.
/^[#:]/ { next_is = $2 " " $3; next }
/^$/ {
	if (line != "")
		print line
	line = next_is = ""
	next
}
next_is == "Func Hash:" { line = name " " $0; next }
next_is == "Num Counters:" { next }
next_is == "Counter Values:" { line = line " " $0; next }
next_is ~ /^(Num Bitmap|Bitmap Byte|Num Value|ValueKind =|NumValueSites: )$/ && line != "" {
	line = line " " $0
	next
}
next_is != "" && line != "" { print "counts.awk: unknown: " next_is; exit 1 }
{ name = $0 }
