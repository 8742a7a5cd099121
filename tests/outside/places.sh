#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# places.sh - finds programs that were moved in memory: a kernel at other physical addresses than its ELF file says, a
# kernel of which the memory has several copies, and a program that the system placed anywhere. The profile must be the one
# that the program itself wrote. If two places are equally likely, none of them is taken.
. "$(dirname "$0")/../lib.sh"

llvm=$(newest_clang)

# kernel BOARD: builds and boots a kernel that records values, and dumps its memory directly before it sends its profile.
kernel() {
	name=$WORK/$1
	mkdir -p "$name/boards/$1"
	make -s image BOARD="$1" LLVM="$llvm" KIND=values DROPIN="$DROP_IN" OUT="$name" >"$name/log" || { cat "$name/log" && return 1; }
	sed "s|{elf}|& -S -qmp unix:$name/s.qmp,server=on,wait=off -gdb unix:$name/s.gdb,server=on,wait=off|" "qemu/$1/board.conf" \
		>"$name/boards/$1/board.conf"
	echo "cd '$name' && python3 '$ROOT/tests/outside/dump.py' s.qmp core" >"$name/script"
	python3 tests/outside/hold.py "$name/kernel.elf" "$name/s" 'test\ncov dump\nexit\n' "$name/script" 2>"$name/said" |
		BAREPROF_BOARDS=$name/boards "$BAREPROF" run --board "$1" -o "$name/sent" "$name/kernel.elf" >"$name/console"
	cat "$name/said"
	[ -s "$name/core" ] && [ -s "$name/sent" ]
}
# address SYMBOL VIRTUAL: prints the physical address of the symbol. VIRTUAL is the virtual address of physical address 0.
address() { python3 -c "print(hex(0x$("llvm-nm-$llvm" kernel.elf | sed -n "s/^\([0-9a-f]*\) . $1$/\1/p") - ($2)))"; }
# same_with REGISTERS OPTION...: the profile that is read with --page-tables REGISTERS is the kernel's own profile.
same_with() {
	registers=$1
	shift
	rm -f out && "$BAREPROF" pull "$@" --elf kernel.elf --page-tables "$registers" -o out && cmp out sent
}

check "aarch64: a kernel is stopped, and its memory dumped" kernel aarch64
cd "$WORK/aarch64" || exit 1
# Tables for addresses of 39 bits and pages of 4 KiB, as in qemu/aarch64/start.S.
check "aarch64: page tables" same_with "TTBR1_EL1=$(address level1 0xffffff8000000000),TCR_EL1=0xb5193599" --from core:core
refuses "aarch64: page tables of another form" 'at the physical address 0x[0-9a-f]+, but the page tables do not map it' \
	"$BAREPROF" pull --from core:core --elf kernel.elf --page-tables "ttbr1=$(address level1 0xffffff8000000000)" -o out2
cd "$ROOT" || exit 1

check "a kernel is stopped, and its memory dumped" kernel x86_64
cd "$WORK/x86_64" || exit 1

core() { python3 "$ROOT/tests/outside/moved.py" core kernel.elf "core.$1" "$1"; }
# same WAY: the core made by moved.py in this way gives the kernel's own profile.
same() { core "$1" && rm -f out && timeout 20 "$BAREPROF" pull --from "core:core.$1" --elf kernel.elf -o out 2>said && cmp out sent; }
check "a kernel that was moved, and its lists of values" same moved
check "a kernel that was moved, and a record that the runtime changed" same weak
check "a kernel in a sparse file of 64 GiB" same sparse
check "a kernel, and a copy of its ELF file" same file
check "a kernel, and an older copy of it without counts" same stale
check "a warning about the copy" grep -q 'warning: its build id is at 1 other place' said
core twice
refuses "two copies with different counts" \
	'has the program kernel.elf twice, .* at 0x10[0-9a-f]+ and at 0x1f[0-9a-f]+, .* which of them is running with --slide 0xf00000 or' \
	"$BAREPROF" pull --from core:core.twice --elf kernel.elf -o out2
check "the place is told" sh -c "'$BAREPROF' pull --from core:core.twice --elf kernel.elf --slide 0x1e00000 -o out2 && cmp out2 sent"
check "two copies with different counts, and a note of Linux" same noted
check "two copies with different counts, one of which is mapped" same mapped
check "registers of the CPU" same_with "cr3=$(address level4 0xffffffff80000000-0x1e00000),cr4=0x20" \
	--from core:core.mapped --slide 0
refuses "registers that are wrong" 'at the physical address 0x[0-9a-f]+, but the page tables do not map it: check the registers' \
	"$BAREPROF" pull --from core:core --elf kernel.elf --page-tables cr3=0x1000 -o out3
check "one distance for all memory" same_with offset=0xffffffff80000000 --from core:core
refuses "registers of another machine" "cannot use 'ttbr0=0' of --page-tables; for this ELF file, it takes cr3=NUMBER, cr4=" \
	"$BAREPROF" pull --from core:core --elf kernel.elf --page-tables ttbr0=0 -o out3
refuses "no address of tables" 'needs the address of the page tables with --page-tables' \
	"$BAREPROF" pull --from core:core --elf kernel.elf --page-tables cr4=0 -o out3
core gone
refuses "a kernel that is not there" 'its build id is neither at the physical addresses in the ELF file, nor elsewhere in the 1028 KiB' \
	"$BAREPROF" pull --from core:core.gone --elf kernel.elf -o out3
check "no file was written" test ! -e out3
rm -f core core.*

# A program that the system moves, with pointers that the system changed.
cat >stops.c <<'END'
#include <signal.h>
static int twice(int n) { return 2 * n; }
static int (*volatile call)(int) = twice;
int main(void)
{
	int i, sum = 0;
	for (i = 0; i < 9; i++)
		sum += call(i);
	raise(SIGSTOP);
	return sum - 72;
}
END
pie() {
	"clang-$llvm" -O1 -fprofile-instr-generate "$@" -fPIE -pie -Wl,--build-id=sha1 -fuse-ld=lld -o stops stops.c &&
		first=$(LLVM_PROFILE_FILE=sent python3 "$ROOT/tests/outside/pie.py" stops copy) || return 1
	"$BAREPROF" pull --from "ram:copy@$first" --elf stops -o out &&
		"llvm-profdata-$llvm" merge -text sent -o sent.text && "llvm-profdata-$llvm" merge -text out -o out.text && cmp sent.text out.text
}
check "a program that the system moved" pie
check "a program that the system moved, with values" pie -mllvm -enable-value-profiling
