# SPDX-License-Identifier: BSD-2-Clause
# tree_lib.sh - unpacks and builds the source of Linux, for tests that build kernels. Scripts source it after
# tests/lib.sh. It has these functions:
#
#	linux_source DIR [EXCLUDE...]  unpacks the source to DIR, without files that match a pattern
#	linux_config OUT WORD...       configures $LINUX_TREE in OUT with tinyconfig and options NAME=value
#	linux_make OUT WORD...         runs make in OUT, with clang $LINUX_LLVM, or gcc if it is empty; prints errors
#
# Other small functions examine the files that a guest wrote and that were copied to $OUT.
# shellcheck shell=sh

LINUX_LLVM=19
# An argument for make: empty, or ARCH=arm64.
LINUX_ARCH=

linux_source() {
	tarball=$(ls /usr/src/linux-source-*.tar.xz 2>/dev/null | sort -V | head -n 1)
	if [ -z "$tarball" ]; then
		not_ok "the source of Linux is missing (/usr/src/linux-source-*.tar.xz): run make deps"
		return 1
	fi
	LINUX_TREE=$1
	shift
	rm -rf "$LINUX_TREE"
	mkdir -p "$LINUX_TREE"
	for pattern; do set -- "$@" --exclude="$pattern" && shift; done
	tar -x -f "$tarball" -C "$LINUX_TREE" --strip-components=1 "$@"
}

# Each make tests some hundred options of the compiler. ccache also stores the results of these tests (tests/path.sh).
linux_make() {
	out=$1
	shift
	linux_cc=gcc
	[ -z "$LINUX_LLVM" ] || linux_cc=clang-$LINUX_LLVM
	# shellcheck disable=SC2086
	env -u MAKEFLAGS -u MAKEOVERRIDES make -s -j2 -C "$LINUX_TREE" O="$out" ${LINUX_LLVM:+"LLVM=-$LINUX_LLVM"} \
		CC="${COMPILER_CACHE:+$COMPILER_CACHE }$linux_cc" $LINUX_ARCH "$@" >"$out.log" 2>&1 && return
	tail -n 20 "$out.log"
	return 1
}

# It is an error if an option does not have its requested value in the final configuration.
linux_config() {
	out=$1
	shift
	mkdir -p "$out"
	printf 'CONFIG_%s\n' "$@" >"$out.options"
	linux_make "$out" KCONFIG_ALLCONFIG="$out.options" tinyconfig || return
	missing=$(sed '/=n$/s/\(.*\)=n/# \1 is not set/' "$out.options" | grep -vxF -f "$out/.config")
	[ -z "$missing" ] || {
		echo "the configuration lacks: $missing"
		return 1
	}
}

# The options of small kernels with the usual features: several CPUs, PCI, disks, file systems, modules, KUnit with
# all its tests, and a random load address. LINUX_LOCKDEP is for a kernel that checks its locks.
LINUX_COMMON="SMP=y PRINTK=y TTY=y PCI=y BLK_DEV_INITRD=y BINFMT_ELF=y BINFMT_SCRIPT=y PROC_FS=y SYSFS=y
	DEVTMPFS=y TMPFS=y SHMEM=y DEBUG_FS=y DEBUG_KERNEL=y MULTIUSER=y FUTEX=y EPOLL=y
	BLOCK=y BLK_DEV=y BLK_DEV_NVME=y BLK_DEV_RAM=y EXT2_FS=y MISC_FILESYSTEMS=y MINIX_FS=m MODULES=y MODULE_UNLOAD=y
	RUNTIME_TESTING_MENU=y KUNIT=y KUNIT_ALL_TESTS=y KUNIT_DEFAULT_ENABLED=y
	PANIC_ON_OOPS=y RELOCATABLE=y RANDOMIZE_BASE=y"
LINUX_X86="64BIT=y NR_CPUS=2 ACPI=y SERIAL_8250=y SERIAL_8250_CONSOLE=y UNWINDER_ORC=y $LINUX_COMMON"
LINUX_ARM64="PCI_HOST_GENERIC=y SERIAL_AMBA_PL011=y SERIAL_AMBA_PL011_CONSOLE=y $LINUX_COMMON"
LINUX_LOCKDEP="PROVE_LOCKING=y"

# timed FILE COMMAND...: runs COMMAND, and writes its CPU time in seconds to FILE.
timed() {
	file=$1
	shift
	("$@" && times >"$file.times") || return
	awk -F '[ms ]' 'NR == 2 { printf "%.0f\n", $1 * 60 + $2 + $4 * 60 + $5 }' "$file.times" >"$file"
}
not() { ! "$@"; }
size() { stat -c %s "$1"; }
# warnings OUT: stores the warnings of the last make in OUT.warnings, without the offsets in functions.
warnings() { grep -a 'warning:' "$1.log" | sed 's/+0x[0-9a-f]*//' | sort -u >"$1.warnings"; }
# kunit: prints the number of results on the console.
#
# kunit_passed: succeeds if no test failed and more than 200 tests ran.
kunit() { echo "$(grep -caE '^ *ok [0-9]+ ' "$OUT/console.log") ok, $(grep -caE '^ *not ok [0-9]+ ' "$OUT/console.log") not ok"; }
kunit_passed() { [ "$(kunit | sed 's/.*, //')" = "0 not ok" ] && [ "$(kunit | sed 's/ .*//')" -gt 200 ]; }
# says INFO KEY: prints the value of KEY in the file INFO.
says() { sed -n "s/^$2: //p" "$OUT/$1"; }
# reported ELF PROFRAW [OPTION]: succeeds if LLVM reads the profile and llvm-cov makes a report. It stores two numbers
# from the total of the report in PROFRAW.total: the number of functions, and the number of functions that did not run.
reported() {
	"llvm-profdata-$LINUX_LLVM" merge "$OUT/$2" -o "$OUT/$2.profdata" &&
		"llvm-cov-$LINUX_LLVM" report $3 "$1" -instr-profile="$OUT/$2.profdata" >"$OUT/$2.report" 2>"$OUT/$2.err" &&
		awk '/^TOTAL/ { print $5, $6 }' "$OUT/$2.report" >"$OUT/$2.total" && [ -s "$OUT/$2.total" ]
}
functions() { cut -d ' ' -f 1 "$OUT/$1.total"; }
ran() { awk '{ print $1 - $2 }' "$OUT/$1.total"; }
# count FUNCTION PROFRAW: prints the number of times that FUNCTION was entered.
count() {
	"llvm-profdata-$LINUX_LLVM" show --function="$1" "$OUT/$2.profdata" | awk -v name="$1" '
		/^  [^ ].*:$/ { this = $1; sub(/:$/, "", this); sub(/.*:/, "", this) }
		this == name && /Function count:/ { print $3 }'
}
