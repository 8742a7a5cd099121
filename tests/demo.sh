#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh: `make demo` as a newcomer runs it, and the examples of README.md.
. "$(dirname "$0")/lib.sh"

check "make demo" sh -c "make demo >'$WORK/demo.log' 2>&1 || { tail -n 20 '$WORK/demo.log'; exit 1; }"
for conf in qemu/*/board.conf; do
	board=$(basename "$(dirname "$conf")")
	check "demo shows $board" grep -q "== $board" "$WORK/demo.log"
	check "demo says how long that took: $board" grep -Eq "^$board: [1-9][0-9]* ms from" "$WORK/demo.log"
	page=build/demo/$board/html/index.html
	check "demo leaves a report for $board" grep -q 'qemu/demo' "$page"
	check "demo prints where: $board" grep -qF "$page" "$WORK/demo.log"
done
check "demo covers most of the kernel" sh -c \
	"awk '/^TOTAL/ { n++; if (\$10 + 0 < 80) bad = 1 } END { exit bad || n < 2 }' '$WORK/demo.log'"

# README.md's program, with what it leaves to the reader.
{
	echo '#include <stddef.h>'
	echo 'void console_write(const void *data, size_t n);'
	echo 'unsigned long long cycle_counter(void);'
	sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```'
} >"$WORK/readme.c"
make -s drop-in DIR="$WORK/d" >/dev/null
for n in 13 22; do
	check "README's program compiles with clang-$n" clang-$n --target=thumbv7m-none-eabi -ffreestanding \
		-Wall -Wextra -Werror -I"$WORK/d" -c "$WORK/readme.c" -o "$WORK/readme.o"
done

# README.md's commands, on a log of this demo.
mkdir -p "$WORK/user"
cp build/demo/x86_64/kernel.elf "$WORK/user/"
"$BAREPROF" run --send 'test\ncov dump\nexit\n' --log "$WORK/user/console.log" -o "$WORK/user/first.profraw" \
	build/demo/x86_64/kernel.elf >/dev/null 2>&1
sed -n '/^```sh$/,/^```$/p' README.md | grep '^bareprof ' >"$WORK/user/commands"
check "README has commands to try" test -s "$WORK/user/commands"
check "README's commands work" sh -ec "cd '$WORK/user' && PATH='$ROOT/build:$PATH' && . ./commands && test -s coverage/index.html"
