#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# host_show.sh: `bareprof show` against what llvm-profdata made of the same
# profiles, and on files that are none.
. "$(dirname "$0")/lib.sh"
vectors=${BAREPROF_VECTORS:-../shared/vectors}

# A text profile as lines "name hash counter counter...", one a function.
from_proftext() {
	awk '
		/^# Func Hash:/ { name = last; getline; hash = $0; next }
		/^# Num Counters:/ { getline; n = $0; next }
		/^# Counter Values:/ {
			line = name " " hash
			for (i = 0; i < n; i++) { getline; line = line " " $0 }
			print line
			next
		}
		{ last = $0 }' "$1" | LC_ALL=C sort
}
# What show says, likewise; functions that come twice (joined files) are added up.
from_show() {
	"$BAREPROF" show --json --counts "$1" | python3 -c '
import json, sys
total = {}
for profile in json.load(sys.stdin)["profiles"]:
    for f in profile["function"]:
        key = (f["name"], int(f["hash"], 16))
        old = total.get(key, [0] * len(f["counts"]))
        total[key] = [a + b for a, b in zip(old, f["counts"])]
for (name, hash), counts in total.items():
    print(name, hash, *counts)' | LC_ALL=C sort
}
# The counts in the text form, all numbers after each function'\''s second line.
from_text() {
	"$BAREPROF" show --counts "$1" | awk '
		/^  hash / { if (line) print line; n = $3; line = name " " $2; counts = 1; next }
		counts && /^  [0-9]/ { for (i = 1; i <= NF; i++) line = line " " $i; next }
		{ name = $0; counts = 0 }
		END { if (line) print line }' | LC_ALL=C sort
}
same_as_proftext() {
	from_show "$1" >"$WORK/shown" && from_proftext "$2" >"$WORK/expected" && diff "$WORK/expected" "$WORK/shown"
}

if [ ! -d "$vectors" ]; then
	skip "show against llvm-profdata: no vectors, set BAREPROF_VECTORS"
else
	for text in "$vectors"/clang-*/*.proftext; do
		raw=${text%.proftext}.profraw
		name=${raw#"$vectors"/}
		case $name in
		# LLVM takes a timestamp out of functions that have none, and crashes.
		*corr*) check "$name: readable, its records are elsewhere" "$BAREPROF" show "$raw" ;;
		*temporal-cov*) check "$name: readable" "$BAREPROF" show "$raw" ;;
		*) check "$name: names, hashes and counters of llvm-profdata" same_as_proftext "$raw" "$text" ;;
		esac
	done
	for raw in "$vectors"/bigendian/*.profraw; do
		name=$(basename "$raw" -be.profraw)
		compiler=${name%%-*}
		text=$vectors/clang-${compiler#clang}/${name#*-}.proftext
		check "bigendian/$name: as in little-endian" same_as_proftext "$raw" "$text"
	done
	raw=$vectors/clang-16/fe.profraw
	[ -f "$raw" ] || raw=$vectors/clang-14/fe.profraw
	from_text "$raw" | sed 's/ 0x[0-9a-f]*,/ H/' >"$WORK/text"
	from_show "$raw" | awk '{ $2 = "H"; print }' >"$WORK/json"
	check "text and JSON say the same" diff "$WORK/text" "$WORK/json"
	for raw in "$vectors"/malformed/*.profraw; do
		case $raw in
		*trailing-zero64*) check "$(basename "$raw"): zeros at the end are legal" "$BAREPROF" show "$raw" ;;
		*) refuses "$(basename "$raw")" "^bareprof: $raw: .* .*" "$BAREPROF" show "$raw" ;;
		esac
	done
	refuses "indexed profile" "is an indexed profile" "$BAREPROF" show "$vectors/clang-14/fe.profdata"
	check "correlated profile says where its records are" sh -c \
		"'$BAREPROF' show '$vectors/clang-19/fe-bincorr.profraw' | grep -q 'No records: .*__llvm_covdata'"
	check "correlated by debug info" sh -c \
		"'$BAREPROF' show '$vectors/clang-14/ir-dbgcorr.profraw' | grep -q 'No records: .*debug information'"
fi

build/tests/bin/host_emit raw >"$WORK/made.profraw"
build/tests/bin/host_emit text >"$WORK/made.log"
check "a made profile" "$BAREPROF" show "$WORK/made.profraw"
"$BAREPROF" show -c "$WORK/made.profraw" >"$WORK/one"
"$BAREPROF" show -c "$WORK/made.log" >"$WORK/two"
check "a log shows what its profile shows" cmp "$WORK/one" "$WORK/two"
"$BAREPROF" show -c - <"$WORK/made.log" >"$WORK/two"
check "by a pipe too" cmp "$WORK/one" "$WORK/two"
check "identity" grep -q '^build id:    efcdab8967452301$' "$WORK/one"
check "totals" grep -q '^functions:   40, of which 40 ran$' "$WORK/one"
: >"$WORK/empty"
refuses "empty file" 'is empty' "$BAREPROF" show "$WORK/empty"
refuses "ELF file" 'is an ELF file, not a profile' "$BAREPROF" show "$BAREPROF"
refuses "file that is not there" 'cannot be opened: No such file' "$BAREPROF" show "$WORK/none"
refuses "folder" 'cannot be read: Is a directory' "$BAREPROF" show "$WORK"
if [ -e /dev/full ]; then
	refuses "full disk" 'standard output: cannot be written' sh -c "'$BAREPROF' show '$WORK/made.profraw' >/dev/full"
fi
