#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# driver.sh: runs the commands in the chapter about drivers in ports/linux/README.md literally. The modules are loaded
# in one guest with Debian's own kernel. Therefore all commands `make` come first, and the driver with a machine
# profile has a folder of its own.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh

unset BAREPROF_KIND MAKEFLAGS MAKEOVERRIDES
linux_stock || exit
export HOME="$WORK/home"
export KDIR="$LINUX_HEADERS"
mkdir -p "$HOME"
ln -s "$ROOT" "$HOME/bareprof"

# load: runs the examples that load the driver in a guest. The folder in the guest is /test, and the home folder is
# /root. Each driver's profile is copied back to the folder of the driver.
load() {
	guest=$WORK/root
	linux_root "$guest"
	mkdir -p "$guest/root/bareprof-linux"
	cp "$HOME/bareprof-linux/bareprof.ko" "$guest/root/bareprof-linux/" || return
	echo 'export HOME=/root && set -e' >"$guest/test/run"
	for name in $loads; do
		mkdir "$guest/test/$name" && cp "$folder/$name/greeter.ko" "$guest/test/$name/" || return
		{
			echo "cd /test/$name"
			cat "$WORK/$name.show"
			printf '%s\n' 'cp *.*raw /out' 'rmmod greeter bareprof'
		} >>"$guest/test/run"
	done
	linux_initramfs "$guest" "$WORK/initramfs" && linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$WORK/out" || return
	for name in $loads; do cp "$WORK/out"/*.*raw "$folder/$name/" || return; done
}

examples ports/linux/README.md "$WORK/page"
loads=
for turn in make load read; do
	in=driver
	while read -r number kind line place rest; do
		[ "$place" = driver ] || continue
		if [ "$kind" = show ]; then
			[ $turn != make ] || { cp "$steps/$number.show" "$WORK/$in.show" && loads="$loads $in"; }
			continue
		fi
		if [ "$kind" = run ] && grep -q '^make BAREPROF_KIND=mip$' "$steps/$number.run"; then
			in=driver-mip
			[ $turn != make ] || cp -R "$folder/driver" "$folder/$in"
		fi
		mkdir -p "$folder/$in"
		[ "$kind" = file ] && [ $turn = make ] && save "$number" "$in/$rest"
		[ "$kind" = run ] || continue
		head=$(head -n 1 "$steps/$number.run")
		case $head in make*) now=make ;; *) now=read ;; esac
		[ $turn = $now ] || continue
		said=$steps/$number.out
		case $head in
		*drop-in-linux*) check "$document:$line: works: $head" linux_core "$steps/$number.run" ;;
		*) check "$document:$line: works: $head" in_folder "$folder/$in" "$steps/$number.run" ;;
		esac
	done <"$steps/list"
	[ $turn != load ] || check "$document: the drivers are loaded, work and are read" load
done

check "the machine profile says that greet() ran" sh -c "'$BAREPROF' mip show --function='^greet$' '$folder/driver-mip/greeter.mip' | grep -q '^  Ran: yes'"
report=$("$BAREPROF" report "$folder/driver/greeter.ko" "$folder/driver/greeter.profraw")
check "the report is about greeter.c" sh -c "echo '$report' | grep -q 'greeter\.c'"
check "greet() ran once" sh -c "
	llvm-profdata-22 merge '$folder/driver/greeter.profraw' -o '$WORK/greeter.profdata' &&
	llvm-cov-22 export --format=lcov '$folder/driver/greeter.ko' -instr-profile '$WORK/greeter.profdata' | grep -q '^FNDA:1,greeter.c:greet$'"
check "the HTML report is written" test -s "$folder/driver/html/index.html"
