# SPDX-License-Identifier: BSD-2-Clause
# mip - tests the runtime of machine profiles.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../../lib.sh"

here=tests/runtime/mip
newest=$(newest_clang)

# first NAME RUN COMPILER...: compiles the function for first calls with COMPILER, and runs the cases of first.c with
# the command RUN.
first() {
	name=$1
	run=$2
	shift 2
	case $name in x86_64*) arch=x86_64 ;; *) arch=arm ;; esac
	"$@" -O2 -g -std=gnu99 -ffreestanding -fno-stack-protector -Iinclude -nostdlib -static -Wl,-z,noexecstack \
		$here/first.c $here/first.S arch/$arch/mip_first.c -o "$WORK/$name" && $run "$WORK/$name" && return
	echo "status $?: the number of the case in first.c, or 100 more if a register was changed"
	return 1
}
# far PREFIX RUN OPTIONS...: like first, but the function is so far away that calls reach it through a veneer.
far() {
	prefix=$1
	run=$2
	shift 2
	dir=$WORK/far-$prefix
	mkdir -p "$dir"
	"${prefix}gcc" "$@" -O2 -std=gnu99 -ffreestanding -Iinclude -c arch/arm/mip_first.c -o "$dir/mip_first.o" &&
		"${prefix}objcopy" --rename-section .text.__bareprof_mip_first=.far "$dir/mip_first.o" &&
		"${prefix}gcc" "$@" -O2 -std=gnu99 -ffreestanding -fno-stack-protector -Iinclude -nostdlib -static -Wl,-z,noexecstack \
			-Wl,--section-start=.far=0x30000000 $here/first.c $here/first.S "$dir/mip_first.o" -o "$dir/first" &&
		"${prefix}objdump" -d "$dir/first" | grep -q 'bl.*bareprof_mip_first.*veneer' && $run "$dir/first"
}
for at in "" -DAT; do
	check "first calls through a veneer: AArch64${at:+, atomic}" far aarch64-linux-gnu- qemu-aarch64 -no-pie $at
	check "first calls through a veneer: Arm${at:+, atomic}" far arm-none-eabi- qemu-arm -march=armv7-a -marm $at
	check "first calls through a veneer: Thumb-2${at:+, atomic}" far arm-none-eabi- qemu-arm -march=armv7-a -mthumb $at
done
# erratum PAGE OPTION WHAT: like first, for AArch64. The adrp of the sequence is at the offset PAGE of a page, so with
# OPTION the linker changes the sequence. The disassembly of step() then has the text WHAT.
erratum() {
	first aarch64-erratum qemu-aarch64 aarch64-linux-gnu-gcc -no-pie -DPAGE=$1 -Wl,$2 &&
		aarch64-linux-gnu-objdump -d "$WORK/aarch64-erratum" | awk '/<step>:/ { here = 1 } /^$/ { here = 0 } here' | grep -q "$3"
}
check "first calls: the linker makes an adr of the adrp" erratum 0xff8 --fix-cortex-a53-843419=adr 'adr	x16'
check "first calls: the linker moves the store away" erratum 0xffc --fix-cortex-a53-843419=adrp '	b	.*e843419'
for at in "" -DAT; do
	mode=${at:+, atomic}
	check "first calls: x86_64, gcc$mode" first x86_64-gcc "" gcc -fno-pie -no-pie $at
	check "first calls: x86_64, clang-$newest$mode" first x86_64-clang "" clang-$newest -fuse-ld=lld-$newest -fno-pie -no-pie $at
	check "first calls: AArch64, gcc$mode" first aarch64-gcc qemu-aarch64 aarch64-linux-gnu-gcc -no-pie $at
	check "first calls: AArch64, clang-$newest$mode" first aarch64-clang qemu-aarch64 \
		clang-$newest --target=aarch64-linux-gnu -fuse-ld=lld-$newest -no-pie $at
	check "first calls: Arm, gcc$mode" first arm-gcc qemu-arm arm-none-eabi-gcc -march=armv7-a -marm $at
	check "first calls: Thumb-2, gcc$mode" first thumb-gcc qemu-arm arm-none-eabi-gcc -march=armv7-a -mthumb $at
	check "first calls: Thumb-2, clang-$newest$mode" first thumb-clang qemu-arm \
		clang-$newest --target=armv7a-linux-gnueabi -mthumb -fuse-ld=lld-$newest $at
done
microbit="qemu-system-arm -machine microbit -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel"
check "first calls: Armv6-M, gcc" first armv6-m-gcc "$microbit" arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb \
	-Wl,--section-start=.vectors=0,-Ttext=0x100,-Tdata=0x20001000,-Tbss=0x20001100

# A Linux program reads its machine profile in every way that the runtime offers.
CFLAGS="$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)"
make -s linker || not_ok "make linker"
hosted() {
	dir=$1
	shift
	mkdir -p "$dir/out"
	"$BAREPROF" mip cc --mode=coverage gcc -O1 "$@" '-DMODE(name)=coverage_##name' -c $here/work.c -o "$dir/coverage.o" &&
		"$BAREPROF" mip cc --mode=calls gcc -O1 "$@" -c $here/work.c -o "$dir/calls.o" || return
	for f in $(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-mip-alone) hypercall profraw; do
		gcc $CFLAGS "$@" $stored -O1 -c runtime/$f.c -o "$dir/$f.o" || return
	done
	gcc -Wall -Wextra -Werror -Iinclude "$@" -O1 $here/hosted.c "$dir"/*.o arch/x86_64/copy.c arch/x86_64/mip_first.c \
		-Wl,--build-id=sha1,-T,build/linker/mip.ld -o "$dir/hosted" && "$dir/hosted" "$dir/out"
}
# counts FILE: prints the functions of FILE with the number of their calls.
counts() {
	"$BAREPROF" mip merge --elf "$dir/hosted" "$dir/out/$1" -o "$dir/out/mip" &&
		"$BAREPROF" mip show --json "$dir/out/mip" | python3 -c '
import json, sys
for f in sorted(json.load(sys.stdin)["functions"], key=lambda f: f["name"]):
    print(f["name"], f["ran"], f["calls"], f["order_sum"])'
}
same() { counts "$1" >"$dir/counts" && diff "$dir/expected" "$dir/counts"; }
for how in -no-pie -pie; do
	dir=$WORK/hosted$how
	pic=-fpie
	[ $how = -pie ] || pic=-fno-pie
	stored=
	[ $how = -pie ] || stored=-DBAREPROF_STORED
	check "machine profile of a Linux program, $how" hosted "$dir" $pic $how
	cat >"$dir/expected" <<-'END'
		calls_never False 0 0
		calls_often True 300 3
		calls_once True 1 2
		calls_work True 1 1
		coverage_never False 0 0
		coverage_often True 0 0
		coverage_once True 0 0
		coverage_work True 0 0
	END
	files="windows.mipraw text.log"
	[ $how = -no-pie ] && [ -z "${BAREPROF_WIDE-}" ] ||
		files="whole.mipraw $files frames.bin file.bpc next.log written.bpc called.log snapshot.mipraw snapshot.log small.log"
	for file in $files; do
		check "$how: $file" same $file
	done
	sed -i 's/ 300 / 600 /; s/ 1 \([12]\)$/ 2 \1/' "$dir/expected"
	check "$how: drained.mipraw has the calls of two runs" same drained.mipraw
done

# A program with block bytes of `mip cc`, which start as 0xff, and of clang's counters, which start as 0.
blocks() {
	dir=$WORK/blocks
	mkdir -p "$dir/out"
	clang=clang-$newest
	"$BAREPROF" mip cc --mode=blocks $clang -O1 '-DMODE(name)=ours_##name' -c $here/work.c -o "$dir/ours.o" &&
		$clang -O1 -fsanitize-coverage=bb,inline-8bit-counters,pc-table '-DMODE(name)=clangs_##name' -c $here/work.c -o "$dir/clangs.o" ||
		return
	for f in $(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-mip-alone) mip_sancov; do
		gcc $CFLAGS -DBAREPROF_MIP_BLOCKS_MODE -O1 -c runtime/$f.c -o "$dir/$f.o" || return
	done
	gcc -Wall -Wextra -Werror -Iinclude -DBAREPROF_MIP_BLOCKS_MODE -O1 -no-pie $here/blocks.c "$dir"/*.o arch/x86_64/copy.c \
		-Wl,--build-id=sha1,-T,build/linker/mip.ld -o "$dir/hosted" && "$dir/hosted" "$dir/out"
}
check "block bytes of mip cc and of clang: start values, reset, drain, snapshot, small form" blocks
cat >"$dir/expected" <<-'END'
	clangs_never None 0 0
	clangs_often True 0 0
	clangs_once True 0 0
	clangs_work True 0 0
	ours_never False 0 0
	ours_often True 0 0
	ours_once True 0 0
	ours_work True 0 0
END
for file in loaded.mipraw text.log drained.mipraw small.log; do
	check "block bytes of mip cc and of clang: $file" same $file
done
