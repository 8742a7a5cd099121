#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_modules.sh: tests machine profiles of modules on the stock kernel of Debian. gcc and clang compile the modules,
# GNU ld and lld link them. A guest loads, unloads and resets them, and reads their profiles from debugfs.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh

linux_stock || exit
PORT=$WORK/port
GUEST=$WORK/root
# In makefiles of modules, BAREPROF=n means a build without bareprof, so the path of the program is not exported.
program=$BAREPROF
unset BAREPROF BAREPROF_KIND BAREPROF_MIP MAKEFLAGS MAKEOVERRIDES
BAREPROF=$program
linux_root "$GUEST"

check "the port is made as a folder" make -s drop-in-linux DIR="$PORT"
check "bareprof.ko builds, without a warning with W=1" make -s -C "$PORT" W=1 KCFLAGS=-Werror KDIR="$LINUX_HEADERS"
cp "$PORT/bareprof.ko" "$GUEST/test"

# modules FOLDER WORD...: builds the modules in their own FOLDER, and copies them to the guest.
modules() {
	modules_at=$WORK/$1
	cp -R tests/ports/linux/modules "$modules_at"
	mkdir -p "$GUEST/test/$1"
	shift
	make -s -C "$modules_at" PORT="$PORT" KDIR="$LINUX_HEADERS" MODULES="shapes single" BAREPROF_PROGRAM="$BAREPROF" "$@" >"$modules_at/log" 2>&1 &&
		! grep -i warning "$modules_at/log" | grep -v ': unexpected non-allocatable section\.$' &&
		cp "$modules_at/shapes.ko" "$modules_at/single.ko" "$GUEST/test/${modules_at##*/}"
}
check "coverage: modules build with gcc" modules coverage BAREPROF_KIND=mip
check "calls: modules build with gcc" modules calls BAREPROF_KIND=mip BAREPROF_MIP="--mode calls"
check "clang: modules build with clang-22 and lld" modules clang LLVM=-22 BAREPROF_KIND=mip BAREPROF_MIP="--mode calls"
check "both: modules build with clang-19, GNU ld, and counters too" modules both CC=clang-19 BAREPROF_KIND="coverage mip"
check "one file is left out" modules part BAREPROF_KIND=mip GCOV_PROFILE_shapes_area.o=n
# clang gives the init function the name of its alias.
real_names="s,^init_module,start,; s,^shapes_start,start,; s,^single_start,start,"
refuses_mode() {
	! make -s -C "$WORK/part" PORT="$PORT" KDIR="$LINUX_HEADERS" BAREPROF_KIND=mip BAREPROF_MIP="$1" >"$WORK/mode.log" 2>&1 &&
		grep -q 'BAREPROF_MIP is ".*", but in Linux the mode can only be coverage or calls' "$WORK/mode.log"
}
check "the mode blocks is refused" refuses_mode "--mode blocks"
check "samples are refused" refuses_mode "--mode calls,sample=64"
compiler() { readelf -p .comment "$WORK/$1/shapes.ko" | grep -q "$2"; }
check "gcc compiled the first modules" compiler coverage GCC
check "clang compiled the others" compiler clang 'clang version 22'
functions() { "$BAREPROF" mip show --json "$WORK/$1/$2.ko" | sed -n 's/.*"name": "\([a-z_]*\)".*/\1/p' | sed "$real_names" | LC_ALL=C sort | tr '\n' ' '; }
for build in coverage calls clang both; do
	check "$build: the map has: $(functions $build shapes)" test "$(functions $build shapes)" = "area nobody_calls start work "
done
check "the map of the other file only: $(functions part shapes)" test "$(functions part shapes)" = "start work "

cat >"$GUEST/test/run" <<'END_OF_RUN'
b=/sys/kernel/debug/bareprof
set -e
work() { module=$1; shift; for n; do echo "$n" >/sys/module/$module/parameters/work; done; }
save() { cat $b/$1/mipraw >/out/$2.mipraw; cat $b/$1/capture >/out/$2.capture; cat $b/$1/info >/out/$2.info; }
reset() { echo 1 >$b/$1/reset; }
insmod bareprof.ko
for build in coverage calls clang both; do
	insmod $build/shapes.ko
	insmod $build/single.ko
	save shapes $build-loaded
	work shapes 4 0
	save shapes $build-worked
	if test $build = both; then
		cat $b/shapes/profraw >/out/both.profraw
	elif cat $b/shapes/profraw 2>/out/no-profraw; then
		false
	fi
	exec 3<$b/shapes/mipraw 4<$b/shapes/capture
	dd bs=10 count=1 <&3 >/out/piece
	dd bs=10 count=1 <&4 >/out/stale-first
	reset shapes
	save shapes $build-reset
	dd bs=100000 <&3 >>/out/piece
	cmp /out/piece /out/$build-worked.mipraw
	if cat <&4 >/out/stale 2>/out/stale-error; then false; fi
	grep -q 'Stale file' /out/stale-error
	exec 3<&- 4<&-
	work shapes 4 0
	rmmod shapes
	save shapes $build-gone
	insmod $build/shapes.ko
	work shapes 1
	save shapes $build-again
	rmmod shapes
	# busybox tries to load the module twice.
	rmmod single
	reset single
	if insmod $build/single.ko fail=1; then false; fi
	save single $build-failed
	reset single
	# The other build of the next turn replaces this profile.
done
insmod coverage/shapes.ko
save shapes other
rmmod shapes
reset shapes
for i in 1 2 3 4 5 6 7 8 9 10; do
	test -e $b/shapes || break
	sleep 0.1
done
test ! -e $b/shapes
insmod part/shapes.ko
rmmod shapes
rmmod bareprof
dmesg >/out/dmesg
END_OF_RUN
linux_initramfs "$GUEST" "$WORK/initramfs"
OUT=$WORK/out
check "the modules are loaded and read, and the kernel does not complain" linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$OUT"

# says BUILD WHAT EXPECTED: merges the raw profile and the capture that the guest saved as BUILD-WHAT. Both must give
# the functions that ran, or in the mode "calls" the functions with their calls.
says() {
	for suffix in mipraw capture; do
		"$BAREPROF" mip merge --elf "$WORK/$1/$4.ko" "$OUT/$1-$2.$suffix" -o "$OUT/$1-$2.$suffix.mip" || return
		got=$("$BAREPROF" mip show "$OUT/$1-$2.$suffix.mip" | awk '
			/^[a-z_]+$/ { name = $1 }
			/^  Ran: yes/ { ran[name] = 1 }
			/^  Call Count:/ && $3 { ran[name] = $3 }
			END { for (name in ran) print name "=" ran[name] }' | sed "$real_names" | LC_ALL=C sort | tr '\n' ' ')
		[ "$got" = "$3" ] || {
			echo "$suffix: $got"
			return 1
		}
	done
}
for build in coverage calls clang both; do
	case $build in
	coverage | both)
		loaded="area=1 start=1 "
		worked="area=1 start=1 work=1 "
		reset="area=1 work=1 "
		again="area=1 start=1 work=1 "
		failed="start=1 "
		;;
	*)
		loaded="area=3 start=1 "
		worked="area=7 start=1 work=2 "
		reset="area=4 work=2 "
		again="area=8 start=1 work=3 "
		failed="start=2 "
		;;
	esac
	check "$build: after the load: $loaded" says $build loaded "$loaded" shapes
	check "$build: after work: $worked" says $build worked "$worked" shapes
	check "$build: report names the source files" sh -c "'$BAREPROF' mip report '$WORK/$build/shapes.ko' '$OUT/$build-worked.mipraw.mip' |
		grep -Eq '^shapes_main\.c +2 +2 '"
	check "$build: after a reset: nothing" says $build reset "" shapes
	check "$build: unloaded: $reset" says $build gone "$reset" shapes
	check "$build: loaded again, the profile continues: $again" says $build again "$again" shapes
	check "$build: the init function failed: $failed" says $build failed "$failed" single
done
order() { "$BAREPROF" mip show --sort order "$OUT/$1.mipraw.mip" | grep -x '[a-z_][a-z_]*' | sed "$real_names" | head -n 3 | tr '\n' ' '; }
check "orders of two loads: $(order calls-again)" test "$(order calls-again)" = "work area start "
refuses "the raw profile of another build" 'build id' "$BAREPROF" mip merge --elf "$WORK/calls/shapes.ko" "$OUT/clang-worked.mipraw" -o "$WORK/none.mip"
info() { sed -n "s/^$2: //p" "$OUT/$1.info"; }
check "info: coverage" test "$(info coverage-worked 'machine profile'), $(info coverage-worked 'recording functions')" = "coverage, 4"
check "info: calls" test "$(info calls-worked 'machine profile'), $(info calls-worked state)" = "calls, live"
check "info: the size" test "$(info calls-worked 'mipraw bytes')" = "$(stat -c %s "$OUT/calls-worked.mipraw")"
check "info: unloaded" test "$(info calls-gone state)" = gone
check "info: with counters" test "$(info both-worked kind), $(info both-worked 'machine profile')" = "coverage, coverage"
check "the build id is that of the module" sh -c "readelf -n '$WORK/calls/shapes.ko' | grep -q 'Build ID: $(info calls-worked 'build id')'"
check "without counters, profraw has no data" grep -q 'No data available' "$OUT/no-profraw"
check "another build replaces the profile, and the log says so" grep -q 'bareprof: shapes: the machine profile of an earlier load was dropped: it is of another build' "$OUT/dmesg"
check "counters count beside the machine profile" sh -c "llvm-profdata-19 show --counts --function=area '$OUT/both.profraw' | grep -q 'Function count: 7'"
check "pull makes the raw profile of the counters from the same capture" sh -c "'$BAREPROF' pull --elf '$WORK/both/shapes.ko' '$OUT/both-worked.capture' -o '$WORK/both.pulled' &&
	llvm-profdata-19 show --counts --function=area '$WORK/both.pulled' | grep -q 'Function count: 7'"
