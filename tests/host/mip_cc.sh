#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_cc.sh: tests that `bareprof mip cc COMPILER ARGS` makes the same files, messages and exit status as COMPILER ARGS,
# and that its objects have machine-profile code. mip_cc.sh [COMPILER]: tests one compiler. With BAREPROF_WIDE=1, each
# compiler has all cases.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/mip_cc.sh

# The columns are: when the case runs, the compiler (gcc, clang or all), the type of the result, and the arguments. A
# case runs only with BAREPROF_WIDE (0), always (1), or always with clang (2). The types are: "object" (each new object
# has machine-profile code), "hand" (no object has any) and "none" (there is no new object).
cat >"$WORK/cases" <<'END'
0 all object -O2 -c a.c
1 all object -O2 -g -c a.c -o out/x.o
0 all object -O0 -ca.c -oout/x.o
0 all object -c a.c b.c
2 all object -c -MD a.c
0 all object -c -MMD a.c -o out/x.y.o
2 all object -c -MD a.c -o x
0 all object -c -MMD -MP -MF deps/f.d -MT 'a b$c' -MQ 'q$d' a.c -o out/x.o
0 all object -c -MD -MT t a.c
0 all object -c -MD -MQ 't$u' -MFf.d a.c
0 all object -c -MD -MG -MP a.c b.c
2 all object -Wp,-MD,deps/x.d -c a.c -o out/x.o
0 all object -Wp,-MMD,deps/x.d -c a.c
0 all object -Wp,-MMD,deps/x.d,-MP -c a.c
0 all object -c -MD --output=out/x.o a.c
0 all object -MD a.c b.c -r -nostdlib -o out/x
0 all object -MD a.c -r -nostdlib -o x
0 all none -E a.c
0 all none -S a.c
0 all none -S -c a.c
0 all none -M a.c
0 all none -MM a.c -MF x.d
0 all none -fsyntax-only a.c
0 all none --version
0 all none -v
0 all none -dumpmachine
0 all none -print-file-name=plugin
0 all none -x c++-header a.h -o a.h.gch
0 all none -c
0 all none nothing.c
0 gcc object -c nothing.c a.c
0 clang none -c nothing.c a.c
0 all none -c a.c b.c -o x.o
0 all none -c a.c -o missing/x.o
2 all none -c bad.c -o old.o
0 all none -c -MD bad.c a.h
2 all object -c -MD a.c a.h
0 all object -c a.c cpp.S
0 all none bad.c -o x
2 all object -Wall -c warn.c
0 all none -Wall -Werror -c warn.c
0 all object -fno-such-option-x -c a.c
0 all none -Wno-such-warning -Werror -c a.c -fno-such-option
2 all object -c a.c -lfoo -Wl,-x lib.o -L.
0 clang none -Werror -c a.c -lfoo
0 all object -c a.c -shared -nostdlib -static
2 all object -x c -c - -o x.o <a.c
0 all object -xc -c - <a.c
0 all object -x c -c /dev/null
0 all none -x c -c /dev/null -o /dev/null
0 all object -x c -c text.txt -x none -o x.o
0 all object -c -x none a.c -x c text.txt -x none
0 all object -c @one.rsp
0 all object @nested.rsp -MD
0 all object -c a.c @missing.rsp
0 all object -pipe -O1 -c a.c
1 all object -pipe @one.rsp
0 all object -save-temps -c a.c
0 all object -save-temps=obj -c a.c -o out/x.o
0 all object -save-temps=obj a.c b.c -r -nostdlib -o out/y.o
0 all object -Wa,--noexecstack -c a.c
0 all object -Xassembler --noexecstack -Wa,-L,--noexecstack -c a.c
0 all object -include a.h -DX=1 -D Y -UZ -U W -I. -I inc -iquote . -isystem . -idirafter . -c b.c
0 all object -g1 -c a.c
0 all object -ggdb3 -gdwarf-4 -c a.c
0 all object -gdwarf-5 -gz -c a.c
0 all object -g data.c -c
0 all object -g -O2 -c cxx.cc -MD
0 all object -O2 -fPIC -ffunction-sections -fdata-sections -c a.c
0 all object -flto -fno-lto -c a.c
0 clang object -gsplit-dwarf -gno-split-dwarf -c a.c
0 all object -fstack-usage -c a.c -o out/x.o
0 clang object -fsave-optimization-record -ftime-trace -fstack-usage -O1 -c a.c
0 all object -c -o x.o -- a.c
0 all object -c inline.c
0 clang object -Wall -c asm_warn.c
0 clang none -Wa,--fatal-warnings -c asm_warn.c
0 clang object -Wa,--no-warn -c asm_warn.c
0 clang object --target=armv7a-none-eabi -c asm_old.c
0 all none -c asm_bad.c
1 all hand -c hand.s
2 all hand -x assembler -c - <hand.s
0 all hand -x assembler - -r -nostdlib -o out/y.o <hand.s
0 all hand -c cpp.S -MD
0 clang object -c code.ll
0 clang object -c a.c -o - >x.o
0 clang object -fno-integrated-as -c a.c
0 all object -x c++ -c cxx.cc -x c -c a.c
0 all hand -c hand.s cpp.S
0 all hand -x assembler-with-cpp -c text.asm -o x.o
2 all object a.c b.c lib.o -r -nostdlib -o out/y.o
0 all object a.c hand.s cpp.S -r -nostdlib -o out/y.o
0 all object a.c -x assembler-with-cpp text.asm -r -nostdlib -o out/y.o
0 all hand lib.o -r -nostdlib -o out/y.o
0 all object main.c a.c b.c -o prog
0 clang object -Qunused-arguments -lfoo -c a.c
0 clang object --serialize-diagnostics x.dia -c warn.c
0 gcc object -Wno-error=foo -fdump-tree-optimized -c a.c
0 gcc object --coverage -c a.c -o out/x.o
END

# is_quick FAST KIND ARGUMENTS: returns whether the case runs without BAREPROF_WIDE.
is_quick() { [ "$1" = 1 ] || [ "$1$2" = 2clang ]; }
# For blocks, clang compiles twice. The quick cases are those about names of files, messages, and standard output.
is_quick_of_blocks() { case $3 in '-c -MD a.c' | '-Wall -c warn.c' | '-Wp,-MMD,deps/x.d,-MP -c a.c' | '-c a.c -o - >x.o' | *@one.rsp) ;; *) false ;; esac; }
# With blocks, -save-temps keeps other files, and messages about inline assembly name no line of the source.
is_of_blocks() { case $1 in *-save-temps* | *asm_*) false ;; esac; }

# cases COMPILER WHICH: runs the cases that the function WHICH selects.
cases() {
	kind=$(mip_kind "$1")
	wrong=0
	number=0
	while read -r fast who type arguments; do
		"$2" "$fast" "$kind" "$arguments" || [ -n "${BAREPROF_WIDE-}$only" ] || continue
		[ "$who" = all ] || [ "$who" = "$kind" ] || continue
		[ -z "${MIP_ARGUMENTS-}" ] || is_of_blocks "$arguments" || continue
		case $arguments in *.cc*) compiles_cxx "$1" || continue ;; esac
		number=$((number + 1))
		same_as_plain "$1" "$type" "$arguments" && continue
		fails "$1 ${MIP_ARGUMENTS-} $arguments" "$WORK/said"
		wrong=$((wrong + 1))
	done <"$WORK/cases"
	[ $wrong -ne 0 ] || ok "$1${MIP_ARGUMENTS:+ $MIP_ARGUMENTS}: $number command lines, the same files and messages, and objects with machine profiles"
}
only=${1-}
for compiler in ${1:-$(mip_compilers)}; do
	cases "$compiler" is_quick
	[ "$(mip_kind "$compiler")" = clang ] || continue
	for mode in blocks ${BAREPROF_WIDE:+"calls,blocks"}; do
		MIP_ARGUMENTS="--mode $mode"
		cases "$compiler" is_quick_of_blocks
	done
	MIP_ARGUMENTS=
done
