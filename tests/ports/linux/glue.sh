#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# glue.sh: tests ports/linux/module.mk in makefiles of modules. It checks which objects module.mk instruments, that
# builds without coverage do not change, and which mistakes module.mk reports. modules/test.sh runs such modules.
. "$(dirname "$0")/../../lib.sh"

HEADERS=$(ls -d /usr/src/linux-headers-*-cloud-* 2>/dev/null | sort -V | tail -n 1)
NEW=22
PORT=$WORK/port
OURS=$WORK/driver
unset BAREPROF MAKEFLAGS MAKEOVERRIDES
check "headers of Linux are installed" test -n "$HEADERS"
check "the port is made as a folder" make -s drop-in-linux DIR="$PORT"

# Makes a driver that uses more features of Kbuild. It has an object in a subfolder, compiler flags of its own, and the
# module theirs.ko, which is not instrumented, like code that other people maintain. The module named.ko has a single
# source, which has flags of its own and uses the module's name.
mkdir -p "$OURS/deep"
cat >"$OURS/Makefile" <<'END_OF_MAKEFILE'
ifneq ($(KERNELRELEASE),)
obj-m := parts.o named.o theirs.o
parts-objs := first.o deep/second.o
parts-y += third.o
ccflags-y := -DEVERYWHERE=1
CFLAGS_named.o := -DOWN='"own"'
CFLAGS_deep/second.o := -DSECOND=2
BAREPROF_MODULES ?= parts.o named.o
else
all clean:
	$(MAKE) -C $(KDIR) M=$(CURDIR) $(if $(filter clean,$@),clean,modules)
endif
include $(PORT)/module.mk
END_OF_MAKEFILE
END='MODULE_DESCRIPTION("A test of bareprof"); MODULE_LICENSE("Dual BSD/GPL");'
printf '%s\n' '#include <linux/module.h>' 'int second(void); int third(void); int first(void);' \
	'int first(void) { return second() + third() + EVERYWHERE; }' "$END" >"$OURS/first.c"
printf '%s\n' 'int second(void); int second(void) { return SECOND; }' >"$OURS/deep/second.c"
printf '%s\n' 'int third(void); int third(void) { return EVERYWHERE; }' >"$OURS/third.c"
printf '%s\n' '#include <linux/module.h>' 'extern const char named[];' \
	'const char named[] = "named: " KBUILD_MODNAME " " KBUILD_BASENAME " " OWN; int f(void); int f(void) { return EVERYWHERE; }' \
	"$END" >"$OURS/named.c"
printf '%s\n' '#include <linux/module.h>' 'int theirs(void); int theirs(void) { return 1; }' "$END" >"$OURS/theirs.c"

# driver WORD...: builds the driver; the WORDs are arguments of make. The output goes to make.log.
driver() { make -C "$OURS" PORT="$PORT" KDIR="$HEADERS" "$@" >"$WORK/make.log" 2>&1 || { tail -n 20 "$WORK/make.log" && false; }; }
# stops WHAT SENTENCE WORD...: the build must fail with a message that matches SENTENCE.
stops() {
	what=$1
	sentence=$2
	shift 2
	if driver "$@" >/dev/null || ! grep -Eq "$sentence" "$WORK/make.log"; then
		not_ok "stops: $what"
		sed 's/^/    /' "$WORK/make.log"
	else
		ok "stops: $what"
	fi
}
# counting: prints the objects and modules that have counters.
counting() {
	(cd "$OURS" && for object in $(find . -name '*.o' -o -name '*.ko' | sed 's,^\./,,' | LC_ALL=C sort); do
		"llvm-readelf-$NEW" -SW "$object" | grep -q ' __llvm_prf_cnts .* 0000[0-9a-f]*[1-9a-f]0* 00 ' && printf '%s ' "$object"
	done)
}
counts() { test "$(counting)" = "$1" || { echo "counting: $(counting)" && false; }; }
ALL="deep/second.o first.o named-instrumented.o named.ko named.o parts.ko parts.o third.o "

stops "the core is not built" "^bareprof: $PORT/Module.symvers is missing: run make -C $PORT first$"
check "bareprof.ko builds, without a warning with W=1" make -s -C "$PORT" W=1 KCFLAGS=-Werror KDIR="$HEADERS"
stops "gcc" 'bareprof: gcc is not clang, .*: install clang, name it with CC=clang-19, or build without bareprof \(BAREPROF=n\)\.' CC=gcc
stops "a compiler that does not exist" 'bareprof: clang-99 is not clang' LLVM=-99
stops "a module that does not exist" 'BAREPROF_MODULES contains part\.o, which is not in obj-m' BAREPROF_MODULES="parts.o part.o"
stops "a kind that does not exist" 'BAREPROF_KIND is "lines"; it can be' BAREPROF_KIND=lines

check "a driver builds with the newest clang" driver
check "these count: $ALL" counts "$ALL"
check "each instrumented module has a unit" sh -c "test \$(llvm-nm-$NEW '$OURS/parts.ko' '$OURS/named.ko' '$OURS/theirs.ko' | grep -c ' __param_bareprof$') = 2"
check "a module of several objects has each section once" sh -c "
	for section in data cnts bits names vals vnds; do
		test \$(llvm-readelf-$NEW -SW '$OURS/parts.ko' | grep -c \" __llvm_prf_\$section  *PROGBITS .* A*[WA][AR]* \") = 1 || exit
	done"
# bound NAME: prints the value of the symbol NAME in parts.ko.
bound() { "llvm-nm-$NEW" "$OURS/parts.ko" | sed -n "s/^\([0-9a-f]*\) . $1$/\1/p"; }
for section in data cnts names; do
	check "the bounds of $section are those of its section" test "$((0x$(bound __stop___llvm_prf_$section) - 0x$(bound __start___llvm_prf_$section)))" = \
		"$((0x$("llvm-readelf-$NEW" -SW "$OURS/parts.ko" | sed -n "s/.* __llvm_prf_$section *PROGBITS *[^ ]* *[^ ]* *\([^ ]*\) .*/\1/p")))"
done
check "a module with one source keeps its name and its flags" grep -q 'named: named named own' "$OURS/named.ko"
check "its functions can be traced" sh -c "llvm-readelf-$NEW -SW '$OURS/named.ko' | grep -q ' __mcount_loc '"
check "unused functions in headers have no records" sh -c "! grep -aq list_del '$OURS/parts.ko' && ! strings '$OURS/first.o' | grep -q kmalloc"
check "a second build works" driver
check "it compiles nothing" sh -c "! grep -E '^ +(CC|LD) ' '$WORK/make.log'"
check "a build with another kind works" driver BAREPROF_KIND=irpgo
check "it compiles exactly what counts" test \
	"$(sed -n "s,^ *CC \[M\] *$OURS/,,p" "$WORK/make.log" | LC_ALL=C sort | tr '\n' ' ')" = "deep/second.o first.o named-instrumented.o third.o "
check "files are left out with gcov's variables" driver GCOV_PROFILE_third.o=n GCOV_PROFILE_named.o=n
check "exactly the other files count" counts "deep/second.o first.o parts.ko parts.o "
check "one file is selected with gcov's variables" driver GCOV_PROFILE=n GCOV_PROFILE_second.o=y
check "only this file counts" counts "deep/second.o parts.ko parts.o "
check "all modules are selected" driver BAREPROF_MODULES="parts.o named.o theirs.o"
check "all modules count" counts "${ALL%third.o }theirs-instrumented.o theirs.ko theirs.o third.o "

# If the kernel's make is called directly, the error must name the arguments to add.
check "clean works" driver clean
check "only sources are left: $(cd "$OURS" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" test \
	"$(cd "$OURS" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" = "./Makefile ./deep/second.c ./first.c ./named.c ./theirs.c ./third.c "
make -C "$HEADERS" M="$OURS" PORT="$PORT" >"$WORK/direct.log" 2>&1
check "without these arguments the build stops" grep -q '\*\*\* bareprof: the kernel.s makefiles are set up for gcc (CC is .*gcc.*), .*add to the command line: CC=' "$WORK/direct.log"
words=$(sed -n 's/.*add to the command line: \(.*\)\.  Stop\.$/\1/p' "$WORK/direct.log")
check "with them it works" sh -c "make -C '$HEADERS' M='$OURS' PORT='$PORT' $words"
check "the same files count" counts "$ALL"

# The arguments for the kernel's make depend on the compiler of the kernel. The makefile that this test writes only
# prints these arguments.
TOLD=$WORK/kernel
mkdir -p "$TOLD/include/config"
echo 'modules:; @echo "told: CC=$(CC) LLVM=$(LLVM) CONFIG_CC_IS_CLANG=$(CONFIG_CC_IS_CLANG)' \
	'$(CONFIG_FTRACE_MCOUNT_USE_RECORDMCOUNT)"' >"$TOLD/Makefile"
# told WHAT CONFIGURATION WANT WORD...: calls make with the arguments WORD, for a kernel with this CONFIGURATION.
# module.mk must pass the arguments WANT to the kernel's make.
told() {
	what=$1
	# shellcheck disable=SC2086
	printf '%s\n' $2 >"$TOLD/include/config/auto.conf"
	want="told: $3"
	shift 3
	make -s -C "$OURS" PORT="$PORT" KDIR="$TOLD" "$@" >"$WORK/make.log" 2>&1
	check "arguments: $what: $(cat "$WORK/make.log")" test "$(cat "$WORK/make.log")" = "$want"
}
told "gcc" "CONFIG_CC_IS_GCC=y" "CC=clang-$NEW LLVM= CONFIG_CC_IS_CLANG=y "
told "gcc that lists functions for tracing" "CONFIG_CC_IS_GCC=y CONFIG_FTRACE_MCOUNT_USE_CC=y" "CC=clang-$NEW LLVM= CONFIG_CC_IS_CLANG=y y"
told "gcc, clang-19" "CONFIG_CC_IS_GCC=y" "CC=clang-19 LLVM= CONFIG_CC_IS_CLANG=y " CC=clang-19
told "gcc, all tools of LLVM 19" "CONFIG_CC_IS_GCC=y" "CC=clang-19 LLVM=-19 CONFIG_CC_IS_CLANG=y " LLVM=-19
told "gcc, a compiler command of two words" "CONFIG_CC_IS_GCC=y" "CC=env clang-19 LLVM= CONFIG_CC_IS_CLANG=y " CC="env clang-19"
told "clang 19" "CONFIG_CC_IS_CLANG=y CONFIG_CLANG_VERSION=190107" "CC=cc LLVM=-19 CONFIG_CC_IS_CLANG= "
told "clang 19, another clang" "CONFIG_CC_IS_CLANG=y CONFIG_CLANG_VERSION=190107" "CC=clang-22 LLVM= CONFIG_CC_IS_CLANG= " CC=clang-22

# With BAREPROF=n, the build must be the same as without module.mk.
check "clean works again" driver clean
check "BAREPROF=n builds" driver BAREPROF=n
check "nothing counts" counts ""
check "there is no unit" sh -c "! llvm-nm-$NEW '$OURS/parts.ko' | grep bareprof"
check "gcc compiled it" sh -c "readelf -p .comment '$OURS/named.ko' | grep -q GCC"
check "it builds for a kernel that contains bareprof" driver CONFIG_BAREPROF=y
check "such a kernel's tree adds the unit, not module.mk" sh -c "! llvm-nm-$NEW '$OURS/parts.ko' | grep bareprof"
