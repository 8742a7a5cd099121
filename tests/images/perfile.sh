#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# perfile.sh: tests ports/make/bareprof.mk. It builds small trees with the variables of bareprof.mk, and examines
# their objects. One tree has a single makefile; another has a makefile in each directory.
. "$(dirname "$0")/../lib.sh"

FRAGMENT=$ROOT/ports/make/bareprof.mk
NEW=$(newest_clang)
OLD=13
unset BAREPROF MAKEFLAGS MAKEOVERRIDES

# counting FOLDER: prints the names of those objects that have counters, in FOLDER and below it.
counting() {
	(cd "$1" && for object in $(find . -name '*.o' | sed 's,^\./,,' | LC_ALL=C sort); do
		"llvm-readelf-$NEW" -SW "$object" | grep -q ' __llvm_prf_cnts ' && printf ' %s' "$object"
	done)
}
count() { test "$(counting "$2")" = "${1:+ $1}" || { echo "counting:$(counting "$2"), expected: $1" && false; }; }

# sources FOLDER: makes the runtime, and sources in C, C++ and assembler. Two directories have a source with the same
# name.
sources() {
	mkdir -p "$1/early" "$1/lib/deep"
	for file in core early/uart lib/uart lib/deep/tree; do
		echo "int f_$(echo $file | tr / _)(int n); int f_$(echo $file | tr / _)(int n) { return n > 3 ? n : 4; }" >"$1/$file.c"
	done
	echo 'template <typename T> T larger(T a, T b) { return a < b ? b : a; } int list(int n) { return larger(n, 5); }' \
		>"$1/lib/list.cc"
	printf '%s\n' '.globl start' 'start:' '#ifdef MORE' '.globl more' 'more:' '#endif' >"$1/early/start.S"
	make -s drop-in DIR="$1" >/dev/null
	# These tests look at flags and names of objects. The true runtime takes longer to compile than all other files, so
	# an empty file stands for it, except in the test that links.
	mv "$1/bareprof.c" "$1/runtime.c"
	echo '#include "bareprof.h"' >"$1/bareprof.c"
}

# Makes a tree with a single makefile.
ONE=$WORK/one
sources "$ONE"
cat >"$ONE/Makefile" <<'END'
CC = clang-$(LLVM) --target=x86_64-none-elf -ffreestanding -O2 -Werror
OBJECTS = $(addprefix $(OUT),core.o early/uart.o early/start.o lib/uart.o lib/list.o lib/deep/tree.o bareprof.o)
OUT = out/
BAREPROF_OBJ = $(OUT)

all: $(OBJECTS)

include bareprof.mk

define compile
@mkdir -p $(@D)
@echo '$@'
@$(CC) $(bareprof-flags) -c $< -o $@
endef
$(OUT)%.o: %.c
	$(compile)
$(OUT)%.o: %.cc
	$(compile)
$(OUT)%.o: %.S
	$(compile)

ifndef NO_REBUILD
$(call bareprof-rebuild,$(OBJECTS))
endif
END
ALL="core.o early/uart.o lib/deep/tree.o lib/list.o lib/uart.o"

# one OBJECTS VARIABLE=...: if the tree is built with these variables, exactly OBJECTS must have counters.
one() {
	want=$1
	shift
	check "one makefile, ${*:-no variables}: ${want:-none}" one_counts "$@"
}
one_counts() { make -s -C "$ONE" LLVM="$NEW" "$@" && count "$want" "$ONE/out"; }

one ""
one "" BAREPROF=n BAREPROF_FILE_core.o=y
one "" BAREPROF= BAREPROF_ALL=y
one "$ALL" BAREPROF=y
one "$ALL" CONFIG_BAREPROF=y
one "" BAREPROF=n CONFIG_BAREPROF=y
one "early/uart.o lib/deep/tree.o lib/list.o lib/uart.o" BAREPROF=y BAREPROF_FILE_core.o=n
one "core.o lib/deep/tree.o lib/list.o" BAREPROF=y BAREPROF_FILE_uart.o=n
one "core.o early/uart.o lib/deep/tree.o lib/list.o" BAREPROF=y BAREPROF_FILE_lib/uart.o=n
one "core.o lib/deep/tree.o lib/list.o lib/uart.o" BAREPROF=y BAREPROF_FILE_uart.o=n BAREPROF_FILE_lib/uart.o=y
one "core.o early/uart.o" BAREPROF=y BAREPROF_FILES_lib=n
one "core.o early/uart.o lib/deep/tree.o" BAREPROF=y BAREPROF_FILES_lib=n BAREPROF_FILES_lib/deep=y
one "core.o early/uart.o lib/list.o lib/uart.o" BAREPROF=y BAREPROF_FILES_lib/deep=n
one "core.o early/uart.o lib/uart.o" BAREPROF=y BAREPROF_FILES_lib=n BAREPROF_FILE_lib/uart.o=y
one "core.o early/uart.o lib/list.o" BAREPROF=y BAREPROF_FILES_lib=n BAREPROF_FILE_list.o=y
one "lib/deep/tree.o lib/list.o lib/uart.o" BAREPROF=y BAREPROF_ALL=n BAREPROF_FILES_lib=y
one "core.o" BAREPROF=y BAREPROF_FILES=n BAREPROF_FILE_core.o=y
one "lib/deep/tree.o lib/list.o lib/uart.o" BAREPROF=y BAREPROF_FILES=n BAREPROF_FILES_lib=y
one "core.o" BAREPROF=y BAREPROF_ALL=n BAREPROF_FILES= BAREPROF_FILE_core.o=" y "
one "" BAREPROF=y GCOV_PROFILE=n
one "core.o early/uart.o lib/uart.o" BAREPROF=y BAREPROF_FILES_lib=n GCOV_PROFILE_uart.o=y
one "core.o early/uart.o lib/deep/tree.o lib/uart.o" BAREPROF=y GCOV_PROFILE_list.o=no GCOV_PROFILE_tree.o=m
one "core.o lib/uart.o" BAREPROF=y GCOV_PROFILE=n GCOV_PROFILE_core.o=y GCOV_PROFILE_uart.o=n BAREPROF_FILE_lib/uart.o=y
one "$ALL" BAREPROF=y GCOV_PROFILE=n BAREPROF_FILES=y
for obj in out out/ ./out ./out/ "$ONE/out"; do
	for out in out/ ./out/ "$ONE/out/"; do
		case $obj:$out in
		/*:/* | [!/]*:[!/]*) ;;
		*) continue ;;
		esac
		rm -rf "$ONE/out"
		make -s -C "$ONE" LLVM="$NEW" BAREPROF=y BAREPROF_OBJ="$obj" OUT="$out" BAREPROF_FILES_lib=n >/dev/null
		check "objects in $out, BAREPROF_OBJ=$obj" count "core.o early/uart.o" "$ONE/out"
	done
done

# An assembler ignores flags for the compiler. Therefore start.S defines another symbol if it gets the flag -DMORE.
check "flags that assembler files would show" make -s -C "$ONE" LLVM="$NEW" OUT=more/ BAREPROF=y BAREPROF_EXTRA=-DMORE
check "assembler files do not get the flags" test "$("llvm-nm-$NEW" -j "$ONE/more/early/start.o")" = start
check "the other files count" count "$ALL" "$ONE/more"

# When a variable changes, make must rebuild the objects that depend on the variable, and no others.
built() { make -s -C "$ONE" LLVM="$NEW" OUT=again/ "$@" | LC_ALL=C sort | tr '\n' ' '; }
rebuilt() {
	want=$1
	shift
	check "rebuilt by ${*:-nothing}: ${want:-none}" test "$(built "$@")" = "$want"
}
built >/dev/null
rebuilt ""
rebuilt "again/core.o again/early/start.o again/early/uart.o again/lib/deep/tree.o again/lib/list.o again/lib/uart.o " BAREPROF=y
rebuilt "" BAREPROF=y
rebuilt "again/core.o " BAREPROF=y BAREPROF_FILE_core.o=n
rebuilt "again/core.o again/early/uart.o again/lib/uart.o " BAREPROF=y BAREPROF_FILE_uart.o=n
rebuilt "again/early/start.o again/lib/deep/tree.o again/lib/list.o " BAREPROF=y BAREPROF_FILES_early=n \
	BAREPROF_FILE_core.o=y BAREPROF_FILE_uart.o=n BAREPROF_FILES_lib=n
for want in "again/core.o again/early/uart.o again/lib/uart.o " ""; do
	rebuilt "$want" BAREPROF=y BAREPROF_FILE_core.o=n BAREPROF_FILES_lib/deep=n BAREPROF_FILE_list.o=n \
		BAREPROF_FILES_early=n BAREPROF_FILE_uart.o=y BAREPROF_EXTRA="-DSAY='a;b'"
done

# An update of a package changes the compiler's version, but not the command in CC. Then make must rebuild all objects.
# To imitate an update, the compiler of this test prints the version that is in a file.
everything="again/bareprof.o again/core.o again/early/start.o again/early/uart.o again/lib/deep/tree.o again/lib/list.o again/lib/uart.o "
echo "version 1 (that's \$one)" >"$WORK/version"
printf '%s\n' '#!/bin/sh' "case \$* in *--version) exec cat '$WORK/version' ;; esac" "exec clang-$NEW \"\$@\"" >"$WORK/compiler"
chmod +x "$WORK/compiler"
cc="CC=$WORK/compiler --target=x86_64-none-elf -ffreestanding -O2"
built BAREPROF=y "$cc" >/dev/null
rebuilt "" BAREPROF=y "$cc"
rebuilt "$everything" BAREPROF=y "$cc -Werror"
rebuilt "" BAREPROF=y "$cc -Werror"
echo "version 2 (that's \$two)" >"$WORK/version"
rebuilt "$everything" BAREPROF=y "$cc -Werror"
rebuilt "" BAREPROF=y "$cc -Werror"

# bareprof.o gets the defines that it needs for the code that is instrumented.
runtime_flags() {
	want=$1
	shift
	check "flags of bareprof.o with ${*}: ${want:-none}" test "$(printf '%s\n' 'include bareprof.mk' \
		'all:; @echo "$(bareprof-runtime-flags)"' 'lib/bareprof.o:; @echo "$(bareprof-flags)"' |
		make -s -C "$ONE" -f - all lib/bareprof.o CC="clang-$NEW" "$@" | tr '\n' ';')" = "$want;$want;"
}
runtime_flags "" BAREPROF=n BAREPROF_ATOMIC=y BAREPROF_KIND=values
for kind in coverage mcdc irpgo; do
	runtime_flags "" BAREPROF=y BAREPROF_KIND=$kind
	runtime_flags "-DBAREPROF_ATOMIC" BAREPROF=y BAREPROF_KIND=$kind BAREPROF_ATOMIC=y
done
for kind in bytes entries; do runtime_flags "" BAREPROF=y BAREPROF_KIND=$kind BAREPROF_ATOMIC=y; done
runtime_flags "-DBAREPROF_VALUES" BAREPROF=y BAREPROF_KIND=values BAREPROF_EXTRA=-DSAY
runtime_flags "-DBAREPROF_VALUES -DBAREPROF_ATOMIC" BAREPROF=y BAREPROF_KIND=values BAREPROF_ATOMIC=y

# A program for a Cortex-M must link with these flags alone.
linked() {
	cp "$ONE/runtime.c" "$ONE/bareprof.c"
	for kind in coverage values; do
		make -s -C "$ONE" OUT=m/ BAREPROF=y BAREPROF_ATOMIC=y BAREPROF_KIND=$kind \
			CC="clang-$NEW --target=thumbv7m-none-eabi -ffreestanding -fno-unwind-tables -O2" &&
			printf '%s\n' '#include "bareprof.h"' 'BAREPROF_STATE;' | "clang-$NEW" --target=thumbv7m-none-eabi -ffreestanding -I"$ONE" -x c -c - -o "$ONE/m/state.o" &&
			"ld.lld-$NEW" -e 0 -T "$ONE/bareprof.ld" -T "$WORK/all.ld" "$ONE"/m/*.o "$ONE"/m/lib/*.o -o "$ONE/m/all.elf" || return
	done
}
printf '%s\n' 'SECTIONS { .text : { *(.text*) } .data : { LONG(1); *(.data*) } .bss : { *(.bss*) } }' >"$WORK/all.ld"
check "a program for Armv7-M links, with atomic counters and with values" linked

# Makes a tree with a makefile in each directory, as kernels have. The variables of a makefile must apply to its
# directory only.
EACH=$WORK/each
sources "$EACH"
cat >"$EACH/rules.mk" <<'END'
CC = clang-$(LLVM) --target=armv7a-none-eabi -mfloat-abi=soft -ffreestanding -O1 -Werror
all: $(OBJECTS)
	@for dir in $(DIRS); do $(MAKE) -C $$dir || exit; done
include $(TOP)/bareprof.mk
%.o: %.c
	$(CC) $(bareprof-flags) -c $< -o $@
%.o: %.cc
	$(CC) $(bareprof-flags) -c $< -o $@
%.o: %.S
	$(CC) $(bareprof-flags) -c $< -o $@
END
# makefiles LINES...: adds these lines to the makefiles of the four directories.
makefiles() {
	printf '%s\n' 'export TOP := $(CURDIR)' 'export BAREPROF := y' 'OBJECTS = core.o bareprof.o' 'DIRS = early lib' "$1" \
		'include rules.mk' >"$EACH/Makefile"
	printf '%s\n' 'OBJECTS = uart.o start.o' "$2" 'include $(TOP)/rules.mk' >"$EACH/early/Makefile"
	printf '%s\n' 'OBJECTS = uart.o list.o' 'DIRS = deep' "$3" 'include $(TOP)/rules.mk' >"$EACH/lib/Makefile"
	printf '%s\n' 'OBJECTS = tree.o' "$4" 'include $(TOP)/rules.mk' >"$EACH/lib/deep/Makefile"
}
each() {
	for n in ${BAREPROF_WIDE:+$OLD} $NEW; do
		find "$EACH" -name '*.o' -exec rm {} +
		check "clang-$n, a makefile each, $2: $1" each_counts "$1"
	done
}
each_counts() { make -s -C "$EACH" LLVM=$n && count "$1" "$EACH"; }

makefiles "" "" "" ""
each "$ALL" "no variables"
makefiles "" "BAREPROF_FILES := n" "BAREPROF_FILES := n # for now" ""
each "core.o lib/deep/tree.o" "two directories"
makefiles "" "" "BAREPROF_FILE_uart.o := n" ""
each "core.o early/uart.o lib/deep/tree.o lib/list.o" "a file"
makefiles "" "" "BAREPROF_FILES := n
BAREPROF_FILE_uart.o := y" "BAREPROF_FILE_uart.o := n"
each "core.o early/uart.o lib/deep/tree.o lib/uart.o" "a file in a directory that does not count"
makefiles "export BAREPROF_ALL := n" "BAREPROF_FILES := y" "BAREPROF_FILE_list.o := y" ""
each "early/uart.o lib/list.o" "only directories and files that are selected"

# Tests the kinds of instrumentation and the contents of their objects.
KINDS=$WORK/kinds
mkdir -p "$KINDS"
cp "$FRAGMENT" "$KINDS"
cat >"$KINDS/kind.c" <<'END'
int both(int a, int b, void (*call)(void));
int both(int a, int b, void (*call)(void)) { call(); return a && b; }
END
cat >"$KINDS/Makefile" <<'END'
CC = clang-$(LLVM) --target=x86_64-none-elf -ffreestanding -O2 -Werror
BAREPROF := y
include bareprof.mk
%.o: %.c
	$(CC) $(bareprof-flags) -c $< -o $@
%.s: %.c
	$(CC) $(bareprof-flags) -S $< -o $@
sub/kind.o: kind.c
	mkdir -p sub
	$(CC) $(bareprof-flags) -c $< -o $@
END
kind() { rm -f "$KINDS"/kind.[os] && make -s -C "$KINDS" LLVM="$n" "$@"; }
# marks: prints which sections and symbols kind.o contains. The output is different for each kind of instrumentation.
marks() {
	"llvm-readelf-$NEW" -SW "$KINDS/kind.o" >"$KINDS/sections"
	"llvm-nm-$NEW" "$KINDS/kind.o" >"$KINDS/symbols"
	grep -q ' __llvm_covmap ' "$KINDS/sections" && printf 'mapping '
	grep -q ' __llvm_prf_bits ' "$KINDS/sections" && printf 'bitmap '
	grep -q ' __llvm_prf_vnds ' "$KINDS/sections" && printf 'nodes '
	grep -q ' __llvm_profile_raw_version' "$KINDS/symbols" && printf 'version '
	grep -q ' __llvm_profile_instrument' "$KINDS/symbols" && printf 'values '
	size=$((0x$(sed -n 's/.* __llvm_prf_cnts *PROGBITS *[^ ]* *[^ ]* *\([^ ]*\) .*/\1/p' "$KINDS/sections")))
	test $((size % 8)) -ne 0 && echo $size || echo words
}
echo 'static inline int nobody_uses(int x) { return x ? 1 : 2; }' >"$KINDS/header.h"
no_unused_names() { ! unused_names BAREPROF_LIMITED=y; }
has() {
	check "clang-$n: BAREPROF_KIND=$1 compiles" kind kind.o BAREPROF_KIND="$1"
	check "clang-$n: BAREPROF_KIND=$1 has $2" test "$(marks)" = "$2"
}
releases="$OLD ${BAREPROF_WIDE:+16} $NEW"
for n in $releases; do
	has coverage "mapping words"
	check "clang-$n: without BAREPROF_KIND it compiles" kind kind.o
	check "clang-$n: the default is coverage" test "$(marks)" = "mapping words"
	has irpgo "version words"
	# For bare metal, clang 18 and later releases reserve space for values; older releases do not.
	has values "$(test "$n" -lt 18 || printf 'nodes ')version values words"
	for kind in coverage irpgo values; do
		check "clang-$n: $kind compiles to assembler, too" kind kind.s BAREPROF_KIND=$kind
		check "clang-$n: $kind counts without a lock prefix" sh -c "! grep -w lock '$KINDS/kind.s'"
		check "clang-$n: $kind with BAREPROF_ATOMIC=y compiles" kind kind.s BAREPROF_KIND=$kind BAREPROF_ATOMIC=y
		check "clang-$n: it counts with a lock prefix" grep -qw lock "$KINDS/kind.s"
	done
	# unused_names OPTIONS: succeeds if kind.o has the name of an inline function that no code uses.
	unused_names() { kind kind.o BAREPROF_EXTRA="-include header.h -mllvm -enable-name-compression=false" "$@" && grep -q nobody_uses "$KINDS/kind.o"; }
	check "clang-$n: names of unused inline functions" unused_names
	check "clang-$n: BAREPROF_LIMITED=n keeps them" unused_names BAREPROF_LIMITED=n
	check "clang-$n: an object with BAREPROF_LIMITED=y compiles" kind kind.o BAREPROF_LIMITED=y BAREPROF_EXTRA="-include header.h"
	check "clang-$n: BAREPROF_LIMITED=y leaves them out" no_unused_names
	check "clang-$n: an instrumented file with BAREPROF_EXTRA compiles" kind kind.o BAREPROF_EXTRA="-Dboth='more_of_it'"
	check "clang-$n: BAREPROF_EXTRA is applied" sh -c "llvm-nm-$NEW '$KINDS/kind.o' | grep -q ' T more_of_it'"
	check "clang-$n: another file with BAREPROF_EXTRA compiles" kind kind.o BAREPROF_EXTRA=-Dboth=more_of_it BAREPROF_FILE_kind.o=n
	check "clang-$n: BAREPROF_EXTRA is not applied there" sh -c "llvm-nm-$NEW '$KINDS/kind.o' | grep -q ' T both'"
done

# A program writes its profile in the fourth iteration of a loop. The profile must contain the iterations so far.
cat >"$KINDS/loop.c" <<'END'
int __llvm_profile_write_file(void);
void _exit(int);
static volatile int turns = 9;
int main(void) {
	while (turns--)
		if (turns == 5) __llvm_profile_write_file();
	_exit(0);
}
END
in_loop() {
	rm -f "$KINDS"/loop.[op]* &&
		make -s -C "$KINDS" LLVM="$n" CC="clang-$n -O2" BAREPROF_KIND="$1" loop.o &&
		"clang-$n" -fprofile-generate "$KINDS/loop.o" -o "$KINDS/loop.program" &&
		LLVM_PROFILE_FILE="$KINDS/loop.profraw" "$KINDS/loop.program" &&
		"llvm-profdata-$n" show --counts --function=main "$KINDS/loop.profraw" | tee "$KINDS/loop.shown"
}
for n in $releases; do
	for kind in coverage irpgo values; do
		check "clang-$n: $kind writes a profile within a loop" in_loop $kind
		check "clang-$n: it contains the turns so far" grep -Eq 'counts?: .*\b[34]\b' "$KINDS/loop.shown"
	done
done

n=$NEW
has mcdc "mapping bitmap words"
has bytes "mapping version 3"
has entries "version 1"
n=14
has entries "version 1"

# stops VARIABLE=...: make must refuse these variables with one sentence, and compile nothing.
stops() {
	rm -f "$KINDS/kind.o"
	refuses "stops at $*" "$said" make -s -C "$KINDS" LLVM=$n "$@" "$object"
	check "it compiles nothing" test ! -e "$KINDS/kind.o"
}
n=13
object=kind.o
said='Makefile:5: \*\*\* BAREPROF_FILE_kind.o is "maybe"; it can be y or n\.  Stop' stops BAREPROF_FILE_kind.o=maybe
said='BAREPROF_FILES is "y n"; it can be y or n\.' stops BAREPROF_FILES="y n"
said='BAREPROF_FILES_sub is "yes"; it can be y or n\.' object=sub/kind.o stops BAREPROF_FILES_sub=yes
object=kind.o
said='BAREPROF_ALL is "0"; it can be y or n\.' stops BAREPROF_ALL=0
said='BAREPROF is "1"; it can be y or n\.' stops BAREPROF=1
said='BAREPROF_LIMITED is "on"; it can be y or n\.' stops BAREPROF_LIMITED=on
said='BAREPROF_ATOMIC is "on"; it can be y or n\.' stops BAREPROF_ATOMIC=on
said='BAREPROF_KIND is "gcov"; it can be coverage, mcdc, bytes, irpgo, values or entries\.' stops BAREPROF_KIND=gcov
said='BAREPROF_KIND is "mcdc bytes"; it can be' stops BAREPROF_KIND="mcdc bytes"
said='BAREPROF_FILE_kind.c names no object; use BAREPROF_FILE_x\.o' stops BAREPROF_FILE_kind.c=n
said='BAREPROF_FILE names no object; .*BAREPROF_FILES' stops BAREPROF_FILE=n
said='BAREPROF_FILE_bareprof.o is "y"; the runtime must not be instrumented' stops BAREPROF_FILE_bareprof.o=y
said='BAREPROF_KIND is "entries", for which clang 13 is too old; use a clang that is newer than 13\.' stops BAREPROF_KIND=entries
n=16
said='BAREPROF_KIND is "mcdc", for which clang 16 is too old; use a clang that is newer than 17\.' stops BAREPROF_KIND=mcdc
said='BAREPROF_KIND is "bytes", for which clang 16 is too old; use a clang that is newer than 18\.' stops BAREPROF_KIND=bytes
said='clang 15 is too old' stops BAREPROF_KIND=bytes BAREPROF_CLANG=15
refuses "stops outside of a recipe" 'bareprof-flags can be used only in a recipe, where \$@ is an object' \
	sh -c "printf '%s\n' 'include bareprof.mk' 'BAREPROF = y' 'CFLAGS := \$(bareprof-flags)' | make -s -C '$KINDS' -f -"

# For other build systems, PORTING-FILES.md advises to add flags such as -fno-profile-generate at the end of the
# command. This works only if the last of two contradictory flags wins.
for n in 13 14 15 16 19 22; do
	rm -f "$KINDS/kind.o"
	for flags in "-fprofile-instr-generate -fcoverage-mapping -fno-profile-instr-generate -fno-coverage-mapping" \
		"-fprofile-generate -fno-profile-generate"; do
		# shellcheck disable=SC2086
		"clang-$n" --target=armv7a-none-eabi $flags -c "$KINDS/kind.c" -o "$KINDS/kind.o"
		check "clang-$n $flags" sh -c "! llvm-readelf-$NEW -SW '$KINDS/kind.o' | grep __llvm"
	done
done
