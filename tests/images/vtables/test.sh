#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# vtables - tests PGO of C++. A kernel counts the vtables of the objects whose functions it calls. The dump and the
# merged profile must contain these vtables. With the merged profile, clang must compile a kernel whose code compares
# the vtable of an object with the addresses of these vtables. This kernel must boot.
# Clang 19 is tested only with BAREPROF_WIDE=1. The test of kinds compares its vtables in `make check` too.
. "$(dirname "$0")/../../lib.sh"

image() {
	name=$1
	shift
	make -s -j2 image BOARD=x86_64 LLVM="$llvm" CONFIG=../tests/images/vtables OUT="$out/$name" "$@" >"$out/$name.log" 2>&1 && return
	cat "$out/$name.log"
	return 1
}
counts() {
	"$BAREPROF" run "$out/counts/kernel.elf" --send 'test\ncov dump\nexit\n' -o "$out/profraw" </dev/null \
		>"$out/said" && grep '^pass work' "$out/said"
}
# vtables FILE: prints a line "NAME COUNT" for each vtable that was seen in read_all(). An indexed profile does not
# have the names.
vtables() {
	"llvm-profdata-$llvm" show --function=read_all --show-vtables "$1" |
		sed -n '/VTable Results/,/^[^\t]/s/^\t\[ *[0-9]*, *\([^ ,]*\), *\([0-9]*\) \].*/\1 \2/p' >"$WORK/vtables"
	cat "$WORK/vtables"
}
seen() {
	printf '%s\n' '_ZTVN7drivers4diskE 1200' '_ZTVN7drivers4tapeE 300' '_ZTVN7drivers4nullE 100' >"$WORK/expected"
	vtables "$out/profraw" && cmp "$WORK/expected" "$WORK/vtables"
}
kept() {
	"$BAREPROF" merge --for-llvm "$llvm" "$out/profraw" -o "$out/profdata" && "llvm-profdata-$llvm" merge "$out/profraw" -o "$out/theirs" &&
		vtables "$out/profdata" && [ "$(tr '\n' ' ' <"$WORK/vtables")" = " 1200  300  100 " ] &&
		cmp "$out/profdata" "$out/theirs"
}
works() {
	"$BAREPROF" run "$out/used/kernel.elf" --send 'test\nexit\n' -o "$out/none" </dev/null >"$out/said" 2>&1
	[ $? -eq 1 ] && grep '^8 passed, 0 failed' "$out/said" && return
	cat "$out/said"
	return 1
}
told() {
	grep 'call to _ZN7drivers4disk4readEj with count 1200 out of 1600, .*compare 1 vtable(s): {_ZTVN7drivers4diskE}' "$out/used.log" &&
		return
	cat "$out/used.log"
	return 1
}
# compares NAME CLASS...: in the kernel NAME, read_all() must compare the vtable of an object with the vtable of each
# CLASS.
compares() {
	"llvm-objdump-$llvm" -d "$out/$1/kernel.elf" | awk '/^[0-9a-f]+ </ { here = /read_all/ } here' >"$WORK/code"
	cat "$WORK/code"
	name=$1
	shift
	for class; do
		at=$("llvm-nm-$llvm" "$out/$name/kernel.elf" | sed -n "s/^ffffffff\([0-9a-f]*\) . _ZTVN7drivers4${class}E\$/\1/p")
		[ -n "$at" ] && grep -qi "cmp.*imm = 0x$(printf %X $((0x$at + 16)))" "$WORK/code" || return
	done
}
does_not() { ! compares counts disk && grep -q 'read_all.*:$' "$WORK/code"; }

for llvm in ${BAREPROF_WIDE:+19} 22; do
	if ! command -v "clang-$llvm" "ld.lld-$llvm" "llvm-profdata-$llvm" >/dev/null; then
		skip "clang $llvm: install it with its lld and LLVM"
		continue
	fi
	out=$WORK/$llvm
	mkdir -p "$out"
	check "clang $llvm: a kernel with C++ that counts builds" image counts KIND=values EXTRA="-mllvm -enable-vtable-value-profiling"
	check "clang $llvm: it works and dumps" counts
	check "clang $llvm: the dump has vtables and how often each was seen" seen
	check "clang $llvm: merge keeps them, as llvm-profdata does" kept
	check "clang $llvm: a kernel that uses the profile builds" image used KIND=none USE="$out/profdata" \
		EXTRA="-flto=thin -fvisibility=hidden -fwhole-program-vtables -mllvm -enable-vtable-profile-use -Rpass=pgo-icall-prom"
	check "clang $llvm: it works" works
	check "clang $llvm: calls are promoted because of the vtables in the dump" told
	check "clang $llvm: its code compares with these vtables" compares used disk tape
	check "clang $llvm: without the profile it does not" does_not
done
