#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_sources.sh - tests unusual sources of profiles: records in the ELF file, several profiles in one file, 32-bit
# profiles, dumps in logs, and all of these mixed. The result must equal that of llvm-profdata.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/merge_modes.sh
. tests/host/lib/merge_compare.sh

dir=$WORK

# run PROGRAM NAME: runs the program three times, and writes NAME.1 to NAME.3.
run() {
	for i in 1 2 3; do
		LLVM_PROFILE_FILE=$WORK/$2.$i quietly "$1" $i || return
	done
}

# merge_ours FILE...: merges the files for release $major. The only content that merge may leave out is build ids.
merge_ours() {
	"$BAREPROF" merge --for-llvm "$major" -o "$WORK/ours" "$@" 2>"$WORK/said" &&
		! grep -v 'left out for LLVM [0-9]*: build ids$' "$WORK/said" && return
	cat "$WORK/said"
	return 1
}

# correlated MAJOR MODE OPTION FLAGS...: tests a program whose profile has no records. OPTION is the option with which
# llvm-profdata gets the file that has the records. All tools must read the same contents from
# bareprof's file as from llvm-profdata's file.
correlated() {
	major=$1
	option=$3
	name=correlated.$1.$2
	mode "$1" "$2" || return
	shift 3
	# shellcheck disable=SC2086
	quietly "$compiler" $flags "$@" -o "$WORK/$name" $sources && run "$WORK/$name" "$name" &&
		quietly "llvm-profdata-$major" merge -o "$WORK/theirs" "$option=$WORK/$name" "$WORK/$name".[123] &&
		merge_ours --elf "$WORK/$name" "$WORK/$name".[123] &&
		same_profile "$major" "$WORK/ours" "$WORK/theirs" &&
		[ "$(version_of "$WORK/ours")" = "$(version_of "$WORK/theirs")" ] &&
		grep -q '^main$' "$WORK/ours.text" || return
	[ -z "$coverage" ] || same_coverage "$major" "$WORK/$name" "$WORK/ours" "$WORK/theirs" || return
	# shellcheck disable=SC2086
	same_use "$WORK/ours" "$WORK/theirs" "$compiler" $emit "$use=$WORK/used.profdata" &&
		grep -q '!"branch_weights"' "$WORK/theirs.ll"
}
for major in 14 ${BAREPROF_WIDE:+15 16 19}; do
	check "clang $major: records in debug information" correlated $major ir-novalues --debug-info \
		-g -mllvm -debug-info-correlate
done
check "clang 22: records in debug information" correlated 22 ir-novalues --debug-info \
	-g -mllvm -profile-correlate=debug-info
for major in 19 22; do
	for kind in ir-novalues fe fe-cxx; do
		check "clang $major, $kind: records in sections that are not loaded" correlated $major $kind --binary-file \
			-mllvm -profile-correlate=binary
	done
done

# llvm-profdata leaves bitmaps out of profiles without records. Therefore the expected result comes from a program
# whose records are loaded.
bitmaps() {
	major=$1
	name=correlated.$1.fe-mcdc
	mode "$1" fe-mcdc
	# shellcheck disable=SC2086
	quietly "$compiler" $flags -mllvm -profile-correlate=binary -o "$WORK/$name" $sources &&
		quietly "$compiler" $flags -o "$WORK/loaded" $sources &&
		run "$WORK/$name" "$name" && run "$WORK/loaded" loaded &&
		quietly "llvm-profdata-$1" merge -o "$WORK/theirs" "$WORK"/loaded.[123] &&
		merge_ours --elf "$WORK/$name" "$WORK/$name".[123] &&
		same_profile "$1" "$WORK/ours" "$WORK/theirs" &&
		grep -q 'Num Bitmap Bytes' "$WORK/ours.text" &&
		same_coverage "$1" "$WORK/loaded" "$WORK/ours" "$WORK/theirs"
}
for major in 19 22; do
	check "clang $major: MC/DC, records in sections that are not loaded" bitmaps $major
done

one=$WORK/correlated.22.fe
sed 's/pick/choose/' tests/host/samples/program.c >"$WORK/program.c"
mode 22 fe
# shellcheck disable=SC2086
quietly "$compiler" $flags -mllvm -profile-correlate=binary -o "$WORK/renamed" "$WORK/program.c" tests/host/samples/other.c &&
	quietly "$compiler" $flags -Wl,--build-id=none -mllvm -profile-correlate=binary -o "$WORK/noid" $sources &&
	run "$WORK/noid" noid || not_ok "programs for what is refused"
refuses "without the ELF file" "fe.1: has no records and no names, which are only in the ELF file: give that file with --elf" \
	"$BAREPROF" merge -o "$WORK/none" "$one.1"
refuses "with another build" "fe.1: comes from another build than the ELF file .*renamed \(build id [0-9a-f]{40}\): its own build id is [0-9a-f]{40};" \
	"$BAREPROF" merge -o "$WORK/none" --elf "$WORK/renamed" "$one.1"
refuses "with another program, without build ids" \
	"noid.1: has [0-9]+ bytes of counters, but the section __llvm_prf_cnts of the ELF file .* has [0-9]+; give the ELF file of the program" \
	"$BAREPROF" merge -o "$WORK/none" --elf "$one-cxx" "$WORK/noid.1"
check "no refused merge left a file" test ! -e "$WORK/none"

# One file has several profiles of two programs.
joined() {
	major=$1
	for kind in fe fe-cxx; do
		mode "$1" $kind
		# shellcheck disable=SC2086
		quietly "$compiler" $flags -o "$WORK/$kind" $sources && run "$WORK/$kind" $kind || return
	done
	head -c 16 /dev/zero >"$WORK/zeros"
	cat "$WORK"/fe.1 "$WORK"/fe-cxx.1 "$WORK/zeros" "$WORK"/fe.2 "$WORK"/fe-cxx.3 >"$WORK/joined" &&
		quietly "llvm-profdata-$1" merge -o "$WORK/theirs" "$WORK/joined" "$WORK/fe.3" &&
		merge_ours "$WORK/joined" "$WORK/fe.3" &&
		same_profile "$1" "$WORK/ours" "$WORK/theirs" &&
		same_coverage "$1" "$WORK/fe" "$WORK/ours" "$WORK/theirs" &&
		same_coverage "$1" "$WORK/fe-cxx" "$WORK/ours" "$WORK/theirs"
}
for major in $(some_clang_releases); do
	check "clang $major: profiles of two programs in one file" joined "$major"
done

# image BOARD MAJOR: makes the demo kernel with clang MAJOR, and a log of its console that contains a dump.
image() {
	name=$1-$2
	make -s image BOARD="$1" LLVM="$2" DROPIN="$DROP_IN" OUT="$WORK/$name.d" >/dev/null &&
		"$BAREPROF" run --board "$1" --send 'test\ncov dump\nexit\n' -o "$WORK/$name.profraw" \
			--log "$WORK/$name.log" "$WORK/$name.d/kernel.elf" </dev/null &&
		"llvm-profdata-$2" show "$WORK/$name.profraw"
}
twin() {
	make -s -f tests/images/hosted/hosted.mk OUT="$WORK/twin-$1.d" LLVM="$1" KIND=coverage OPT=-O2 >/dev/null &&
		printf 'test\ncov dump\nexit\n' | LLVM_PROFILE_FILE=$WORK/twin-$1.profraw "$WORK/twin-$1.d/twin" >/dev/null
}
# mixed MAJOR FORM BOARD...: merges logs of the boards, profiles of the twin (the same kernel as a Linux program), and
# a capture file. The clang release MAJOR compiles the boards' kernels and the twin. Some profiles of the twin are raw,
# and the others have the format FORM. llvm-profdata-MAJOR merges the profiles that these files contain, and the results
# are compared.
mixed() {
	major=$1
	form=$2
	shift 2
	twin "$major" || return
	"llvm-profdata-$major" merge ${form:+"$form"} -o "$WORK/twin.merged" "$WORK/twin-$major.profraw" || return
	for board; do
		image "$board" "$major" || return
		set -- "$@" "$board-$major"
		shift
	done
	ours=
	theirs=
	for name; do
		ours="$ours $WORK/$name.log"
		theirs="$theirs $WORK/$name.profraw"
	done
	# shellcheck disable=SC2086
	quietly "llvm-profdata-$major" merge -o "$WORK/theirs" $theirs "$WORK/twin-$major.profraw" "$WORK/twin.merged" &&
		merge_ours "$WORK/twin.merged" $ours "$WORK/twin-$major.profraw" &&
		same_profile "$major" "$WORK/ours" "$WORK/theirs" || return
	for name; do
		same_coverage "$major" "$WORK/$name.d/kernel.elf" "$WORK/ours" "$WORK/theirs" || return
	done
	same_coverage "$major" "$WORK/twin-$major.d/twin" "$WORK/ours" "$WORK/theirs"
}
if [ -n "${BAREPROF_WIDE-}" ]; then
	for major in $releases; do
		check "clang $major: logs of four machines, the twin's raw and text profile" mixed "$major" -text \
			x86_64 aarch64 armv7a mps2-an385
		check "clang $major: a log of a 32-bit machine, the twin's raw and indexed profile" mixed "$major" '' mps2-an385
	done
else
	check "clang 22: logs of a 64-bit and a 32-bit machine, the twin's raw and text profile" mixed 22 -text \
		x86_64 mps2-an385
	check "clang 13: a log of a 32-bit machine, the twin's raw and indexed profile" mixed 13 '' mps2-an385
fi

# The inputs have more values than a file can hold. merge keeps the 255 values with the highest sums. (llvm-profdata
# drops values after each input, so its result depends on the order of the inputs. To avoid that,
# llvm-profdata reads only one input at a time here, and drops no values.)
cut() {
	awk 'BEGIN {
		print "#include <stdlib.h>"
		for (i = 0; i < 600; i++) print "__attribute__((noinline)) int f" i "(int a) { return a * " i " + 1; }"
		printf "static int (*volatile table[])(int) = {"
		for (i = 0; i < 600; i++) printf "f%d, ", i
		print "};\n__attribute__((noinline)) int go(int i) { return table[i % 600](i); }"
		print "int main(int c, char **v) { int r = atoi(v[1]), i, k, s = 0;"
		print "for (i = 0; i < 230; i++) for (k = 0; k <= i * r % 7; k++) s += go(i + 170 * r);"
		print "return s == 77; }"
	}' >"$WORK/many.c"
	quietly clang-22 -O1 -fprofile-generate -mllvm -vp-static-alloc=false -o "$WORK/many" "$WORK/many.c" &&
		LLVM_VP_MAX_NUM_VALS_PER_SITE=255 run "$WORK/many" many &&
		"$BAREPROF" merge --for-llvm 22 -o "$WORK/ours" "$WORK"/many.[123] || return
	for i in 1 2 3; do
		llvm-profdata-22 merge -text -o - "$WORK/many.$i" | grep '^f[0-9]*:'
	done | awk -F: '{ sum[$1] += $2 } END { for (name in sum) print sum[name], name }' | sort -rn >"$WORK/sums"
	llvm-profdata-22 merge -text -o - "$WORK/ours" | sed -n 's/^\(f[0-9]*\):\([0-9]*\)$/\2 \1/p' | sort -rn >"$WORK/cut"
	[ "$(wc -l <"$WORK/sums")" -gt 255 ] && [ "$(wc -l <"$WORK/cut")" -eq 255 ] &&
		! grep -vxF -f "$WORK/sums" "$WORK/cut" || return
	head -n 255 "$WORK/sums" | sed 's/ .*//' >"$WORK/sums.first"
	sed 's/ .*//' "$WORK/cut" | diff "$WORK/sums.first" -
}
check "more values than a file can have: the most frequent ones stay" cut
