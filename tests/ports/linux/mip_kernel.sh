#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_kernel.sh: tests machine profiles of whole kernels (x86_64), compiled by gcc and by clang. For each compiler:
#
#	- A kernel with the mode "coverage" must build without new warnings, in little more CPU time than without. All
#	  out-of-line functions of its objects must be in the map. It must boot and pass KUnit. After a reset, the
#	  functions that ran must be those that the kernel's own function profiler saw.
#	- A small kernel with the mode "calls" must boot. With gcc it has KASAN, which must be silent.
#
# The script prints the costs. LINUX_COMPILERS can name one of the compilers.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/linux/tree_lib.sh

unset BAREPROF_MIP MAKEFLAGS MAKEOVERRIDES
# CPU times are compared, so no compiler cache is used.
COMPILER_CACHE=
functions=tests/ports/linux/mip_functions.py
export BAREPROF_PROGRAM="$BAREPROF"
PROFILER="FTRACE=y FUNCTION_TRACER=y FUNCTION_PROFILER=y"
SMALL="64BIT=y SMP=y NR_CPUS=2 PRINTK=y TTY=y BLK_DEV_INITRD=y BINFMT_ELF=y BINFMT_SCRIPT=y PROC_FS=y SYSFS=y
	DEVTMPFS=y TMPFS=y SHMEM=y DEBUG_FS=y DEBUG_KERNEL=y MULTIUSER=y FUTEX=y EPOLL=y SERIAL_8250=y
	SERIAL_8250_CONSOLE=y UNWINDER_ORC=y RELOCATABLE=y RANDOMIZE_BASE=y RUNTIME_TESTING_MENU=y KUNIT=y KUNIT_TEST=y
	PANIC_ON_OOPS=y"
OURS="BAREPROF=y BAREPROF_PROFILE_ALL=y BAREPROF_NO_COUNTERS=y"

linux_source "$WORK/linux" || exit
PLAIN=$LINUX_TREE
cp -al "$PLAIN" "$WORK/installed"
INSTALLED=$WORK/installed
check "install.sh works" sh ports/linux/install.sh "$INSTALLED"

guest=$WORK/root
linux_root "$guest"
cp tests/ports/linux/mip_guest.sh "$guest/test/run"
linux_initramfs "$guest" "$WORK/initramfs"

# shown ELF RAW JSON: makes the machine profile of RAW, and prints it as JSON.
shown() { "$BAREPROF" mip merge --elf "$1" "$2" -o "$3.mip" && "$BAREPROF" mip show --json "$3.mip" >"$3"; }
# total JSON KEY: prints a number of the totals.
total() { sed -n "s/^    \"$2\": \([0-9]*\),*$/\1/p" "$1" | head -n 1; }
row() { printf '    %-52s %s\n' "$@"; }

# built OUT WHAT: builds the kernel in OUT and stores the CPU time and the warnings of vmlinux.
built() {
	timed "$1.cpu" linux_make "$1" vmlinux && warnings "$1" && linux_make "$1" bzImage
}
boots() {
	OUT=$1.out
	check "$2: boots, and the kernel does not complain" linux_boot "$1/arch/x86/boot/bzImage" "$WORK/initramfs" "$OUT"
}

for compiler in ${LINUX_COMPILERS:-gcc clang}; do
	LINUX_LLVM=
	cpu_max=1.15
	[ $compiler = gcc ] || { LINUX_LLVM=19 && cpu_max=1.35; }
	base=$WORK/$compiler-base
	coverage=$WORK/$compiler-coverage
	calls=$WORK/$compiler-calls
	LINUX_TREE=$PLAIN
	# shellcheck disable=SC2086
	check "$compiler: a kernel without bareprof is configured" linux_config "$base" $LINUX_X86 $PROFILER
	LINUX_TREE=$INSTALLED
	# shellcheck disable=SC2086
	check "$compiler: a kernel with coverage is configured" linux_config "$coverage" $LINUX_X86 $PROFILER $OURS BAREPROF_MACHINE_COVERAGE=y
	# Both kernels are built at the same time, so that other work on this machine slows down both builds.
	(LINUX_TREE=$PLAIN && built "$base") >"$base.said" 2>&1 &
	check "$compiler: a kernel with coverage builds" built "$coverage"
	check "$compiler: a kernel without bareprof builds" wait $!
	cat "$base.said"
	check "$compiler: there are no additional warnings" not sh -c "grep . '$coverage.warnings' | grep -vxF -f '$base.warnings'"
	ratio=$(awk -v a="$(cat "$base.cpu")" -v b="$(cat "$coverage.cpu")" 'BEGIN { printf "%.3f", a ? b / a : 99 }')
	check "$compiler: CPU time to build: $ratio of that without bareprof" awk -v r="$ratio" -v max=$cpu_max 'BEGIN { exit !(r > 0.5 && r <= max) }'
	check "$compiler: each out-of-line function is in a map" python3 $functions objects "$coverage"
	cp "$WORK/check.log" "$coverage.functions"
	check "$compiler: a function takes at most 8.5 bytes" python3 $functions costs "$coverage" "$base" 1 8.5
	cp "$WORK/check.log" "$coverage.costs"

	boots "$base" "$compiler, without bareprof"
	before=$(kunit)
	boots "$coverage" "$compiler, coverage"
	check "$compiler, coverage: KUnit: $(kunit), as without bareprof" test "$(kunit)" = "$before"
	check "$compiler, coverage: KUnit passes" kunit_passed
	check "$compiler, coverage: the build id of info is that of vmlinux" sh -c "readelf -n '$coverage/vmlinux' | grep -q '$(says info 'build id')'"
	check "$compiler, coverage: the machine profile of the boot" shown "$coverage/vmlinux" "$OUT/boot.mipraw" "$OUT/boot.json"
	check "$compiler, coverage: $(total "$OUT/boot.json" functions_run) functions of $(total "$OUT/boot.json" functions) ran" \
		test "$(total "$OUT/boot.json" functions_run)" -gt 3000
	check "$compiler, coverage: the capture of the boot" shown "$coverage/vmlinux" "$OUT/boot.capture" "$OUT/capture.json"
	check "$compiler, coverage: after a reset, the functions that ran are those of the function profiler" sh -c "
		'$BAREPROF' mip merge --elf '$coverage/vmlinux' '$OUT/work.mipraw' -o '$OUT/work.mip' &&
		'$BAREPROF' mip show --json '$OUT/work.mip' >'$OUT/work.json' &&
		python3 $functions ftrace '$OUT/work.json' '$coverage/vmlinux' '$OUT/hits0' '$OUT/hits1'"
	cp "$WORK/check.log" "$coverage.ftrace"

	kasan=
	[ $compiler = clang ] || kasan="KASAN=y KASAN_OUTLINE=y"
	# shellcheck disable=SC2086
	check "$compiler: a small kernel with calls is configured" linux_config "$calls" $SMALL $kasan $OURS BAREPROF_MACHINE_CALLS=y
	check "$compiler: it builds" built "$calls"
	check "$compiler, calls: each out-of-line function is in a map" python3 $functions objects "$calls"
	boots "$calls" "$compiler, calls"
	check "$compiler, calls: the machine profile of the boot" shown "$calls/vmlinux" "$OUT/boot.mipraw" "$OUT/boot.json"
	check "$compiler, calls: start_kernel() ran once" sh -c "'$BAREPROF' mip show --function='^start_kernel$' '$OUT/boot.json.mip' | grep -q 'Call Count: 1$'"
	check "$compiler, calls: the first functions: $("$BAREPROF" mip show --sort order --top 3 "$OUT/boot.json.mip" | grep -x '[a-z_0-9]*' | tr '\n' ' ')" \
		sh -c "'$BAREPROF' mip show --sort order --top 30 '$OUT/boot.json.mip' | grep -qx start_kernel"

	sed 's/^/    /' "$coverage.functions" "$coverage.costs" "$coverage.ftrace"
	row "$compiler: CPU s to build, without and with coverage" "$(cat "$base.cpu") $(cat "$coverage.cpu")"
	row "$compiler: .mipraw, capture, bytes" "$(size "$coverage.out/boot.mipraw") $(size "$coverage.out/boot.capture")"
	# -O2 instead of -Os, for some folders.
	for kernel in "$base" "$coverage"; do
		LINUX_TREE=$INSTALLED
		[ "$kernel" = "$coverage" ] || LINUX_TREE=$PLAIN
		check "$compiler: lib and mm build with -O2" linux_make "$kernel" KCFLAGS=-O2 lib/ mm/
	done
	python3 $functions costs "$coverage" "$base" 1 9 lib mm | sed 's/^/    -O2: /'
done
