#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# porting_newlib: runs the commands of docs/PORTING-NEWLIB.md, one by one, as a stranger would. newlib's tests must pass
# and the report must be right on both boards, also with an older clang. The number of lines of glue code must be the
# number that the page states.
. "$(dirname "$0")/../lib.sh"
. tests/docs/lib.sh

GLUE_MAX=40
NEW=$(newest_clang)
OLD=16

newcomer "$NEW" clang ld.lld
EXAMPLE_TIME=300
examples docs/PORTING-NEWLIB.md "$WORK/page"
try_examples

for lines in $(grep -l 'bareprof check' "$WORK"/page.*/*.run | sed 's/run$/out/'); do
	check "bareprof check finds nothing: $(basename "$lines" .out)" sh -c "! grep -E '^(error|warning):' '$lines'"
done

# Checks the number of lines of glue code. These lines are all lines that are new or changed
# compared with the original project.
PORT=$WORK/page/newlib
diff -ruN -x out -x newlib-salsa -x coverage.patch -x 'bareprof*' -x 'mip*.ld*' tests/docs/porting/firmware "$PORT" >"$WORK/glue.diff"
glue=$(grep '^+' "$WORK/glue.diff" | grep -v '^+++' | sed 's/^.//' |
	grep -cvE '^[[:space:]]*$|^[[:space:]]*(#[[:space:]]|/\*.*\*/[[:space:]]*$)')
check "at most $GLUE_MAX lines of glue: $glue" test "$glue" -le "$GLUE_MAX" -a "$glue" -gt 20
check "the page gives that number" grep -q "That is $glue lines of glue" docs/PORTING-NEWLIB.md
for file in "$PORT"/bareprof* "$PORT"/mip*.ld*; do
	case $file in
	*.c | *.h) same=$(make -s drop-in DIR="$WORK/drop-in" >/dev/null && echo "$WORK/drop-in/$(basename "$file")") ;;
	*.lds.h) same=linker/$(basename "$file") ;;
	*.mk) same=ports/make/$(basename "$file") ;;
	*) same=build/linker/$(basename "$file") ;;
	esac
	check "the port uses the unchanged drop-in: $(basename "$file")" cmp "$file" "$same"
done
check "the port uses the unchanged newlib" sh -c "mkdir '$WORK/fresh' && tar -xf /usr/src/newlib/newlib-*.tar.xz -C '$WORK/fresh' \
	newlib-salsa/newlib/libc newlib-salsa/newlib/testsuite && diff -r '$WORK/fresh/newlib-salsa' '$PORT/newlib-salsa'"

# covered FILE LCOV: succeeds if FILE is in the report and all of its lines ran.
covered() {
	awk -F '[:,]' -v file="/$1" '/^SF:/ { in_file = index($0, file) && substr($0, length($0) - length(file) + 1) == file }
		in_file && /^DA:/ { lines++; if ($3 > 0) ran++ }
		END { exit !(lines > 2 && lines == ran) }' "$2"
}

# reported FOLDER WHAT: checks that the run in FOLDER passed newlib's tests and sent a dump.
reported() {
	log=$1/console.log
	check "$2: newlib's tests pass" test "$(grep -c '^PASS: ' "$log")" -eq 6
	check "$2: none fails" sh -c "! grep '^FAIL' '$log'"
	bareprof pull "$log" -o "$1/test.profraw" >/dev/null 2>&1
	check "$2: a report" bareprof report "$1/test.elf" "$1/test.profraw" --lcov "$1/lcov"
	check "$2: it has newlib's files" test "$(grep -cE '^SF:.*/(string|stdlib)/[^/]*\.c$' "$1/lcov")" -ge 180
	for file in string/strcpy.c string/strcmp.c string/memcpy.c string/memmove.c stdlib/atexit.c; do
		check "$2: all of $file ran" covered "$file" "$1/lcov"
	done
	check "$2: div.c did not" sh -c "! awk '/^SF:/ { on = /div\.c\$/ } on && /^DA:.*,[1-9]/' '$1/lcov' | grep ."
	check "$2: and is there" grep -q '^SF:.*/stdlib/div\.c$' "$1/lcov"
}

# On a real board, RAM that no loader fills has arbitrary content at power-on. The test imitates this with a file that
# QEMU loads into the RAM. The ELF file also fills parts of the RAM, so QEMU must not load the ELF file. Instead, QEMU
# loads a binary image of the ROM, with the bytes that a user would flash.
dd if=/dev/zero bs=64K count=1 2>/dev/null | tr '\0' '\125' >"$WORK/ram"
mkdir -p "$WORK/ram-full"
cp "$PORT/out/mps2-an385/test.elf" "$WORK/ram-full/"
arm-none-eabi-objcopy -O binary "$WORK/ram-full/test.elf" "$WORK/ram-full/rom"
timeout 60 qemu-system-arm -machine mps2-an385 -nodefaults -nographic -monitor none \
	-device loader,file="$WORK/ram",addr=0x20000000,force-raw=on \
	-semihosting-config enable=on,target=native -kernel "$WORK/ram-full/rom" \
	>"$WORK/ram-full/console.log" 2>"$WORK/ram-full/qemu.log" </dev/null
reported "$WORK/ram-full" "mps2-an385, RAM with arbitrary content"

# The hidden option of clang must have the effect that the page describes: fewer names and fewer functions.
dump_size() { bareprof check "$1/test.elf" | sed -n 's/^ *\.profraw of \([0-9]*\) bytes.*/\1/p'; }
functions() { bareprof report "$1/test.elf" "$1/test.profraw" 2>/dev/null | awk '/^TOTAL/ { print $5 }'; }
plain=$PORT/out/mps2-an385
limited=$PORT/out/limited
check "the hidden option makes the dump smaller: $(dump_size "$limited") of $(dump_size "$plain") bytes" \
	test "$(dump_size "$limited")" -lt "$(dump_size "$plain")"
check "and the report shorter: $(functions "$limited") of $(functions "$plain") functions" \
	test "$(functions "$limited")" -lt "$(functions "$plain")"

for board in armv7a mps2-an385; do
	reported "$PORT/out/$board" "$board clang-$NEW"
	check "$board clang-$OLD: builds and runs" make -s -j2 -C "$PORT" BOARD=$board OUT=out/$OLD-$board \
		CLANG="clang-$OLD --target=arm-none-eabi" run
	reported "$PORT/out/$OLD-$board" "$board clang-$OLD"
	check "$board clang-$OLD: bareprof check finds nothing" bareprof check "$PORT/out/$OLD-$board/test.elf"
done
