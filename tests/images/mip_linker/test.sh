# SPDX-License-Identifier: BSD-2-Clause
# mip_linker - links machine profiles with our linker script fragments. It uses each linker, the addresses of real
# kernels, position-independent images, ROM, and images with LLVM's counters. --gc-sections must drop the bytes, the
# records and the table entries of functions that nothing calls. With BAREPROF_WIDE=1, each release of clang and lld is
# tested.
# shellcheck shell=sh disable=SC2086
. "$(dirname "$0")/../../lib.sh"

make -s linker || { not_ok "make linker"; exit 0; }
here=tests/images/mip_linker
other=tests/images/linker
runtime="mip mip_self reset read copy"
live="entry second weak _Z6sharedILi3EEii _ZL5locali"
all="$live weak dead dead_helper dead_too _Z6sharedILi7EEii"

# objects FLAGS [FLAGS-OF-FIRST]: compiles the image with $clang. first.cc is in the mode $first, second.cc in the
# mode $second.
first=coverage
second=calls
objects() {
	rm -rf "$WORK/in"
	mkdir -p "$WORK/in"
	options="$1 -O1 -ffreestanding -fno-unwind-tables -fno-asynchronous-unwind-tables -fno-stack-protector
		-ffunction-sections -fdata-sections -Iinclude"
	"$BAREPROF" mip cc --mode=$first $clang $options $2 -fno-exceptions -fno-rtti -c $here/first.cc -o "$WORK/in/first.o" &&
		"$BAREPROF" mip cc --mode=$second $clang $options -fno-exceptions -fno-rtti -c $here/second.cc -o "$WORK/in/second.o" &&
		$clang $options -c $here/plain.c -o "$WORK/in/plain.o" && $clang $options -c $here/hand.S -o "$WORK/in/hand.o" || return
	case $1 in *x86_64*) arch=x86_64 ;; *) arch=arm ;; esac
	for file in $runtime ../arch/$arch/mip_first; do
		$clang $options -std=gnu99 -nostdinc -c runtime/$file.c -o "$WORK/in/$(basename $file).o" || return
	done
}
# linked FUNCTIONS OPTIONS...: links the image and checks it.
objects=*
linked() {
	functions=$1
	shift
	$linker --build-id=sha1 "$@" "$WORK"/in/$objects.o -o "$WORK/image" >"$WORK/link.log" 2>&1 || { cat "$WORK/link.log"; return 1; }
	python3 $here/judge.py "$WORK/image" $functions
}
# fixed OPTIONS...: like linked, but the image must have no relocations.
fixed() { linked "$@" && readelf -rW "$WORK/image" | tee "$WORK/relocations" | grep -q "no relocations"; }
# cases WHAT SCRIPTS: the link without --gc-sections keeps everything, the link with it drops what is dead.
cases() {
	check "$1, $linker" linked "$live" --gc-sections $2
	check "$1, $linker: all functions" linked "$all" --no-gc-sections $2
}

wide=${BAREPROF_WIDE-}
releases=$(newest_clang)
[ -z "$wide" ] || releases=$(clang_releases)
for version in $releases; do
	clang=clang-$version
	lld=ld.lld-$version
	kernel="-T build/linker/mip.ld -T $other/kernel.ld --defsym BASE="
	if objects "--target=x86_64-unknown-none-elf -mno-red-zone -mgeneral-regs-only -fpie -fvisibility=hidden"; then
		for linker in $lld ld; do
			for base in 0xffff82d040200000 ${wide:+0xffffffff80000000}; do
				cases "x86_64 at $base, $clang" "$kernel$base"
			done
			check "x86_64 -pie, $clang, $linker" fixed "$live" --gc-sections -pie ${kernel}0
			objects="[fsh]*[tdn]"
			check "x86_64 -shared, $clang, $linker" linked "$all" --no-gc-sections -shared ${kernel}0
			objects=*
		done
	else
		not_ok "x86_64 of $clang does not compile"
	fi
	if objects "--target=aarch64-none-elf -mgeneral-regs-only -fpie -fvisibility=hidden"; then
		for linker in $lld aarch64-linux-gnu-ld; do
			cases "AArch64 at 0xffff800008000000, $clang" "${kernel}0xffff800008000000"
			check "AArch64 -pie, $clang, $linker" fixed "$live" --gc-sections -pie ${kernel}0
		done
	else
		not_ok "AArch64 of $clang does not compile"
	fi
	rom="-T $other/memory.ld -T build/linker/mip-rom.ld -T $other/rom.ld"
	if objects "--target=thumbv7m-none-eabi -mfloat-abi=soft"; then
		for linker in $lld arm-none-eabi-ld; do
			cases "Cortex-M from ROM, $clang" "$rom --defsym __aeabi_unwind_cpp_pr0=0"
		done
	else
		not_ok "Cortex-M of $clang does not compile"
	fi
	if [ -z "$wide" ]; then
		: # Arm links like Cortex-M
	elif objects "--target=armv7a-none-eabi -marm -mfloat-abi=soft"; then
		for linker in $lld arm-none-eabi-ld; do
			cases "Arm at 0x40000000, $clang" "${kernel}0x40000000"
		done
	else
		not_ok "Arm of $clang does not compile"
	fi
	# With blocks, the bytes and the table of a function must be kept or dropped together, in the same order.
	first=calls,blocks
	second=calls,blocks
	for target in x86_64 aarch64 ${wide:+thumbv7m}; do
		flags="--target=$target-none-elf -mgeneral-regs-only -fpie -fvisibility=hidden" script="${kernel}0xffff800008000000" ld=aarch64-linux-gnu-ld
		case $target in
		x86_64) flags="$flags -mno-red-zone" script="${kernel}0xffff82d040200000" ld=ld ;;
		thumb*) flags="--target=thumbv7m-none-eabi -mfloat-abi=soft" script="$rom --defsym __aeabi_unwind_cpp_pr0=0" ld=arm-none-eabi-ld ;;
		esac
		if ! objects "$flags"; then
			not_ok "$target with blocks of $clang does not compile"
			continue
		fi
		for linker in $lld $ld; do cases "$target with blocks, $clang" "$script"; done
	done
	# An image with LLVM's counters as well, and with only one mode. (The objects of clang 13 to 16 have a
	# constructor, which lld keeps.)
	for mode in coverage ${wide:+calls}; do
		first=$mode
		second=$mode
		if ! objects "--target=aarch64-none-elf -mgeneral-regs-only" "-fprofile-instr-generate -fcoverage-mapping"; then
			not_ok "AArch64 with counters of $clang does not compile"
			continue
		fi
		$clang $options -std=gnu99 -nostdinc -c runtime/symbols.c -o "$WORK/in/symbols.o"
		for linker in $lld aarch64-linux-gnu-ld; do
			constructor=
			case $linker in ld.lld-1[3-6]) constructor=__llvm_profile_init ;; esac
			both="-T build/linker/mip-beside.ld -T build/linker/bareprof.ld -T $other/kernel.ld --defsym BASE=0xffff800008000000"
			check "AArch64 with counters, $mode, $clang, $linker" linked "$live $constructor" --gc-sections $both
			counters() { readelf -SW "$WORK/image" | grep -q '__llvm_prf_cnts .* WA '; }
			check "AArch64 with counters, $mode, $clang, $linker: the counters are there" counters
		done
	done
	first=coverage
	second=calls
	if objects "--target=x86_64-unknown-none-elf -mno-red-zone -mgeneral-regs-only -mcmodel=kernel"; then
		for linker in $lld ld; do
			refuses "bareprof-none.ld refuses a machine profile, $clang, $linker" "instrumented, and none may be" sh -c \
				"$linker -T build/linker/bareprof-none.ld -T $other/kernel.ld --defsym BASE=0xffffffff80000000 \
				--unresolved-symbols=ignore-all '$WORK'/in/first.o -o '$WORK/none' 2>&1 |
				grep instrumented >&2; exit 1"
		done
	else
		not_ok "x86_64 for bareprof-none.ld of $clang does not compile"
	fi
done
