#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# stamp.sh: runs `bareprof stamp` on images of both widths and byte orders. The build id must be where other tools and
# the runtime look for it. Equal images must get equal build ids, and different images must get different build ids.
# Nothing else in the file may change.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"

for version in 22 19 16 ""; do
	[ -z "$version" ] || command -v clang-$version ld.lld-$version llvm-strip-$version >/dev/null && break
done
[ -n "$version" ] || { skip "stamp: no clang with lld"; exit 0; }

cat >"$WORK/kernel.c" <<'C'
#ifndef START
#define START 1
#endif
int value = START;
int other(int v);
int other(int v) { return v > 3 ? v * 3 : v; }
void entry(void);
void entry(void) { value = other(value); }
C
cat >"$WORK/script.ld" <<'LD'
ENTRY(entry)
SECTIONS
{
	. = 0x100000;
	.text : { *(.text .text.*) }
	.data : { *(.data .data.*) }
	.bss : { *(.bss .bss.*) }
	/DISCARD/ : { *(.ARM.exidx*) *(.eh_frame) }
}
LD

# built NAME TARGET LINKER OPTIONS...: builds an image NAME with space for a build id.
built() {
	name=$WORK/$1
	linker=$3
	options="--target=$2 -O1 -ffreestanding -ffunction-sections -fdata-sections -fno-stack-protector"
	shift 3
	clang-$version $options -fprofile-instr-generate -fcoverage-mapping "$@" -c "$WORK/kernel.c" -o "$name.o" &&
		clang-$version $options -nostdinc -Iinclude -c runtime/stamp.c -o "$name.stamp.o" &&
		$linker --gc-sections -T build/linker/bareprof-lean.ld -T "$WORK/script.ld" $id \
			--defsym __llvm_profile_runtime=0 "$name.o" "$name.stamp.o" -o "$name"
}
id_of() { readelf -nW "$1" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1; }

# bounded ELF: succeeds if the symbols that the runtime uses enclose the build id.
bounded() {
	python3 - "$1" "$(id_of "$1")" <<'PYTHON'
import sys
sys.path.insert(0, "tests/capture")
from elf import Elf
elf = Elf(sys.argv[1])
start, stop = (elf.symbols[f"__{bound}_bareprof_build_id"] for bound in ("start", "stop"))
note = elf.sections[".note.gnu.build-id"]
assert note.content[start - note.address:stop - note.address].hex() == sys.argv[2] != "", note
PYTHON
}
changed() { cmp -l "$1" "$2" | wc -l; }

for target in x86_64-none-elf armv7a-none-eabi aarch64-none-elf aarch64_be-none-elf i386-none-elf; do
	case $target in
	x86_64*) linkers="ld.lld-$version ld" ;;
	aarch64-*) linkers="ld.lld-$version aarch64-linux-gnu-ld" ;;
	armv7a*) linkers="ld.lld-$version arm-none-eabi-ld" ;;
	*) linkers=ld.lld-$version ;;
	esac
	for linker in $linkers; do
		what="$target, $linker"
		id=
		if ! built image $target $linker >"$WORK/log" 2>&1; then
			not_ok "$what: does not build"
			sed 's/^/    /' "$WORK/log"
			continue
		fi
		cp "$WORK/image" "$WORK/before"
		chmod 741 "$WORK/image"
		check "$what: stamped" "$BAREPROF" stamp "$WORK/image"
		check "$what: tools see an id of 16 bytes" sh -c "echo $(id_of "$WORK/image") | grep -Eqx '[0-9a-f]{32}'"
		check "$what: the runtime's bounds enclose the id" bounded "$WORK/image"
		check "$what: only the bytes of the id change" sh -c "[ $(changed "$WORK/image" "$WORK/before") -le 16 ] &&
			[ $(wc -c <"$WORK/image") -eq $(wc -c <"$WORK/before") ]"
		check "$what: the file mode stays" test "$(stat -c %a "$WORK/image")" = 741
		cp "$WORK/image" "$WORK/stamped"
		check "$what: stamped again" "$BAREPROF" stamp "$WORK/image"
		check "$what: stamping again changes nothing" cmp "$WORK/image" "$WORK/stamped"
		strip --strip-debug -o "$WORK/stripped" "$WORK/image" 2>/dev/null ||
			llvm-strip-$version --strip-debug -o "$WORK/stripped" "$WORK/image"
		check "$what: the id still fits without debug information" "$BAREPROF" stamp "$WORK/stripped"
		first=$(id_of "$WORK/image")
		built image $target $linker >"$WORK/log" 2>&1 && "$BAREPROF" stamp "$WORK/image" >"$WORK/log" 2>&1
		check "$what: the same image has the same id" test "$(id_of "$WORK/image")" = "$first"
		built image $target $linker -DSTART=2 >"$WORK/log" 2>&1 && "$BAREPROF" stamp "$WORK/image" >"$WORK/log" 2>&1
		check "$what: another image has another id" sh -c "[ '$(id_of "$WORK/image")' != '$first' ] && [ -n '$(id_of "$WORK/image")' ]"
		# The name of a function is not in loaded memory here. But a different name makes a different profile,
		# so the build id must differ.
		built image $target $linker -Dother=third >"$WORK/log" 2>&1 && "$BAREPROF" stamp "$WORK/image" >"$WORK/log" 2>&1
		check "$what: an image with other function names has another id" sh -c "[ '$(id_of "$WORK/image")' != '$first' ] && [ -n '$(id_of "$WORK/image")' ]"
	done
done

cp "$WORK/stamped" "$WORK/changed"
printf '\377' | dd of="$WORK/changed" bs=1 conv=notrunc \
	seek=$(($(readelf -SW "$WORK/changed" | sed -n 's/.* \.text *PROGBITS *[0-9a-f]* \([0-9a-f]*\).*/0x\1/p'))) 2>"$WORK/log"
refuses "an image changed after it was stamped" 'id of 16 bytes that is not its stamp' "$BAREPROF" stamp "$WORK/changed"
id=--build-id=sha1
built real x86_64-none-elf ld.lld-$version >"$WORK/log" 2>&1
cp "$WORK/real" "$WORK/before"
refuses "a build id from the linker, 20 bytes" 'id of 20 bytes that is not its stamp: if the linker made this build id' "$BAREPROF" stamp "$WORK/real"
check "a build id from the linker, 20 bytes: the file is unchanged" cmp "$WORK/real" "$WORK/before"
check "a build id from the linker, 20 bytes: the runtime's bounds enclose it" bounded "$WORK/real"
id=--build-id=md5
built real x86_64-none-elf ld >"$WORK/log" 2>&1
refuses "a build id from the linker, 16 bytes" 'id of 16 bytes that is not its stamp: if the linker made this build id' "$BAREPROF" stamp "$WORK/real"
check "a build id from the linker, 16 bytes: the runtime's bounds enclose it" bounded "$WORK/real"
refuses "no space for a build id" 'neither a build id nor space for a build id' "$BAREPROF" stamp "$WORK/real.o"
refuses "a text file" 'is not an ELF file' "$BAREPROF" stamp README.md
refuses "a file that does not exist" 'cannot be opened: No such file' "$BAREPROF" stamp "$WORK/nowhere"
check "no temporary file is left over" test "$(cd "$WORK" && echo image* stamped*)" = "image image.o image.stamp.o stamped"
