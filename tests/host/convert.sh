#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# convert.sh: tests `bareprof convert`, which converts raw profiles to the raw version that a release of llvm-profdata
# reads. Each converted profile is read by the llvm-profdata of that release, and the original
# profile by the llvm-profdata of its own release. Both must read the same functions and counts. A
# conversion to another version and back must lose nothing. convert must refuse a conversion that
# would lose contents.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
out=$WORK/out
convert() { "$BAREPROF" convert -o "$out" "$@"; }

# text_of LLVM PROFILE: prints the profile as llvm-profdata-LLVM reads it, without the lines that LLVM before 17 does
# not print.
text_of() {
	"llvm-profdata-$1" merge --text "$2" -o "$WORK/text" >"$WORK/said" 2>&1 || return 1
	[ ! -s "$WORK/said" ] && sed '/^# Instrument block coverage/d; /^:single_byte_coverage/d' "$WORK/text"
}
# reads_as LLVM PROFILE TEXT: llvm-profdata-LLVM must convert PROFILE to the same text as in the file TEXT, without
# warnings.
reads_as() {
	sed '/^# Instrument block coverage/d; /^:single_byte_coverage/d' "$3" >"$WORK/expected"
	text_of "$1" "$2" >"$WORK/is" || { cat "$WORK/said"; return 1; }
	diff "$WORK/expected" "$WORK/is"
}
# missing NAME VERSION: prints the contents of the test profile NAME that raw version VERSION cannot hold. Prints
# nothing if the version can hold all contents.
missing() {
	case $1-$2 in
	*mcdc*-[78]) echo 'MC/DC bitmaps' ;;
	*vtable-[78]) echo 'vtables' ;;
	*temporal*-8) echo "the kind 'temporal'" ;;
	*loopent-[78]) echo "the kind 'loop entries counted'" ;;
	*fnentry*-7 | *-sbc-7 | *blockcov-7 | *temporal-block-7) echo "the kind 'single-byte counters'" ;;
	*temporal-7) echo "the kind 'temporal'" ;;
	esac
}
# readable_everywhere RAW TEXT: converts RAW to each raw version. If the version can hold all
# contents of RAW, the release that reads this version must read TEXT from the result. If not,
# convert must refuse and name the contents that the version cannot hold.
readable_everywhere() {
	for pair in 7:13 8:14 10:22 ${BAREPROF_WIDE:+8:16 10:19}; do
		version=${pair%:*}
		llvm=${pair#*:}
		rm -f "$out"
		if convert --to "raw:$version" "$1" >"$WORK/said" 2>&1; then
			[ -z "$(missing "$(basename "$1" .profraw)" "$version")" ] || { echo "to $version: not refused"; return 1; }
			# Two cases are left out, because these releases read the profiles wrongly. LLVM up to 17
			# ignores the byte order when it reads the names of called functions. LLVM 19 does not know the
			# variant bit for loop entries.
			case $1-$llvm in *ir-be*-1[346] | *loopent*-19) continue ;; esac
			reads_as "$llvm" "$out" "$2" || { echo "to $version, by LLVM $llvm"; return 1; }
		else
			cat "$WORK/said"
			lost=$(missing "$(basename "$1" .profraw)" "$version")
			[ "$lost" ] && grep -qF "cannot be converted to raw version $version for LLVM" "$WORK/said" || return 1
			grep -qF "$lost" "$WORK/said" && [ ! -e "$out" ] || return 1
		fi
	done
}
# there_and_back RAW VERSION: converts RAW to VERSION and back. The result must equal RAW except for addresses. A
# second conversion to VERSION must give the same bytes as the first.
there_and_back() {
	own=$("$BAREPROF" show "$1" | sed -n 's/^raw version: \([0-9]*\) .*/\1/p' | head -n 1)
	back="--to raw:$own"
	# Several LLVM releases read version 10, but only LLVM 22 knows all kinds of profile. Therefore the release is
	# given here.
	[ "$own" -ne 10 ] || back="--to raw --for-llvm 22"
	# shellcheck disable=SC2086 # $back contains several words
	"$BAREPROF" convert --to "raw:$2" -o "$WORK/there" "$1" && "$BAREPROF" convert $back -o "$WORK/back" "$WORK/there" &&
		python3 tests/host/lib/raw_same.py "$1" "$WORK/back" &&
		"$BAREPROF" convert --to "raw:$2" -o "$WORK/there2" "$WORK/back" && cmp "$WORK/there" "$WORK/there2"
}

turn=0
for text in "$vectors"/clang-*/*.proftext "$vectors"/bigendian/*.profraw; do
	raw=${text%.proftext}
	raw=${raw%.profraw}.profraw
	name=${raw#"$vectors"/}
	case $name in
	# Two kinds of recorded profiles are left out: *corr*, because these profiles do not contain
	# their records, and *temporal-cov*, because LLVM's own tools crash on these profiles.
	*corr* | *temporal-cov*) continue ;;
	bigendian/*)
		compiler=$(basename "${name%%-*}")
		text=$vectors/clang-${compiler#clang}/$(basename "${name#*-}" -be.profraw).proftext
		;;
	esac
	check "$name: LLVM reads it in raw versions 7, 8 and 10" readable_everywhere "$raw" "$text"
	# Version 11 can hold everything that version 10 can hold. Without BAREPROF_WIDE=1, every second profile is converted
	# to version 7 in place of 11, if version 7 can hold it.
	turn=$((turn + 1))
	seven=
	[ "$(missing "$(basename "$raw" .profraw)" 7)" ] || { [ -z "${BAREPROF_WIDE-}" ] && [ $((turn % 2)) -ne 0 ]; } || seven=yes
	[ -n "$seven" ] && [ -z "${BAREPROF_WIDE-}" ] || check "$name: to 11 and back" there_and_back "$raw" 11
	[ -z "$seven" ] || check "$name: to 7 and back" there_and_back "$raw" 7
done
raw=$vectors/clang-14/fe.profraw
check "conversion to indexed gives the same file as merge" sh -c "'$BAREPROF' convert --to indexed -o '$out' '$raw' &&
	'$BAREPROF' merge -o '$WORK/merged' '$raw' && cmp '$out' '$WORK/merged'"
check "conversion to text gives the same file as merge" sh -c "'$BAREPROF' convert --to text -o '$out' '${raw%raw}data' && cmp '$out' '${raw%raw}text'"
check "from text to the index version of LLVM 13" sh -c "'$BAREPROF' convert --to indexed --for-llvm 13 -o '$out' '${raw%raw}text' &&
	llvm-profdata-13 merge --text '$out' -o '$WORK/text' && cmp '$WORK/text' '${raw%raw}text'"
refuses "indexed 7 has no bitmaps" 'cannot be converted to index version 7, because this version cannot hold MC/DC bitmaps, build ids \(--drop-build-ids' \
	convert --to indexed:7 "$vectors/clang-22/mcdc.profraw"
refuses "indexed for LLVM 16 has no loop entries" 'flag of counted loop entries' convert --to indexed --for-llvm 16 \
	"$vectors/clang-22/ir-loopent.profdata"
refuses "a raw profile from an indexed one" 'is an indexed profile, which has no records' convert --to raw:10 "${raw%raw}data"
refuses "a raw profile from text" 'is text, which has no records' convert --to raw:10 "${raw%raw}text"
refuses "raw 5 has no build ids" 'raw version 5 for LLVM 10 to 12, .*: build ids \(--drop-build-ids' convert --to raw:5 "$raw"
check "raw 5 without build ids" convert --to raw --for-llvm 12 --drop-build-ids "$raw"
check "raw 5 without build ids: show reads it" sh -c "'$BAREPROF' show '$out' | grep -q 'raw version: 5 '"
refuses "a release that reads another version" 'LLVM 14 does not read raw version 10, which belongs to LLVM 19 to 22' \
	convert --to raw:10 --for-llvm 14 "$raw"
check "a temporal profile for LLVM 17, the only release of raw 8 that reads it" convert --to raw --for-llvm 17 \
	"$vectors/clang-22/ir-temporal.profraw"
refuses "a temporal profile for LLVM 16" "the kind 'temporal' \(LLVM 17 and later\)" convert --to raw --for-llvm 16 \
	"$vectors/clang-22/ir-temporal.profraw"

# Profiles with values and an indirect call are made with each release, and converted for every other release. Without
# BAREPROF_WIDE=1, one release of each raw version is tested.
cat >"$WORK/p.c" <<'C'
#include <string.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
int (*volatile op[2])(int, int) = {add, sub};
int main(int argc, char **argv)
{
	char to[64] = {0}, from[64] = {1};
	int i, sum = argc;
	for (i = 0; i < 9; i++) {
		sum = op[i % 3 == 2](sum, i);
		memcpy(to, from, (size_t)sum & 15);
	}
	return to[0] > 1;
}
C
for from in 13 14 22 ${BAREPROF_WIDE:+16 19}; do
	for kind in instr-generate generate; do
		name=clang-$from-$kind
		check "$name: makes a profile" sh -c "clang-$from -O1 -fprofile-$kind -Wl,--build-id=sha1 '$WORK/p.c' -o '$WORK/$name' &&
			LLVM_PROFILE_FILE='$WORK/$name.profraw' '$WORK/$name'"
		"llvm-profdata-$from" merge --text "$WORK/$name.profraw" -o "$WORK/$name.proftext"
		for to in 13 14 22 ${BAREPROF_WIDE:+16 19}; do
			if convert --to raw --for-llvm $to "$WORK/$name.profraw" >"$WORK/said" 2>&1; then
				check "$name: LLVM $to reads the same" reads_as $to "$out" "$WORK/$name.proftext"
			else
				not_ok "$name: for LLVM $to: $(cat "$WORK/said")"
			fi
		done
	done
done
# Releases other than LLVM 13 accept 8 zero bytes at the end of the profile in place of the values. LLVM 13 needs a
# block of values for each function, so convert must write these blocks.
cp "$WORK/clang-13-generate.profraw" "$WORK/none.profraw"
python3 - "$WORK/clang-14-generate.profraw" "$WORK/none.profraw" <<'P'
import struct, sys
data = open(sys.argv[1], "rb").read()
h = struct.unpack("<11Q", data[:88])
end = 88 + h[2] + h[3] * 48 + h[4] + 8 * h[5] + h[6] + h[7] + -h[7] % 8
open(sys.argv[2], "wb").write(data[:end] + bytes(8))
P
sed '/^# Num Value Kinds/,/^$/d' "$WORK/clang-14-generate.proftext" | grep -v '^$' >"$WORK/none.lines"
convert --to raw:7 "$WORK/none.profraw"
check "no values: LLVM 13 reads the counts" sh -c "llvm-profdata-13 merge --text '$out' -o - | sed '/^# Num Value Kinds/,/^\$/d' |
	grep -v '^\$' | diff '$WORK/none.lines' -"

# Tests profiles whose records are in the ELF file, or in its debug information.
#
# correlated KIND LLVM-OPTION FLAGS...: converts a profile whose records are in the ELF file (KIND is `binary`) or in
# debug information (`debug-info`).
correlated() {
	kind=$1
	option=$2
	shift 2
	clang-22 -O1 "$@" -mllvm -profile-correlate="$kind" "$WORK/p.c" -o "$WORK/$kind" &&
		LLVM_PROFILE_FILE="$WORK/$kind.profraw" "$WORK/$kind" &&
		llvm-profdata-22 merge --text "--$option=$WORK/$kind" "$WORK/$kind.profraw" -o "$WORK/$kind.proftext" &&
		for pair in 7:13 8:14 10:22; do
			convert --to "raw:${pair%:*}" --elf "$WORK/$kind" "$WORK/$kind.profraw" &&
				reads_as "${pair#*:}" "$out" "$WORK/$kind.proftext" || return 1
		done
}
check "records in the ELF file" correlated binary binary-file -fprofile-instr-generate
check "records in debug information" correlated debug-info debug-info -g -fprofile-generate -mllvm -disable-vp=true
refuses "records in the ELF file, without --elf" 'has no records and no names, which are only in the ELF file: give that file with --elf' \
	convert --to raw:8 "$WORK/binary.profraw"
refuses "records in the ELF file, --elf with a text file" 'the ELF file .* is not an ELF file' convert --to raw:8 --elf "$WORK/p.c" "$WORK/binary.profraw"

# Tests logs with a dump, and files with several profiles.
build/tests/bin/emit raw >"$WORK/made.profraw"
build/tests/bin/emit text >"$WORK/made.log"
check "a log gives the same file as its profile" sh -c "'$BAREPROF' convert --to raw:9 -o '$out' '$WORK/made.log' &&
	'$BAREPROF' convert --to raw:9 -o '$WORK/other' '$WORK/made.profraw' && cmp '$out' '$WORK/other'"
check "from and to a pipe" sh -c "'$BAREPROF' convert --to raw:9 -o - - <'$WORK/made.profraw' | cmp - '$out'"
check "conversion to its own version gives the same bytes" sh -c "'$BAREPROF' convert --to raw:10 -o '$out' '$WORK/made.log' &&
	cmp '$out' '$WORK/made.profraw'"
cat "$WORK/clang-14-generate.profraw" "$WORK/clang-14-generate.profraw" >"$WORK/two.profraw"
text_of 14 "$WORK/two.profraw" >"$WORK/two.proftext"
convert --to raw:7 "$WORK/two.profraw"
check "two profiles in one file, with build ids whose size is not a multiple of 8" reads_as 13 "$out" "$WORK/two.proftext"

# Tests wrong arguments.
raw=$WORK/made.profraw
rm -f "$out"
refuses "no format" 'name the output format' convert "$raw"
refuses "an unknown format" "name the output format: .*, not 'rw'" convert --to rw "$raw"
refuses "an unknown raw version" 'no release of LLVM reads raw version 6' convert --to raw:6 "$raw"
refuses "raw without a version" 'each llvm-profdata reads one raw version' convert --to raw "$raw"
refuses "an unknown index version" 'index version 14: choose a version from 5 to 13' convert --to indexed:14 "$raw"
refuses "an index version that the release does not read" 'LLVM 14 does not read index version 12' \
	convert --to indexed:12 --for-llvm 14 "$raw"
refuses "no output" 'with -o OUT' "$BAREPROF" convert --to text "$raw"
head -c 999 "$raw" >"$WORK/short.profraw"
refuses "a profile that is cut short" 'short.profraw: .*cut short' convert --to raw:8 "$WORK/short.profraw"
check "no refused conversion left a file" sh -c "! ls '$out'* 2>/dev/null"
