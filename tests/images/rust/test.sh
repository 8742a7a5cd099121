#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rust - tests Rust code in a kernel that is written in C. One image has an object of Debian's newest rustc, and C code
# of a clang with the same raw version. The profile of this image must have the right counts for the lines in Rust and
# in C. If the raw versions differ, the target and the host must report it.
. "$(dirname "$0")/../../lib.sh"

RUSTC=${RUSTC:-/usr/bin/rustc}
rust=$("$RUSTC" --version --verbose 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
if [ -z "$rust" ]; then
	not_ok "$RUSTC is missing: .ci/deps installs rustc-web; or name another rustc with RUSTC"
	exit
elif ! command -v "clang-$rust" "ld.lld-$rust" "llvm-profdata-$rust" "llvm-cov-$rust" >/dev/null; then
	skip "rustc: its LLVM is $rust; install clang, lld and LLVM $rust"
	exit
fi

# image LLVM [VARIABLE=VALUE]: builds a kernel whose C code is compiled by clang LLVM.
image() {
	llvm=$1
	shift
	make -s -j2 image BOARD=x86_64 LLVM="$llvm" CONFIG=../tests/images/rust RUSTC="$RUSTC" OUT="$out" "$@"
}
plain_registers() { "llvm-objdump-$rust" -d "$out/letters.o" >"$out/code" && grep '<vowels>:' "$out/code" && ! grep '[xyz]mm[0-9]' "$out/code"; }
works() {
	"$BAREPROF" run "$out/kernel.elf" --send 'test\ncov both\nexit\n' --log "$out/log" -o "$out/profraw" </dev/null >"$out/said" &&
		grep '^pass work' "$out/said"
}
# rebuilt: the target sent its counters and its .profraw. From the counters and the ELF file, the host must rebuild
# that .profraw.
rebuilt() {
	"$BAREPROF" pull --elf "$out/kernel.elf" --all "$out/all" "$out/log" &&
		# shellcheck disable=SC2046
		set -- $(ls "$out"/all/*.profraw) && [ $# -eq 2 ] && cmp "$1" "$2"
}
# ran FILE LINE COUNT: in bareprof's report and in llvm-cov's report, the line of FILE that contains the text LINE must
# have the count COUNT.
ran() {
	at=$(grep -nF "$2" "tests/images/rust/$1" | cut -d : -f 1)
	for lcov in ours theirs; do
		awk -v file="/$1" -v line="DA:$at,$3" '/^SF:/ { here = index($0, file) } here && $0 == line { found = 1 }
			END { exit !found }' "$out/$lcov" && continue
		echo "$lcov: '$2' did not run $3 times:"
		cat "$out/$lcov"
		return 1
	done
}
lines() {
	ran letters.rs 'let mut n = 0' 1 && ran letters.rs 'while i < length' 13 && ran letters.rs 'if is_vowel' 12 &&
		ran letters.rs 'n += 1' 5 && ran letters.rs 'n = never(n)' 0 && ran letters.rs 'n / 2' 0 &&
		ran test_work.c 'switch' 12 && ran test_work.c 'return true' 5 && ran test_work.c 'return false' 7 &&
		ran test_work.c 'EXPECT' 1
}
# counts: prints the count that llvm-profdata reads for each function, and checks these counts.
counts() {
	"llvm-profdata-$rust" show --all-functions "$out/profraw" | awk '
		/^  [^ ].*:$/ { name = $1 } /Function count:/ { print name, $NF }' >"$out/counts"
	cat "$out/counts"
	grep -q '^vowels: 1$' "$out/counts" && grep -q '^is_vowel: 12$' "$out/counts" && grep -q 'never: 0$' "$out/counts"
}

# Clang 19 and newer releases write the same raw version as LLVM 22 in rustc.
for clang in $rust 19; do
	out=$WORK/$clang
	this="rustc of LLVM $rust, clang $clang"
	command -v "clang-$clang" "ld.lld-$clang" >/dev/null || { skip "$this: clang or its lld is not installed"; continue; }
	check "$this: one image builds" image "$clang"
	check "$this: Rust's code has no vector instructions" plain_registers
	check "$this: bareprof check finds nothing" "$BAREPROF" check "$out/kernel.elf"
	check "$this: it boots and dumps" works
	check "$this: the host rebuilds the profile from counters and the ELF file" rebuilt
	check "$this: llvm-profdata $rust reads the counts" counts
	check "$this: bareprof report works" "$BAREPROF" report "$out/kernel.elf" "$out/profraw" --llvm "$rust" --lcov "$out/ours"
	check "$this: the profile is merged" "$BAREPROF" merge "$out/profraw" -o "$out/profdata"
	check "$this: llvm-cov $rust exports it" sh -c \
		"llvm-cov-$rust export --format=lcov '$out/kernel.elf' -instr-profile '$out/profdata' >'$out/theirs'"
	check "$this: lines of Rust and C have the right counts" lines
done

# The raw versions of C and Rust differ. The linker script keeps .comment here, so that the file contains the names of
# the compilers.
out=$WORK/mixed
mkdir -p "$out"
sed 's/ \*(\.comment)//' qemu/x86_64/board.ld >"$out/board.ld"
this="rustc of LLVM $rust, clang 16"
says_so() {
	"$BAREPROF" run "$out/kernel.elf" --send 'cov info\ncov dump\nexit\n' -o "$out/profraw" </dev/null >"$out/said" 2>&1
	[ $? -eq 1 ] && [ "$(grep -c ': records of two layouts: compile everything with one clang' "$out/said")" -eq 2 ] &&
		! [ -e "$out/profraw" ] && return
	cat "$out/said"
	return 1
}
names_both() {
	"$BAREPROF" check "$out/kernel.elf" >"$out/findings"
	[ $? -eq 1 ] && grep -q 'objects of two compilers: 3 records.* vowels, from .*letters\.rs) of raw version 10 ' "$out/findings" &&
		grep -q 'of raw version 8 (LLVM 14 to 17)' "$out/findings" && grep -q 'its compilers: .*clang version 16\..*rustc version 1\.' "$out/findings" &&
		return
	cat "$out/findings"
	return 1
}
if command -v clang-16 ld.lld-16 >/dev/null; then
	check "$this: an image links all the same" image 16 BOARD_SCRIPTS="build/linker/bareprof.ld $out/board.ld"
	check "$this: the target reports it, and dumps nothing" says_so
	check "$this: bareprof check names both compilers, and the file" names_both
else
	skip "$this: clang 16 or its lld is not installed"
fi
