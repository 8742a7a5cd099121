#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run_binary.sh: tests {bin} in board.conf. The raw binary must have the same bytes as the output of objcopy -O binary.
# In place of QEMU, it starts a shell script that copies the binary. tests/images/boards.sh boots raw binaries.
. "$(dirname "$0")/../lib.sh"

BAREPROF_BOARDS=$WORK/boards
TMPDIR=$WORK/tmp
export BAREPROF_BOARDS TMPDIR
mkdir -p "$TMPDIR" "$WORK/boards/flat" "$WORK/boards/rom"
cat >"$WORK/boards/flat/qemu" <<END
#!/bin/sh
cp "\$1" '$WORK/copy'
printf '%s\n' "\$@" >'$WORK/words'
ls '$TMPDIR'/* >'$WORK/files'
END
chmod +x "$WORK/boards/flat/qemu"
for board in flat rom; do
	printf 'machine = arm aarch64\nqemu = {board}/../flat/qemu {bin} -device loader,file={bin},addr=0x0 {dump}\n' \
		>"$WORK/boards/$board/board.conf"
done

cat >"$WORK/parts.c" <<'END'
int zeros[300];
int one = 1;
__attribute__((section(".far"))) int far = 2;
const char text[] = "constants";
int start(void);
int start(void) { return one + zeros[1] + far + text[0]; }
END
# image NAME FLAGS SCRIPT: links parts.c with a linker script for the clang flags FLAGS, as $WORK/NAME.elf.
image() {
	printf 'ENTRY(start)\nSECTIONS {\n/DISCARD/ : { *(.ARM.exidx*) }\n%s\n}\n' "$3" >"$WORK/$1.ld"
	# shellcheck disable=SC2086
	clang-22 $2 -O1 -ffreestanding -fno-pic -fno-unwind-tables -fno-asynchronous-unwind-tables -c "$WORK/parts.c" -o "$WORK/$1.o" &&
		ld.lld-22 ${4-} -T "$WORK/$1.ld" "$WORK/$1.o" -o "$WORK/$1.elf"
}
boot() { "$BAREPROF" run -b "${2-flat}" "$WORK/$1.elf" </dev/null >"$WORK/out" 2>"$WORK/err"; }
# same NAME: boots $WORK/NAME.elf, and compares the binary with the output of two objcopy programs.
same() {
	rm -f "$WORK/copy"
	boot "$1"
	check "$2: the board starts" test -s "$WORK/copy"
	llvm-objcopy-22 -O binary "$WORK/$1.elf" "$WORK/llvm"
	check "$2: the binary is that of llvm-objcopy" cmp "$WORK/llvm" "$WORK/copy"
	arm-none-eabi-objcopy -O binary "$WORK/$1.elf" "$WORK/gnu" 2>/dev/null ||
		aarch64-linux-gnu-objcopy -O binary "$WORK/$1.elf" "$WORK/gnu"
	check "$2: the binary is that of GNU objcopy" cmp "$WORK/gnu" "$WORK/copy"
	check "$2: the temporary files are removed" test -z "$(ls "$TMPDIR")"
}
m3="--target=thumbv7m-none-eabi"
a64="--target=aarch64-none-elf"

rom='. = 0x400; .text : { *(.text*) *(.rodata*) } . = 0x20000000;
.data : AT(LOADADDR(.text) + SIZEOF(.text) + 4) { *(.data*) } .bss : { *(.bss*) } .far : AT(0x1000) { *(.far) }'
check "a ROM image with data in RAM" image rom "$m3" "$rom"
same rom "a ROM image with data in RAM"
check "all {bin} of the command are replaced" grep -qx -- "-device\|loader,file=$TMPDIR/bareprof.*/bin,addr=0x0" "$WORK/words"
check "the binary lies beside the side channel" test "$(sed -n '1p' "$WORK/words" | sed 's/bin$/dump/')" = "$(sed -n '$p' "$WORK/words")"
check "a 64-bit image with a high half" image high "$a64" '. = 0xffffff8040080000;
.text : AT(ADDR(.text) - 0xffffff8000000000) { *(.text*) } . = ALIGN(4096); .data : { *(.data* .far) } .bss : { *(.bss*) } .rodata : { *(.rodata*) }'
same high "a 64-bit image with a high half"
check "an image whose segment has the ELF headers" image headers "$a64" '. = 0x10000 + SIZEOF_HEADERS; .text : { *(.text* .rodata*) } .data : { *(.data* .far) } .bss : { *(.bss*) }'
same headers "an image whose segment has the ELF headers"
check "zeros in front of sections with contents" image zeros "$m3" '. = 0x20000000; .bss : { *(.bss*) } .text : { *(.text* .rodata*) } .gap (NOLOAD) : { . += 4096; } .data : { *(.data* .far) }'
same zeros "zeros in front of sections with contents"
cp "$BAREPROF" "$WORK/plain.elf"
mkdir "$WORK/boards/plain"
printf 'machine = none\nqemu = ls {elf} %s\n' "$TMPDIR/*" >"$WORK/boards/plain/board.conf"
boot plain plain
check "a board without {bin} makes no binary" sh -c "! grep -q '/bin\$' '$WORK/out'"

# Tests errors. After an error, no guest may be started, and no temporary file may stay.
# refused NAME WHAT PATTERN: `bareprof run` must refuse $WORK/NAME.elf.
refused() {
	rm -f "$WORK/copy"
	refuses "$2" "$1.elf: .*$3" "$BAREPROF" run -b flat "$WORK/$1.elf"
	check "$2: nothing is started, no file stays" test ! -e "$WORK/copy" -a -z "$(ls "$TMPDIR")"
}
check "an image with a gap of gigabytes" image gap "$m3" '.text 0x0 : { *(.text*) *(.rodata*) } .data 0xa0000000 : { *(.data* .far) } .bss : { *(.bss*) }'
refused gap "a gap of gigabytes" "cannot become a raw binary for \{bin\}: its section .text ends at the load address 0x[0-9a-f]+, and the next section .data starts at 0xa0000000, so the binary would have more than 64 MiB of zeros; place .data directly after .text with AT> in the linker script, or load \{elf\}"
check "an image with many gaps" image gaps "$m3" '.text 0x0 : { *(.text*) } .rodata 0x2000000 : { *(.rodata*) } .data 0x4000000 : { *(.data*) } .far 0x6000000 : { *(.far) } .bss : { *(.bss*) }'
refused gaps "gaps that are too large together" "would have more than 64 MiB of zeros"
check "an image with a gap of 60 MiB" image wide "$m3" '.text 0x0 : { *(.text*) *(.rodata*) } .data 0x3c00000 : { *(.data* .far) } .bss : { *(.bss*) }'
same wide "a gap of 60 MiB"
check "sections at one load address" image twice "$m3" '.text 0x0 : { *(.text*) *(.rodata*) } .data 0x20000000 : AT(4) { *(.data* .far) } .bss : { *(.bss*) }' --no-check-sections
refused twice "sections at one load address" "its sections .text and .data overlap at the load address 0x4; change"
cp "$WORK/rom.o" "$WORK/object.elf"
refused object "an object file" "it is an object file, whose sections have no addresses; link it"
check "an image without contents" image empty "$m3" '.bss : { *(.bss*) } /DISCARD/ : { *(.text* .rodata* .data* .far ) }' --noinhibit-exec
refused empty "an image without contents" "it has no section with contents to load"

# damage NAME OFFSET VALUE: copies high.elf, a 64-bit ELF file, to NAME.elf, and changes the field at OFFSET of the
# program header of the first PT_LOAD segment.
damage() {
	python3 - "$WORK/high.elf" "$WORK/$1.elf" "$2" "$3" <<'PYTHON'
import struct, sys
elf = bytearray(open(sys.argv[1], "rb").read())
headers, size, count = struct.unpack_from("<Q", elf, 32)[0], *struct.unpack_from("<HH", elf, 54)
for at in range(headers, headers + size * count, size):
    if struct.unpack_from("<I", elf, at)[0] == 1:
        struct.pack_into("<Q", elf, at + int(sys.argv[3]), int(sys.argv[4], 0))
        break
open(sys.argv[2], "wb").write(elf)
PYTHON
}
damage end 24 0xfffffffffffffff8
refused end "a load address at the end of the address space" "the header of its section .* is damaged, because it gives [0-9]+ bytes at the load address 0xffffff"
damage huge 24 0x8000000000000000
refused huge "a load address far away" "would have more than 64 MiB of zeros"
head -c 3000 "$WORK/high.elf" >"$WORK/short.elf"
refused short "a file that is cut short" "is cut short: its section headers are at"

rm -f "$WORK/copy"
(
	trap '' XFSZ
	ulimit -f 0
	boot rom 2>/dev/null
	exit $?
) 2>/dev/null
check "a full disk: exit code 3" test $? -eq 3
check "a full disk: nothing is started, no file stays" test ! -e "$WORK/copy" -a -z "$(ls "$TMPDIR")"

# With --each, every guest gets the binary.
printf 'reset = r\ntest a = a\\n\ndump = d\n' >"$WORK/plan"
"$BAREPROF" run -b flat --each "$WORK/plan" --timeout 1 -o "$WORK/each" "$WORK/rom.elf" </dev/null >/dev/null 2>&1
check "--each: the binary" sh -c "llvm-objcopy-22 -O binary '$WORK/rom.elf' '$WORK/llvm' && cmp '$WORK/llvm' '$WORK/copy'"
check "--each: the temporary files are removed" test -z "$(ls "$TMPDIR")"
