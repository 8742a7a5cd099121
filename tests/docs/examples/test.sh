#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# examples: tests that every example in README.md and in the manual page works as described. The examples run on
# images that boot in QEMU. A pseudo terminal that is connected to a guest stands for a serial port.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh

serial_guests=
trap 'kill $serial_guests 2>/dev/null' EXIT
# serial_guest ELF LINK: boots ELF, and makes LINK a symbolic link to the guest's serial port.
serial_guest() {
	qemu-system-x86_64 -machine microvm -m 64 -nodefaults -no-user-config -no-reboot -display none -monitor none \
		-serial pty -kernel "$1" >"$2.qemu" 2>&1 &
	serial_guests="$serial_guests $!"
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		grep -qs /dev/pts "$2.qemu" && break
		sleep 0.1
	done
	ln -s "$(sed -n 's/.*\(\/dev\/pts\/[0-9]*\).*/\1/p' "$2.qemu")" "$2"
}

# Tests README.md. The drop-in is made, compiled and linked as the text describes. The example becomes part of a kernel,
# and the commands in README.md must work on that kernel.
user=$WORK/readme
examples README.md "$user"
save_examples
check "README: the drop-in" make -s drop-in DIR="$user/tree"
flags=$(sed -n 's/.*Compile your code with `\(-f.*\)`.*/\1/p' README.md)
check "README names the options for the compiler" test -n "$flags"
# The example is compiled without coverage, as README.md requires.
for n in 13 22; do
	# The paths in IMAGE_DEMO_SOURCES are relative to the top of the tree.
	check "README: a kernel with its example, compiled by clang-$n" make -s image BOARD=x86_64 LLVM=$n KIND=none \
		DROPIN="$user/tree" DEMO_PLAIN= MORE_PLAIN="${user#"$ROOT/"}/dump.c" IMAGE_DEMO_SOURCES=tests/docs/examples/kernel.c \
		EXTRA="-Werror $flags" OUT="$WORK/clang-$n"
done
cp "$WORK/clang-$n/kernel.elf" "$user"
"$BAREPROF" run "$user/kernel.elf" --send 'dump\nexit\n' --log "$user/console.log" -o "$user/first.profraw" \
	>"$WORK/run.log" 2>&1
check "README: the kernel boots and dumps" test $? -eq 0
serial_guest "$user/kernel.elf" "$user/ttyUSB0"
try_examples
check "README: the report is there" grep -q 'examples/kernel\.c' "$user/coverage/index.html"
shown_by tests/docs/demo.sh

# The commands of the manual page must work on the demo kernel.
user=$WORK/manual
examples build/bareprof.1 "$user"
check "manual page: the demo kernel" make -s image BOARD=x86_64 OUT="$WORK/demo"
cp "$WORK/demo/kernel.elf" "$user"
"$BAREPROF" run "$user/kernel.elf" --send 'cov dump\ntest\ncov dump\nexit\n' --log "$user/boot.log" \
	-o "$WORK/boot.profraw" >"$WORK/run.log" 2>&1
check "manual page: a log with two dumps" test $? -eq 0
serial_guest "$user/kernel.elf" "$user/ttyUSB0"
try_examples
check "manual page: the report is there" grep -q 'qemu/demo' "$user/coverage/index.html"
check "manual page: it is the first dump" sh -c "! cmp '$user/first.profraw' '$WORK/boot.profraw'"
check "manual page: the causes" "$BAREPROF" doctor "$user/kernel.elf" "$user/boot.log"

# The commands of DOCTOR.md must work on the log of this kernel.
mkdir -p "$WORK/doctor"
cp "$user/kernel.elf" "$WORK/doctor"
cp "$user/boot.log" "$WORK/doctor/console.log"
manual=$user
user=$WORK/doctor
examples docs/DOCTOR.md "$user"
try_examples
user=$manual
check "manual page: JSON" python3 -m json.tool "$user/first.json" /dev/null

# PORTING-PROBLEMS.md explains error messages. Each message that it quotes must exist; "..." in a quotation stands for
# any text.
sed -n '/^## Symptoms/,/^## Compilers/s/^| \([^|]*\)|.*/\1/p' docs/PORTING-PROBLEMS.md | grep -o '"[^"]*"' |
	sed 's/"//g; s/ *\.\.\. */\n/g' >"$WORK/quoted"
check "PORTING-PROBLEMS.md quotes errors" test "$(wc -l <"$WORK/quoted")" -ge 8
while read -r words; do
	check "PORTING-PROBLEMS.md quotes an error that exists: $words" grep -rqF -- "$words" runtime linker host-tools
done <"$WORK/quoted"

# Tries the examples of the other documents, except the documents that have a test of their own.
for document in docs/*.md ports/*.md; do
	grep -q '^```[a-z]' "$document" || continue
	# The test of a document is a script that has the document's name and mentions the document. For example, the
	# test of docs/LINUX-CI.md is tests/*/linux/ci.sh or tests/*/linux/ci/test.sh. A test with another name calls
	# examples for the document, or names it in PAGE or PAGES.
	name=$(basename "$document" .md | tr '[:upper:]-' '[:lower:]/')
	runner=$(grep -sl "$document" tests/*/"$name.sh" tests/*/"$name/test.sh" ||
		grep -sl "^\(PAGES*=\|examples \).*$document" tests/docs/*.sh tests/docs/*/test.sh)
	if [ -n "$runner" ]; then
		ok "$document: $runner runs its examples"
		continue
	fi
	examples "$document" "$WORK/other"
	try_examples
done
