#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# show.sh: compares the output of `bareprof show` with recorded output of llvm-profdata for the same profiles. It also
# tests each option of show, and files that are not profiles.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
everything="--all --counts --values --bitmaps --traces --summary"

# json NAME OPTION... FILE: writes the JSON for FILE to NAME.json. json_schema.py compares NAME.json with the schema.
json() {
	to=$WORK/$1.json
	shift
	"$BAREPROF" show --json "$@" >"$to" || not_ok "show --json $*"
}
# says WHAT PATTERN ARGUMENT...: show with these arguments must print a line that matches PATTERN.
says() {
	what=$1
	pattern=$2
	shift 2
	"$BAREPROF" show "$@" >"$WORK/says.out" 2>&1
	if grep -Eq -- "$pattern" "$WORK/says.out"; then
		ok "$what"
	else
		not_ok "$what: no line like '$pattern'"
		sed 's/^/    /' "$WORK/says.out"
	fi
}
# lists WHAT NAMES ARGUMENT...: show with these arguments must list exactly the functions NAMES, in this order.
lists() {
	what=$1
	names=$2
	shift 2
	found=$("$BAREPROF" show "$@" | awk '/^  hash / { print name } { name = $0 }' | tr '\n' ' ')
	if [ "$found" = "${names:+$names }" ]; then
		ok "$what"
	else
		not_ok "$what: '$found' is listed, not '$names'"
	fi
}
# from_text FILE: prints a line with name, hash and counts for each function of the profile FILE. `show --counts` prints
# the counts of a function after its line "hash".
from_text() {
	"$BAREPROF" show --counts "$1" | awk '
		/^  hash / { if (line) print line; sub(",", "", $2); line = name " " $2; counts = 1; next }
		counts && /^  [0-9]/ { for (i = 1; i <= NF; i++) line = line " " $i; next }
		{ name = $0; counts = 0 }
		END { if (line) print line }'
}
from_json() {
	"$BAREPROF" show --json --counts "$1" | python3 -c '
import json, sys
for f in json.load(sys.stdin)["functions"]:
    print(f["name"], "0x" + f["hash"], *f["counts"])'
}

files=
for text in "$vectors"/clang-*/*.proftext; do
	base=${text%.proftext}
	raw=$base.profraw
	name=${raw#"$vectors"/}
	case $name in
	# The version word of these profiles says that each function has a timestamp, but no function has one.
	# llvm-profdata mistakes one counter of each function for its timestamp, removes this counter, and then crashes.
	*temporal-cov*)
		check "$name: readable" "$BAREPROF" show "$raw"
		continue
		;;
	*corr*)
		check "$name: readable without its records" "$BAREPROF" show "$raw"
		refuses "$name: no functions without the ELF file" "give that file with --elf" "$BAREPROF" show --all "$raw"
		;;
	*) files="$files $raw" ;;
	esac
	files="$files $base.profdata $text"
done
# For copies of these profiles in the other byte order or another index version, show must print the same.
mkdir -p "$WORK/be" "$WORK/indexed"
for raw in "$vectors"/bigendian/*.profraw; do
	name=$(basename "$raw" -be.profraw)
	compiler=${name%%-*}
	cp "$raw" "$WORK/be/$name.profraw"
	cp "$vectors/clang-${compiler#clang}/${name#*-}.proftext" "$WORK/be/$name.proftext"
	files="$files $WORK/be/$name.profraw"
done
for indexed in "$vectors"/indexed/*.profdata; do
	name=$(basename "$indexed" .profdata)
	version=${name#*_v}
	says "indexed/$name: its version" "^indexed: +version ${version%%_*}, read by LLVM (1[3-9]|22) and later$" "$indexed"
done
# shellcheck disable=SC2086
python3 tests/host/lib/show_compare.py "$BAREPROF" $files
for raw in "$vectors"/malformed/*.profraw; do
	case $raw in
	*trailing-zero64*) check "$(basename "$raw"): zeros at the end are legal" "$BAREPROF" show "$raw" ;;
	*)
		for how in "" --all --json; do
			# shellcheck disable=SC2086
			refuses "$(basename "$raw") $how" "^bareprof: $raw: .* .*" "$BAREPROF" show $how "$raw"
			check "$(basename "$raw") $how: nothing is shown" test ! -s "$WORK/refuses.out"
		done
		;;
	esac
done
says "a correlated profile: where its records are" 'No records: .*__llvm_covdata' "$vectors/clang-19/fe-bincorr.profraw"
says "a profile correlated by debug information: where its records are" 'No records: .*debug information' "$vectors/clang-14/ir-dbgcorr.profraw"
# shellcheck disable=SC2086
for name in clang-13/fe-concat.profraw clang-13/csir.profdata clang-22/ir-temporal.profraw clang-22/mcdc.proftext \
	clang-22/ir-vtable.profdata clang-22/fe-bincorr.profraw; do
	case $name in *bincorr*) options= ;; *) options=$everything ;; esac
	json "vector-$(echo "$name" | tr / -)" $options "$vectors/$name"
done
says "traces of a raw profile" "^traces: +1 of 1$" "$vectors/clang-22/ir-temporal.profraw"
says "two profiles in one file" "^profile 2 of 2, at offset 656$" "$vectors/clang-13/fe-concat.profraw"
says "two profiles in one file: shown as their sum" "^counts: +162 in all, the highest 20$" "$vectors/clang-13/fe-concat.profraw"

# For a capture or log, show must print the same as for the profile in the capture or log.
build/tests/bin/emit raw >"$WORK/made.profraw"
build/tests/bin/emit text >"$WORK/made.log"
build/tests/bin/emit file >"$WORK/made.capture"
check "a made profile" "$BAREPROF" show "$WORK/made.profraw"
"$BAREPROF" show -c "$WORK/made.profraw" >"$WORK/one"
for form in log capture; do
	"$BAREPROF" show -c "$WORK/made.$form" >"$WORK/two"
	check "a $form shows what its profile shows" cmp "$WORK/one" "$WORK/two"
done
"$BAREPROF" show -c - <"$WORK/made.log" >"$WORK/two"
check "the same from a pipe" cmp "$WORK/one" "$WORK/two"
check "the build id" grep -q '^build id:    efcdab8967452301$' "$WORK/one"
check "the totals" grep -q '^functions:   40, of which 40 ran$' "$WORK/one"
from_text "$WORK/made.profraw" >"$WORK/text"
from_json "$WORK/made.profraw" >"$WORK/json"
check "text and JSON have the same counts" cmp "$WORK/text" "$WORK/json"
check "text and JSON have all functions" test "$(wc -l <"$WORK/text")" -eq 40
"$BAREPROF" show "$WORK/made.profraw" >"$WORK/two"
check "without options there is no list" sh -c "! grep \"hash 0x\" '$WORK/two'"
check "with and without a list the totals are the same" sh -c "head -n \$(wc -l <'$WORK/two') '$WORK/one' | cmp - '$WORK/two'"
# shellcheck disable=SC2086
json capture $everything "$WORK/made.capture"
json alone "$WORK/made.profraw"

# A text profile with every kind of content that profiles can have.
cat >"$WORK/all.proftext" <<'END'
:ir
:temporal_prof_traces
2
3
1
middle,zero first,
1
last,middle,
last
7
2
18446744073709551613
0

middle
0x1000000000000009
1
30
$3
0xff
0
1
2
0
2
3
middle:5
** External Symbol **:2
last:7
0
1
1
1
513:4

zero first
1
3
0
0
0
END
all=$WORK/all.proftext
lists "by name" "last middle zero first" --all "$all"
lists "by count" "last middle zero first" --sort count "$all"
lists "by hash" "zero first last middle" --sort hash "$all"
lists "by order of first calls" "last middle zero first" --sort order "$all"
lists "the two hottest" "last middle" --top 2 "$all"
lists "the two hottest, by hash" "last middle" --top=2 --sort hash "$all"
lists "--top with more than there are" "last middle zero first" --top 9 "$all"
lists "by a regular expression" "last zero first" --function '(la|fir)st$' "$all"
lists "the hottest of those that match a regular expression" "last" --function '(la|fir)st$' --top 1 "$all"
refuses "a regular expression that matches nothing" "has [0-9]+ functions, but none of their names matches 'mid\\$' \(--function\)" \
	"$BAREPROF" show --function 'mid$' "$all"
refuses "... nor as JSON" "has [0-9]+ functions, but none of their names matches 'nosuch'" \
	"$BAREPROF" show --json --function nosuch "$all"
check "... prints nothing" test ! -s "$WORK/refuses.out"
says "order of first calls" '^  hash 0x0000000000000001, called as number 2, highest count 0, 3 counters, 0 not zero$' -a "$all"
says "order of first calls: the lowest position in any trace" '^  hash 0x1000000000000009, called as number 1, ' -a "$all"
says "highest number" '^  18446744073709551613 0$' --counts "$all"
says "bitmap" '^  bitmap ff 00 01$' --bitmaps "$all"
says "site with values" '^  indirect call 1:$' --values "$all"
says "target" '^             7  last$' --values "$all"
says "unknown target" '^             2  not in the profile$' --values "$all"
says "site without values" '^  indirect call 2: nothing seen$' --values "$all"
says "size" '^             4  size 513$' --values "$all"
says "trace" '^trace of 2 functions, weight 1$' --traces "$all"
says "no traces" '^no traces: ' --traces "$WORK/made.profraw"
says "number of value sites" '^values:      sites of 2 indirect calls, 1 memory operation$' "$all"
says "number of bytes of bitmaps" '^bitmaps:     3 bytes of MC/DC$' "$all"
says "number of traces" '^traces:      2 of 3$' "$all"
says "summary" '^   99\.9999 % of the counts are in 1 counter with 18446744073709551613 or more$' --summary "$all"
# shellcheck disable=SC2086
json text $everything "$all"
check "JSON: the highest count with all digits" grep -q '"counts": \[18446744073709551613, 0\]' "$WORK/text.json"
"$BAREPROF" merge --for-llvm 22 "$all" -o "$WORK/all.profdata" 2>"$WORK/merge.log"
# shellcheck disable=SC2086
json indexed $everything "$WORK/all.profdata"
only_functions='import json, sys; json.dump([json.load(open(sys.argv[1]))[k] for k in ("functions", "traces", "totals", "summary")], sys.stdout)'
python3 -c "$only_functions" "$WORK/text.json" >"$WORK/one"
python3 -c "$only_functions" "$WORK/indexed.json" >"$WORK/two"
check "the same functions after a merge" cmp "$WORK/one" "$WORK/two"

# Tests damage in the header of an indexed file.
#
# patched OFFSET BYTE: makes a copy of the indexed file in which the byte at OFFSET is BYTE.
patched() {
	cp "$WORK/all.profdata" "$WORK/patched.profdata"
	printf "\\$2" | dd of="$WORK/patched.profdata" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
check "the stored summary is right" grep -q '"stored_summary": "right"' "$WORK/indexed.json"
# The number of functions is the word at offset 88, after nine words of the header and two words of the summary.
patched 88 7
says "a stored summary that is wrong" '^summary: +the stored summary does not agree with the counts' "$WORK/patched.profdata"
# The file gets an empty memory profile: its bit in the version word is set, and its offset is that of the build ids.
python3 - "$WORK/all.profdata" "$WORK/patched.profdata" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[15] |= 0x40
data[40:48] = data[48:56]
open(sys.argv[2], "wb").write(data)
PYTHON
says "a memory profile" '^memprof: ' "$WORK/patched.profdata"
json memprof "$WORK/patched.profdata"
check "JSON: a memory profile" grep -q '"memprof": true' "$WORK/memprof.json"
old=$WORK/old.proftext
printf 'a\n0xf000000000000001\n1\n3\n' >"$old"
says "hashes of older clangs" '^hashes: +of clang 11 to 21$' "$old"
"$BAREPROF" merge --for-llvm 22 "$old" -o "$WORK/old.profdata" 2>"$WORK/merge.log"
says "hashes of older clangs, where clang 22 does not look for them" '^hashes: +of clang 11 to 21; -fprofile-instr-use does not' "$WORK/old.profdata"
json useless "$WORK/old.profdata"
check "JSON: clang does not find the functions" grep -q '"found_by_clang": false' "$WORK/useless.json"
for i in 1 2 3 4; do printf '%s\n0x0f0000000000000%s\n1\n3\n\n' "f$i" "$i"; done >"$WORK/new.proftext"
says "hashes of clang 22" '^hashes: +of clang 22 and later$' "$WORK/new.proftext"
"$BAREPROF" merge --for-llvm 21 "$WORK/new.proftext" -o "$WORK/new.profdata" 2>"$WORK/merge.log"
printf 'a\n0xf000000000000001\n1\n3\n\na\n1\n1\n3\n' >"$WORK/both.proftext"
"$BAREPROF" merge -o "$WORK/both.profdata" "$WORK/both.proftext" 2>/dev/null
says "hashes of both kinds" '^hashes: +both of clang 11 to 21 and of clang 22 and later$' "$WORK/both.profdata"
check "hashes of both kinds: JSON" sh -c "'$BAREPROF' show --json '$WORK/both.profdata' | grep -q '\"hashes\": \"both\"'"
says "hashes of clang 22, where it does not look for them" '^hashes: +of clang 22 and later; -fprofile-instr-use does not' "$WORK/new.profdata"
printf ':csir\nplain\n1\n1\n3\n\ncontext\n0x1000000000000001\n1\n5\n' >"$WORK/csir.proftext"
says "summary of context-sensitive functions" '^summary of context-sensitive functions: 1 function, 1 counter, 5 counts$' \
	--summary "$WORK/csir.proftext"
says "summary of the other functions" '^summary: 1 function, 1 counter, 3 counts$' --summary "$WORK/csir.proftext"
json csir --summary "$WORK/csir.proftext"

# The name of a function can contain any bytes.
printf '# Names\na\033[31m"\\\001\n1\n1\n3\n\nb\377\n1\n1\n3\n\ngr\303\274n\n1\n1\n3\n' >"$WORK/names.proftext"
lists "names that could harm a terminal" "$(printf 'a?[31m"\\? b\377 gr\303\274n')" --all "$WORK/names.proftext"
json names --all "$WORK/names.proftext"
check "JSON: names that are not text" python3 -c '
import json, sys
found = [f["name"] for f in json.load(open(sys.argv[1]))["functions"]]
sys.exit(found != ["a\033[31m\"\\\001", "b\xff", "gr\xfcn"])' "$WORK/names.json"

# If show prints only totals, it maps a large profile into memory. If show also prints lists, it copies the profile into
# memory instead. Both ways must give the same totals.
python3 tests/host/lib/raw_functions.py "$WORK/large.profraw" 20000 1 0
"$BAREPROF" show "$WORK/large.profraw" >"$WORK/one"
"$BAREPROF" show - <"$WORK/large.profraw" >"$WORK/two"
check "a large profile: the same as from a pipe" cmp "$WORK/one" "$WORK/two"
check "a large profile: all functions" grep -q '^functions:   20000, ' "$WORK/one"
"$BAREPROF" show --all "$WORK/large.profraw" >"$WORK/list"
head -n "$(wc -l <"$WORK/one")" "$WORK/list" >"$WORK/two"
check "a large profile: the same with a list" cmp "$WORK/one" "$WORK/two"
head -c -16 "$WORK/large.profraw" >"$WORK/cut.profraw"
refuses "a large profile without its end" 'is cut short' "$BAREPROF" show "$WORK/cut.profraw"

cat "$WORK/made.profraw" "$WORK/made.profraw" >"$WORK/twice.profraw"
says "functions of two profiles count once" '^functions:   40, of which 40 ran$' "$WORK/twice.profraw"
# shellcheck disable=SC2086
json twice $everything "$WORK/twice.profraw"
# In this copy of a profile, the second record gets the name and hash of the first record. Its other fields do not
# change, so that one function seems to have two shapes.
"$BAREPROF" show --json --all "$WORK/made.profraw" | python3 -c '
import hashlib, json, sys
file = open(sys.argv[1], "rb").read()
at = [file.index(hashlib.md5(f["name"].encode()).digest()[:8] + int(f["hash"], 16).to_bytes(8, "little"))
      for f in json.load(sys.stdin)["functions"][:2]]
sys.stdout.buffer.write(file[:at[1]] + file[at[0]:at[0] + 16] + file[at[1] + 16:])' "$WORK/made.profraw" >"$WORK/same.profraw"
says "two records of one function count once" '^functions:   39, of which 39 ran$' "$WORK/same.profraw"
says "two records of one function with different shapes: a warning" '^mixed:       1 time, records of one function have different sizes; ' "$WORK/same.profraw"
"$BAREPROF" show "$WORK/same.profraw" >"$WORK/two"
"$BAREPROF" show --all "$WORK/same.profraw" | head -n "$(wc -l <"$WORK/two")" >"$WORK/one"
check "two records of one function: the same with and without a list" cmp "$WORK/one" "$WORK/two"

python3 tests/host/lib/json_schema.py show "$WORK"/*.json

: >"$WORK/empty"
refuses "an empty file" 'is empty' "$BAREPROF" show "$WORK/empty"
refuses "an ELF file" 'is an ELF file, neither a profile nor a log' "$BAREPROF" show "$BAREPROF"
refuses "a file that does not exist" 'cannot be opened: No such file' "$BAREPROF" show "$WORK/none"
refuses "a folder" 'cannot be read: Is a directory' "$BAREPROF" show "$WORK"
refuses "--elf with a file that does not exist" 'cannot be opened: No such file' "$BAREPROF" show --elf "$WORK/none" "$WORK/made.profraw"
refuses "an unknown key for --sort" "takes name, count, hash or order, not 'size'" "$BAREPROF" show --sort size "$all"
refuses "--top 0" "takes a number of 1 or more, not '0'" "$BAREPROF" show --top 0 "$all"
refuses "a number with a letter after it" "takes a number of 1 or more, not '3x'" "$BAREPROF" show --top 3x "$all"
refuses "an invalid regular expression" "invalid regular expression 'a\(': " "$BAREPROF" show --function 'a(' "$all"
refuses "--sort order for a profile without traces" 'is not a temporal profile' "$BAREPROF" show --sort order "$WORK/made.profraw"
if [ -e /dev/full ]; then
	refuses "full disk" 'standard output: cannot be written' sh -c "'$BAREPROF' show '$WORK/made.profraw' >/dev/full"
fi
