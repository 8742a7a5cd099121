#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# rust - Rust in a kernel of C: an object of Debian's newest rustc and C of clangs of
# the same raw version in one image, whose profile has the right lines of both; and what
# is said if the versions differ, on the target and on the host.
. "$(dirname "$0")/../../lib.sh"

RUSTC=${RUSTC:-/usr/bin/rustc}
rust=$("$RUSTC" --version --verbose 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
if [ -z "$rust" ]; then
	not_ok "$RUSTC is not here: .ci/deps installs rustc-web, or name another with RUSTC"
	exit
elif ! command -v "clang-$rust" "ld.lld-$rust" "llvm-profdata-$rust" "llvm-cov-$rust" >/dev/null; then
	skip "rustc: its LLVM is $rust, whose tools are not all here"
	exit
fi

# image LLVM [VARIABLE=VALUE]: with the C of that clang.
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
# rebuilt: what the host makes of counters and the ELF file is what the target sent.
rebuilt() {
	"$BAREPROF" pull --elf "$out/kernel.elf" --all "$out/all" "$out/log" &&
		# shellcheck disable=SC2046
		set -- $(ls "$out"/all/*.profraw) && [ $# -eq 2 ] && cmp "$1" "$2"
}
# ran FILE LINE COUNT: both reports say so of the line that has these words.
ran() {
	at=$(grep -nF "$2" "tests/images/rust/$1" | cut -d : -f 1)
	for lcov in ours theirs; do
		awk -v file="/$1" -v line="DA:$at,$3" '/^SF:/ { here = index($0, file) } here && $0 == line { found = 1 }
			END { exit !found }' "$out/$lcov" && continue
		echo "$lcov: not '$2' $3 times:"
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
# counts: each function's, as llvm-profdata reads them.
counts() {
	"llvm-profdata-$rust" show --all-functions "$out/profraw" | awk '
		/^  [^ ].*:$/ { name = $1 } /Function count:/ { print name, $NF }' >"$out/counts"
	cat "$out/counts"
	grep -q '^vowels: 1$' "$out/counts" && grep -q '^is_vowel: 12$' "$out/counts" && grep -q 'never: 0$' "$out/counts"
}

# 19 and up have the raw version of Rust's 22.
for clang in $rust 19; do
	out=$WORK/$clang
	this="rustc of LLVM $rust, clang $clang"
	command -v "clang-$clang" "ld.lld-$clang" >/dev/null || { skip "$this: it is not installed"; continue; }
	check "$this: one image" image "$clang"
	check "$this: Rust's code has no vectors" plain_registers
	check "$this: bareprof check finds nothing" "$BAREPROF" check "$out/kernel.elf"
	check "$this: boots and dumps" works
	check "$this: the same from counters and the ELF file" rebuilt
	check "$this: llvm-profdata $rust" counts
	check "$this: bareprof report" "$BAREPROF" report "$out/kernel.elf" "$out/profraw" --llvm "$rust" --lcov "$out/ours"
	check "$this: merge" "$BAREPROF" merge "$out/profraw" -o "$out/profdata"
	check "$this: llvm-cov $rust" sh -c \
		"llvm-cov-$rust export --format=lcov '$out/kernel.elf' -instr-profile '$out/profdata' >'$out/theirs'"
	check "$this: lines of Rust and C ran as often as they did" lines
done

# Raw versions that differ. Comments stay in the file here, so that the compilers' names are known.
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
		grep -q 'of 8 (LLVM 14 to 17)' "$out/findings" && grep -q 'compiled by: .*clang version 16\..*rustc version 1\.' "$out/findings" &&
		return
	cat "$out/findings"
	return 1
}
if command -v clang-16 ld.lld-16 >/dev/null; then
	check "$this: link all the same" image 16 BOARD_SCRIPTS="build/linker/bareprof.ld $out/board.ld"
	check "$this: the target says so, and dumps nothing" says_so
	check "$this: bareprof check names both, and the file" names_both
else
	skip "$this: it is not installed"
fi
