#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# driver.sh: runs the commands in the chapter about drivers in ports/linux/README.md literally. The modules are loaded
# in a guest with Debian's own kernel.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh

unset BAREPROF_KIND MAKEFLAGS MAKEOVERRIDES
linux_stock || exit
export HOME="$WORK/home"
export KDIR="$LINUX_HEADERS"
mkdir -p "$HOME"
ln -s "$ROOT" "$HOME/bareprof"

# load SCRIPT: runs SCRIPT in a guest. The folder in the guest is /test, and the home folder is /root. The guest's
# profiles are copied back.
load() {
	guest=$WORK/root
	linux_root "$guest"
	mkdir -p "$guest/root/bareprof-linux"
	cp "$HOME/bareprof-linux/bareprof.ko" "$guest/root/bareprof-linux/" &&
		cp "$folder/driver/greeter.ko" "$guest/test/" || return 1
	# A later step builds the driver again, for a machine profile.
	[ -e "$WORK/greeter.ko" ] || cp "$folder/driver/greeter.ko" "$WORK/"
	{
		echo 'export HOME=/root && set -e'
		cat "$1"
		echo 'cp *.*raw /out'
	} >"$guest/test/run"
	linux_initramfs "$guest" "$WORK/initramfs" &&
		linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$WORK/out" &&
		cp "$WORK"/out/*.*raw "$folder/driver/"
}

examples ports/linux/README.md "$WORK/page"
while read -r number kind line place rest; do
	[ "$place" = driver ] || continue
	mkdir -p "$folder/$place"
	case $kind in
	file) save "$number" "$place/$rest" ;;
	run)
		said=$steps/$number.out
		check "$document:$line: works: $(head -n 1 "$steps/$number.run")" in_folder "$folder/$place" "$steps/$number.run"
		;;
	show) check "$document:$line: the driver is loaded, works and is read" load "$steps/$number.show" ;;
	esac
done <"$steps/list"

check "the machine profile says that greet() ran" sh -c "'$BAREPROF' mip show --function='^greet$' '$folder/driver/greeter.mip' | grep -q '^  Ran: yes'"
report=$("$BAREPROF" report "$WORK/greeter.ko" "$folder/driver/greeter.profraw")
check "the report is about greeter.c" sh -c "echo '$report' | grep -q 'greeter\.c'"
check "greet() ran once" sh -c "
	llvm-profdata-22 merge '$folder/driver/greeter.profraw' -o '$WORK/greeter.profdata' &&
	llvm-cov-22 export --format=lcov '$WORK/greeter.ko' -instr-profile '$WORK/greeter.profdata' | grep -q '^FNDA:1,greeter.c:greet$'"
check "the HTML report is written" test -s "$folder/driver/html/index.html"
