#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pgo.sh - tests the whole cycle of PGO. The demo kernel counts a workload, and bareprof makes a profile of the
# counts. A kernel that is compiled with this profile must promote indirect calls, separate hot from cold code, boot,
# pass its tests, and need fewer instructions for the same work. Then the cycle is repeated with context-sensitive
# counts in addition. For the cycle of the newest clang on x86_64, the commands of docs/PGO.md are run literally. The
# other cycles run only with BAREPROF_WIDE=1.
#
# QEMU counts the instructions. With -icount shift=0, each instruction takes a nanosecond of the guest's clocks. The
# self test "work" reads a clock before and after its work.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

newest=$(newest_clang)
PAGE=docs/PGO.md
HOME=$WORK/home
mkdir -p "$HOME" "$WORK/bin"
ln -s "$ROOT" "$HOME/bareprof"
ln -s "/usr/bin/clang-$newest" "$WORK/bin/clang"
# The commands of the page read DROPIN from the environment.
DROPIN=$DROP_IN
export HOME DROPIN
PATH=$WORK/bin:$PATH

# image NAME VARIABLE=VALUE...: builds an image in the folder $out/NAME.
image() {
	name=$1
	shift
	make -s -j2 image BOARD="$board" LLVM="$llvm" CONFIG=work OUT="$out/$name" "$@"
}
# counts NAME: runs the image, and stores its profile in $out/NAME.profraw.
counts() {
	"$BAREPROF" run --board "$board" --send 'test\ncov dump\nexit\n' -o "$out/$1.profraw" "$out/$1/kernel.elf" </dev/null \
		>"$out/$1.said" && grep -q '^pass work' "$out/$1.said"
}
# works NAME: the image must pass its self tests. The image sends no dump, so `run` must report an error.
works() {
	"$BAREPROF" run --board "$board" --send 'test\ntest work\nexit\n' -o "$out/none" "$out/$1/kernel.elf" -- -icount shift=0 \
		</dev/null >"$out/$1.said" 2>"$out/$1.err"
	set -- "$1" $?
	sed -n 's/^work: \([0-9]*\) nanoseconds.*/\1/p' "$out/$1.said" >"$out/$1.took"
	[ "$2" -eq 1 ] && [ "$(grep -c '^pass ' "$out/$1.said")" -eq 9 ] && grep -q '^8 passed, 0 failed' "$out/$1.said" && return
	cat "$out/$1.said" "$out/$1.err"
	return 1
}
# instructions NAME [TIME]: prints the number of instructions that the work took in one run. If TIME is 1 or missing,
# this is the last run. If TIME is 2, it is the run before the last run.
instructions() {
	tail -n "${2-1}" "$out/$1.took" | head -n 1 | grep . || echo 0
}
percent() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", b ? 100 * a / b : 0 }'; }
# The work is measured with a timer of 25 MHz, in which one tick is 40 instructions. The guest may read the timer one
# tick earlier or later, so a difference of 40 instructions is allowed.
same_again() { [ "$(instructions plain)" -gt 100000 ] && [ $(($(instructions plain 2) - $(instructions plain))) -le 40 ]; }
fewer() { [ "$(instructions used)" -gt 100000 ] && [ "$(instructions used)" -lt "$(instructions plain)" ]; }
hardly_more() { [ "$(instructions both)" -gt 100000 ] && [ "$(instructions both)" -le $(($(instructions used) * 101 / 100)) ]; }

# refers NAME: prints each reference in the code of handle_all(), as "KIND SYMBOL".
refers() {
	"llvm-objdump-$llvm" -dr "$out/$1/qemu/work/test_work.o" | awk '
		/^[0-9a-f]+ </ { here = /<handle_all>/ }
		here && $2 ~ /^R_/ { sub(/.*\./, "", $3); sub(/[-+]0x.*/, "", $3); print $2, $3 }'
}
# promoted: succeeds if the indirect call in handle_all() was promoted. The code of handle_all() must compare the
# pointer with both functions, and must contain a direct call of the function that cannot be inlined.
promoted() {
	refers used >"$WORK/refers"
	cat "$WORK/refers"
	grep -qE '^R_(X86_64_32S|ARM_THM_MOVW_ABS_NC) on_data$' "$WORK/refers" &&
		grep -qE '^R_(X86_64_32S|ARM_THM_MOVW_ABS_NC) on_name$' "$WORK/refers" &&
		grep -qE '^R_(X86_64_PLT32|ARM_THM_CALL) on_name$' "$WORK/refers"
}
not_promoted() { refers plain >"$WORK/refers" && grep handlers "$WORK/refers" && ! grep on_ "$WORK/refers"; }
sections() { "llvm-readelf-$llvm" -SW "$out/$1/qemu/work/test_work.o" | grep -o ' \.text[._a-z]*'; }
hot_and_cold() {
	sections used >"$WORK/used" && sections plain >"$WORK/plain" && grep -q text.hot.handle_all "$WORK/used" &&
		grep -q text.unlikely.bad "$WORK/used" && ! grep -E 'hot|unlikely' "$WORK/plain"
}
# ir NAME: compiles the workload to LLVM IR, with the options of the image NAME.
ir() {
	# shellcheck disable=SC2046
	$(sed 's/ | .*//' "$out/$1/options") -Rpass=pgo-icall-prom -S -emit-llvm qemu/work/test_work.c -o "$out/$1.ll" 2>"$out/$1.remarks"
}
# remarked: the compiler must report that it promoted the call in handle_all(). Target and number of calls must be the
# same as in the profile.
remarked() {
	"llvm-profdata-$llvm" show --function=handle_all --ic-targets "$out/work.profdata" >"$out/targets"
	cat "$out/targets" "$out/used.remarks"
	set -- $(sed -n 's/.*[;:]on_data, *\([0-9]*\) .*/\1/p' "$out/targets")
	[ $# -eq 1 ] && [ "$1" -gt 1000 ] && grep -q "to on_data with count $1 out of 2000 " "$out/used.remarks"
}
# weighed: the IR must show that the loop runs 2000 times in one call, and that the code for bad messages never runs.
weighed() {
	grep -E '"branch_weights", i32 (1, i32 1999|1999, i32 1|2000, i32 1|1, i32 2000)}' "$out/used.ll" && grep -q '"function_entry_count", i64 1}' "$out/used.ll" &&
		grep -q '"function_entry_count", i64 0}' "$out/used.ll" && ! grep -E 'branch_weights|function_entry_count' "$out/plain.ll"
}
# rebuilt: if the profile is replaced, make must recompile the instrumented files, and no other files.
rebuilt() {
	touch "$out/work.profdata"
	make image BOARD="$board" LLVM="$llvm" CONFIG=work OUT="$out/used" KIND=none USE="$out/work.profdata" >"$WORK/rebuilt"
	grep -q 'compile qemu/demo/shell.c' "$WORK/rebuilt" && grep -q 'compile qemu/work/test_work.c' "$WORK/rebuilt" &&
		grep -q 'link ' "$WORK/rebuilt" && ! grep -E 'bareprof\.c|qemu/demo/cov' "$WORK/rebuilt"
}
# merged_alike: both.profdata must have the same functions and counts as the file that llvm-profdata merges from the
# same inputs. The context-sensitive records and the other records are both compared.
merged_alike() {
	"llvm-profdata-$llvm" merge "$out/cs.profraw" "$out/work.profdata" -o "$out/theirs" || return
	for kind in "" --showcs; do
		for file in both.profdata theirs; do
			"llvm-profdata-$llvm" show $kind --all-functions --counts --ic-targets "$out/$file" | tr -s '\n' >"$out/$file.shown"
		done
		sort "$out/theirs.shown" >"$WORK/a"
		sort "$out/both.profdata.shown" >"$WORK/b"
		grep -q handle_all "$WORK/b" && cmp "$WORK/a" "$WORK/b" || return
	done
}
contexts() { grep -q '"CSProfileSummary"' "$out/both.ll" && ! grep -q '"CSProfileSummary"' "$out/used.ll"; }
other_code() { ! cmp -s "$out/used/qemu/work/test_work.o" "$out/both/qemu/work/test_work.o"; }

# loop LLVM BOARD [built]: runs the whole cycle. With "built", the images of its first part exist already.
loop() {
	llvm=$1
	board=$2
	out=$WORK/$llvm-$board
	this="$board, clang $llvm"
	if [ -n "${3-}" ]; then
		out=$HOME/pgo
	else
		mkdir -p "$out"
		check "$this: an image that counts builds" image values KIND=values
		check "$this: it works and dumps" counts values
		check "$this: the profile is merged" "$BAREPROF" merge "$out/values.profraw" -o "$out/work.profdata"
		check "$this: an image that uses the profile builds" image used KIND=none USE="$out/work.profdata"
	fi
	check "$this: an image with only -O2 builds" image plain KIND=none
	check "$this: it passes its tests" works plain
	check "$this: QEMU counts the same in a second run" same_again
	check "$this: with PGO, the image passes its tests" works used
	check "$this: calls are promoted in the object" promoted
	check "$this: without the profile they are not" not_promoted
	check "$this: hot and cold code is separated" hot_and_cold
	check "$this: the IR with the profile is made" ir used
	check "$this: the IR without it is made" ir plain
	check "$this: calls are promoted because of the counts in the dump" remarked
	check "$this: branches have weights" weighed
	check "$this: fewer instructions: $(instructions used) instead of $(instructions plain), $(percent "$(instructions used)" "$(instructions plain)") %" fewer
	if [ -z "${3-}" ]; then
		check "$this: an image with context-sensitive counts on top builds" image cs KIND=cs USE="$out/work.profdata"
		check "$this: it works and dumps" counts cs
		check "$this: its profile is merged with the first" "$BAREPROF" merge "$out/cs.profraw" "$out/work.profdata" -o "$out/both.profdata"
		check "$this: an image that uses both builds" image both KIND=none USE="$out/both.profdata"
	fi
	check "$this: llvm-profdata merges them to the same" merged_alike
	check "$this: the image passes its tests" works both
	check "$this: its IR is made" ir both
	check "$this: the compiler uses the contexts" contexts
	check "$this: they lead to other code" other_code
	check "$this: hardly more instructions: $(instructions both), $(percent "$(instructions both)" "$(instructions used)") % of before" hardly_more
	check "$this: another profile compiles exactly the instrumented files again" rebuilt
}

EXAMPLE_TIME=120
examples "$PAGE" "$WORK/page"
try_examples
loop "$newest" x86_64 built
for llvm in ${BAREPROF_WIDE:+16 19 22}; do
	for board in x86_64 mps2-an385; do
		[ "$llvm-$board" != "$newest-x86_64" ] || continue
		if ! command -v "clang-$llvm" "ld.lld-$llvm" "llvm-profdata-$llvm" >/dev/null; then
			skip "clang $llvm: install it with its lld and LLVM"
			continue
		fi
		loop "$llvm" "$board"
	done
done
