#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_vectors.sh: runs `bareprof merge` on recorded profiles of every version, pointer width and byte order. merge
# must give the same text and bytes as llvm-profdata, and must refuse damaged profiles. Every release of LLVM must be
# able to read the output of merge.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
out=$WORK/out

merge() { "$BAREPROF" merge "$@" 2>"$WORK/said" || { cat "$WORK/said"; return 1; }; }
# text_is EXPECTED FILE...: merge must make the text EXPECTED from the files.
text_is() {
	expected=$1
	shift
	merge --text -o - "$@" >"$out.text" && diff "$expected" "$out.text"
}
bytes_are() {
	expected=$1
	shift
	merge -o - "$@" >"$out.profdata" && cmp "$expected" "$out.profdata"
}
# content_is FILE TEXT RELEASE: FILE, which bareprof wrote, must have the content of TEXT and the size of
# llvm-profdata's file. The bytes are not compared, because tools up to release 16 write the functions of one hash
# bucket in another order.
content_is() {
	merge --for-llvm "$3" -o "$out.profdata" "$1" && text_is "$2" "$out.profdata" &&
		[ "$(wc -c <"$out.profdata")" -eq "$(wc -c <"${2%.proftext}.profdata")" ]
}

# recorded RAW RELEASE: the raw, the indexed and the text profile of one program must all give the recorded result.
recorded() {
	base=${1%.profraw}
	name=${base#"$vectors"/}
	case $name in
	# These raw profiles have no records. The records are only in the ELF files of the programs, and no ELF file was
	# recorded. So merge must refuse the raw profiles. The following tests use the indexed profiles that
	# llvm-profdata wrote.
	*corr*)
		refuses "$name: the records are not in the profile" "^bareprof: $1: .*which are only in the ELF file.*--elf" \
			"$BAREPROF" merge -o "$out" "$1"
		;;
	# The version word of these profiles says that each function has a timestamp, but no function has one.
	# llvm-profdata mistook a counter of each function for its timestamp, and removed this counter. So the profile
	# that llvm-profdata wrote has no counters.
	*temporal-cov)
		check "$name: a profile of function entries, not temporal" entries_only "$1"
		refuses "$name: llvm-profdata's profile has no counters" "function .* without counters: merge the raw" \
			"$BAREPROF" merge -o "$out" "$base.profdata"
		return
		;;
	clang-1[3-6]/ir-cxx)
		check "$name: raw to indexed, same content and size" content_is "$1" "$base.proftext" "$2"
		check "$name: raw to text" text_is "$base.proftext" "$1"
		;;
	*)
		check "$name: raw to indexed" bytes_are "$base.profdata" --for-llvm "$2" "$1"
		check "$name: raw to text" text_is "$WORK/expected" "$1"
		;;
	esac
	case $name in
	clang-1[3-6]/ir-cxx) check "$name: indexed to indexed" content_is "$base.profdata" "$base.proftext" "$2" ;;
	*) check "$name: indexed to indexed" bytes_are "$base.profdata" --for-llvm "$2" "$base.profdata" ;;
	esac
	check "$name: indexed to text" text_is "$WORK/expected" "$base.profdata"
	check "$name: text to text" text_is "$base.proftext" "$base.proftext"
	check "$name: text to indexed to text" sh -c "'$BAREPROF' merge -o - '$base.proftext' |
		'$BAREPROF' merge --text -o - - | diff '$base.proftext' -"
}
entries_only() {
	merge --text -o "$out.text" "$1" && ! grep -q temporal "$out.text" && grep -q :single_byte "$out.text" &&
		merge -o "$out.profdata" "$1" && llvm-profdata-22 show --covered "$out.profdata" >"$out.covered" &&
		[ "$(wc -l <"$out.covered")" -eq 8 ]
}
for raw in "$vectors"/clang-*/*.profraw; do
	release=${raw#"$vectors"/clang-}
	release=${release%%/*}
	cp "${raw%.profraw}.proftext" "$WORK/expected"
	# llvm-profdata up to release 16 does not mark byte counters in a text profile. So the lines that mark them are
	# added to the expected text.
	case $raw in
	*/clang-1[3-6]/ir-fnentry.*)
		sed 's/^:ir$/&\n# Instrument block coverage\n:single_byte_coverage/' "${raw%.profraw}.proftext" \
			>"$WORK/expected"
		;;
	esac
	recorded "$raw" "$release"
done

for raw in "$vectors"/bigendian/*.profraw; do
	name=$(basename "$raw" -be.profraw)
	compiler=${name%%-*}
	little=$vectors/clang-${compiler#clang}/${name#*-}.profraw
	merge -o "$WORK/little" "$little"
	check "bigendian/$name: the bytes of the little-endian one" bytes_are "$WORK/little" "$raw"
done

# Each index version must hold the same content, except that versions 1 and 2 have no values.
for kind in fe ir; do
	llvm-profdata-22 merge -text -o "$WORK/values" "$vectors/indexed/${kind}_v12.profdata"
	awk '/^# Num Value Kinds/ { skip = 1 } !skip || !NF { print } !NF { skip = 0 }' "$WORK/values" >"$WORK/counts"
	for version in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
		expected=$WORK/values
		[ $version -gt 2 ] || expected=$WORK/counts
		check "indexed/${kind}_v$version" text_is "$expected" "$vectors/indexed/${kind}_v$version.profdata"
	done
done
for indexed in "$vectors"/indexed/tiny_*.profdata "$vectors"/indexed/ir_v*_*.profdata; do
	llvm-profdata-22 merge -text -o "$WORK/values" "$indexed"
	check "indexed/$(basename "$indexed" .profdata): text of llvm-profdata-22" text_is "$WORK/values" "$indexed"
done

# damaged FILE NAME: merge must refuse FILE, as llvm-profdata does. There are three exceptions. Both tools must accept a
# file with zeros at the end. merge must refuse an empty file, which llvm-profdata ignores. merge must also refuse a
# file in which the name of a function is missing; llvm-profdata writes a profile without that function.
damaged() {
	case $2 in
	*empty*) refuses "$2" "is empty: the program that should have written it" "$BAREPROF" merge -o "$out" "$1" ;;
	*trailing-zero64*) check "$2: zeros at the end are allowed" "$BAREPROF" merge -o "$WORK/fine" "$1" ;;
	*future-version*) refuses "$2" "^bareprof: $1: .*use a newer bareprof" "$BAREPROF" merge -o "$out" "$1" ;;
	*bad-magic*) refuses "$2" "^bareprof: $1: is not a profile \\(raw, indexed or text\\)" "$BAREPROF" merge -o "$out" "$1" ;;
	*) refuses "$2" "^bareprof: $1: .*; copy the file again from the machine that made it" "$BAREPROF" merge -o "$out" "$1" ;;
	esac
	[ ! -e "$out" ] || not_ok "$2 left a file"
}
rm -f "$out"
for raw in "$vectors"/malformed/*.profraw; do
	damaged "$raw" "malformed/$(basename "$raw")"
done
count=$(grep -c 'rc=' "$vectors/malformed/EXPECTED.tsv")
check "malformed has each file of EXPECTED.tsv" [ "$(find "$vectors/malformed" -name '*.profraw' | wc -l)" -eq "$count" ]

# readable RELEASE: llvm-profdata of RELEASE must read each profile without a warning and find the same counts.
# Content may be missing only if merge warned about it. Prints each fault.
readable() {
	for profile in $chosen; do
		case $profile in *temporal-cov*) continue ;; esac
		"$BAREPROF" merge --for-llvm "$1" -o - "$profile" >"$out" 2>"$WORK/ours" || cat "$WORK/ours"
		"llvm-profdata-$1" merge -text -o "$out.text" "$out" >"$WORK/said" 2>&1 || echo "$profile: not read"
		[ ! -s "$WORK/said" ] || sed "s|^|$profile: |" "$WORK/said"
		cache=$WORK/for/$(echo "$profile" | tr / _)
		[ -f "$cache" ] || llvm-profdata-22 merge -text -o "$cache" "$profile"
		lost=
		[ "$1" -gt 16 ] || losses <"$cache"
		[ -z "$lost" ] || grep -q "warning: left out for LLVM $1: .*$lost" "$WORK/ours" ||
			echo "$profile: no warning of: $lost"
		counts <"$cache" >"$WORK/want"
		counts <"$out.text" >"$WORK/have"
		cmp -s "$WORK/want" "$WORK/have" || echo "$profile: other counts"
	done
}
losses() {
	lost=$(sed -n 's/^:temporal.*/temporal traces/p; s/^\$.*/MC.DC bitmaps/p; s/.*IPVK_VTable.*/vtable values/p
		s/^:instrument_loop.*/flag of counted loop entries/p' | head -n 1)
}
# counts: prints a text profile without the contents that $lost names.
counts() {
	case $lost in
	temp*) awk '/^:temporal/ { skip = 1 } !skip { print } !NF { skip = 0 }' ;;
	vtable*) awk '/^# Num Value Kinds/ { skip = 1 } !skip { print } !NF { skip = 0 }' ;;
	*) cat ;;
	esac | grep -vE '^(#|:|\$|0x|$)'
}
mkdir -p "$WORK/for"
chosen=$(ls "$vectors"/clang-14/ir*.profdata "$vectors"/clang-22/*.profdata "$vectors"/indexed/*_v*_*.profdata)
[ -z "$BAREPROF_WIDE" ] || chosen=$(ls "$vectors"/clang-*/*.profdata "$vectors"/indexed/*.profdata)
for release in 13 14 15 16 19 22; do
	readable $release >"$WORK/readable" 2>&1
	check "--for-llvm $release: LLVM reads all profiles without a warning" diff /dev/null "$WORK/readable"
done
