#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# semihosting: runs the commands of docs/SEMIHOSTING.md. Then it boots the semihosting functions of the drop-in with
# every special instruction: on a Cortex-M with and without a debugger, and on Armv7-A (ARM and Thumb code) and AArch64.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh

newcomer "$(newest_clang)" clang ld.lld
BAREPROF_BOARDS=$ROOT/qemu # the demo boards, and no others
export BAREPROF_BOARDS

examples docs/SEMIHOSTING.md "$WORK/page"
try_examples
page=$WORK/page/semihosting
check "the report has one return that did not run" sh -c "'$BAREPROF' report '$page/kernel.elf' '$page/kernel.profraw' 2>/dev/null |
	grep -Eq '^[^ ]*kernel\.c .* 2 +0 +100\.00% +8 +1 '"
check "the dump is a capture file" sh -c "head -c 4 '$page/kernel.dump' | tail -c 3 | grep -q bpc"
check "the dump on the console gives the same counts" sh -c "'$BAREPROF' show --counts '$page/console.profraw' | tail -n +6 >'$WORK/a' &&
	'$BAREPROF' show --counts '$page/kernel.profraw' | tail -n +6 | cmp - '$WORK/a' && test -s '$WORK/a'"

# build FLAGS NAME FRAGMENT SCRIPT OBJECTS FILE...: compiles the FILEs with FLAGS, and links them with OBJECTS as
# $WORK/NAME.elf.
build() {
	flags="$1 -O2 -ffreestanding -ffunction-sections -fno-pic -Wall -Wextra -Werror -I $page"
	elf=$WORK/$2.elf
	scripts="$3 $4"
	objects=$5
	shift 5
	for file; do
		# shellcheck disable=SC2086
		clang $flags -c "$file" -o "$elf.$(basename "$file").o" || return
		objects="$objects $elf.$(basename "$file").o"
	done
	# shellcheck disable=SC2046,SC2086
	ld.lld --gc-sections --build-id=sha1 $(printf -- '-T %s ' $scripts) $objects -o "$elf"
}
# boot NAME SECONDS QEMU...: boots $WORK/NAME.elf in $WORK. The serial port goes to the file NAME.out.
boot() {
	elf=$1.elf
	seconds=$2
	shift 2
	(cd "$WORK" && timeout "$seconds" "$@" -nodefaults -nographic -monitor none -serial stdio -kernel "$elf") \
		>"$WORK/${elf%.elf}.out" 2>"$WORK/${elf%.elf}.err" </dev/null
}
m3="--target=thumbv7m-none-eabi -mfloat-abi=soft"
parts="$page/fault.o $page/kernel.o $page/bareprof.o"
mps2="qemu-system-arm -machine mps2-an385"
enable="-semihosting-config enable=on,target=native"

# The page gives the number of calls of the sink for each encoder. The firmware counts them and exits with this number.
echo 'int count(void *, const void *, bareprof_size_t); int calls(void); static int n; int calls(void) { return n; }
int count(void *context, const void *data, bareprof_size_t size) { n++; return bareprof_semihosting_write(context, data, size); }' >"$WORK/count.c"
sed 's/^void reset(void);/&\nint calls(void);/; s/(error != 0)/(error ? 255 : calls())/' "$page/start.c" >"$WORK/start.c"
for encoder in file frame text; do
	{
		sed -e "s/bareprof_encode_file/bareprof_encode_$encoder/; s/bareprof_semihosting_write,/count,/" \
			-e 's/^int coverage_dump.*;/&\nint count(void *, const void *, bareprof_size_t);/' "$page/coverage.c"
		cat "$WORK/count.c"
	} >"$WORK/coverage.c"
	build "$m3" $encoder "$page/memory.ld" "$page/bareprof-rom.ld $page/firmware.ld" "$parts" "$WORK/start.c" "$WORK/coverage.c"
	# shellcheck disable=SC2086
	boot $encoder 10 $mps2 $enable
	calls=$?
	case $encoder in
	file) check "the page gives the calls of bareprof_encode_file: $calls" grep -q "\`bareprof_encode_file\` makes $calls calls" docs/SEMIHOSTING.md ;;
	*) check "bareprof_encode_$encoder makes more calls, as the page says: $calls" test "$calls" -gt 20 -a "$calls" -lt 255 ;;
	esac
done

# Errors. The firmware writes a digit to its serial port, which is 0 minus the result of coverage_dump(). Then it exits
# with that number, if there is a debugger.
sed 's/^	bareprof_semihosting_exit.*/	*(volatile unsigned int *)0x40004008 = 1;\n	*(volatile unsigned int *)0x40004000 = (unsigned int)(48 - error);\n	bareprof_semihosting_exit(-error);/' \
	"$page/start.c" >"$WORK/start.c"
check "firmware that shows its errors" build "$m3" errors "$page/memory.ld" "$page/bareprof-rom.ld $page/firmware.ld" \
	"$parts $page/coverage.o" "$WORK/start.c"
# result WHAT DIGIT SECONDS OPTION...: boots this firmware, which must write DIGIT.
result() {
	what=$1
	digit=$2
	shift 2
	seconds=$1
	shift
	# shellcheck disable=SC2086
	boot errors "$seconds" $mps2 "$@"
	check "$what: the result is -$digit" test "$(cat "$WORK/errors.out")" = "$digit"
}
result "a dump" 0 10 $enable,arg=kernel,arg=errors.dump
check "a dump: the file" "$BAREPROF" pull --elf "$WORK/errors.elf" "$WORK/errors.dump" -o "$WORK/errors.profraw"
result "a folder that does not exist" 3 10 $enable,arg=kernel,arg=none/dump
result "a full disk" 3 10 $enable,arg=kernel,arg=/dev/full
# Without semihosting, the firmware cannot end QEMU.
mkdir -p "$WORK/boards/alone"
echo "machine = arm-m
qemu = $mps2 -nodefaults -display none -monitor none -serial stdio -kernel {elf}" >"$WORK/boards/alone/board.conf"
rm -f "$WORK/kernel.dump"
check "no debugger: the result is -3" sh -c "BAREPROF_BOARDS='$WORK/boards' '$BAREPROF' run --board alone --until 3 --timeout 10 -o '$WORK/x' '$WORK/errors.elf' \
	>'$WORK/alone.out' 2>&1 </dev/null; grep -q '^3' '$WORK/alone.out'"
check "no debugger: no file" test ! -e "$WORK/kernel.dump"

# The other special instructions. The start-up code sets up a stack, and the linker script loads the program into RAM.
cat >"$WORK/cpu.ld" <<'END'
ENTRY(start)
SECTIONS {
	. = 0x40100000;
	.text : { *(.text.start) *(.text .text.*) } .rodata : { *(.rodata .rodata.*) }
	.data : ALIGN(4096) { *(.data .data.*) } .bss : { *(.bss .bss.* COMMON) . = ALIGN(16); . += 8K; stack_top = .; }
}
END
cat >"$WORK/cpu.c" <<'END'
#include "bareprof.h"
void kernel_main(void);
int coverage_dump(struct bareprof_image *image, const char *name);
void reset(void);
static struct bareprof_image image;
int data = 1;
void reset(void)
{
	int error = bareprof_image_self(&image);
	kernel_main();
	if (!error)
		error = coverage_dump(&image, NAME);
	bareprof_semihosting_exit(data - 1 - error);
	for (;;)
		;
}
END
# cpu NAME FLAGS STACK QEMU...: builds this program with the compiler flags FLAGS and boots it. STACK is code that sets
# the stack pointer.
cpu() {
	name=$1
	flags=$2
	printf '.section .text.start, "ax"\n.global start\n.type start, %%function\nstart: %s\n bl reset\n' "$3" >"$WORK/$name.S"
	shift 3
	# shellcheck disable=SC2086
	clang $flags -O2 -ffreestanding -ffunction-sections -fprofile-instr-generate -fcoverage-mapping -c "$page/kernel.c" -o "$WORK/$name.kernel.o"
	check "$name: the program builds" build "$flags -DBAREPROF_SEMIHOSTING -DNAME=\"$name.dump\"" "$name" "$page/bareprof.ld" "$WORK/cpu.ld" \
		"$WORK/$name.kernel.o" "$WORK/$name.S" "$WORK/cpu.c" "$page/coverage.c" "$page/bareprof.c"
	# shellcheck disable=SC2086
	boot "$name" 10 "$@" $enable
	check "$name: it dumps and exits with 0" test $? -eq 0
	check "$name: bareprof reads the dump" "$BAREPROF" pull --elf "$WORK/$name.elf" "$WORK/$name.dump" -o "$WORK/$name.profraw"
	check "$name: sign() was called twice" sh -c "'$BAREPROF' show --counts '$WORK/$name.profraw' | grep -A4 sign | grep -Eq '(^|[^0-9])2([^0-9]|$)'"
}
a15="-march=armv7-a -mfloat-abi=soft -mno-unaligned-access"
cpu armv7a-arm "--target=armv7a-none-eabi $a15" 'ldr sp, =stack_top' qemu-system-arm -machine virt -cpu cortex-a15
cpu armv7a-thumb "--target=armv7a-none-eabi -mthumb $a15" 'ldr r0, =stack_top; mov sp, r0' qemu-system-arm -machine virt -cpu cortex-a15
cpu aarch64 "--target=aarch64-none-elf -mgeneral-regs-only -mstrict-align" 'ldr x0, =stack_top; mov sp, x0' qemu-system-aarch64 -machine virt -cpu cortex-a57

# A raw binary in flash: `bareprof run` makes it for the option -bios, and the firmware writes its dump to the file
# that the board's command line names.
cat >"$WORK/flash.ld" <<'END'
MEMORY { FLASH : ORIGIN = 0, LENGTH = 1M RAM : ORIGIN = 0x40100000, LENGTH = 1M }
REGION_ALIAS("BAREPROF_ROM", FLASH)
REGION_ALIAS("BAREPROF_RAM", RAM)
END
cat >"$WORK/flash2.ld" <<'END'
ENTRY(start)
SECTIONS {
	.text : { *(.text.start) *(.text .text.* .rodata .rodata.*) } > FLASH
	.data : { *(.data .data.*) } > RAM AT> FLASH
	.bss : { *(.bss .bss.* COMMON) . = ALIGN(16); . += 8K; stack_top = .; } > RAM
}
END
sed '/vectors/,$d' "$page/start.c" >"$WORK/flash.c"
check "firmware in flash builds" build "--target=armv7a-none-eabi $a15 -DBAREPROF_NOLOAD -DBAREPROF_SEMIHOSTING" flash "$WORK/flash.ld" \
	"$page/bareprof-rom.ld $WORK/flash2.ld" "$WORK/armv7a-arm.kernel.o" "$WORK/armv7a-arm.S" "$WORK/flash.c" "$page/coverage.c" "$page/bareprof.c"
mkdir -p "$WORK/boards/flash"
echo "machine = arm
qemu = qemu-system-arm -machine virt -cpu cortex-a15 -nodefaults -display none -monitor none -serial stdio -no-reboot \
	$enable,arg=kernel,arg={dump} -bios {bin}" >"$WORK/boards/flash/board.conf"
BAREPROF_BOARDS=$WORK/boards
check "bareprof run boots it with -bios {bin}" "$BAREPROF" run --board flash --timeout 10 -o "$WORK/flash.profraw" "$WORK/flash.elf"
check "its profile is that of the program in RAM" sh -c "'$BAREPROF' show --counts '$WORK/armv7a-arm.profraw' | tail -n +6 >'$WORK/a' &&
	'$BAREPROF' show --counts '$WORK/flash.profraw' | tail -n +6 | cmp - '$WORK/a' && test -s '$WORK/a'"
