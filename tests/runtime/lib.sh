# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - what several tests of the runtime use. Scripts source it after tests/lib.sh.
# shellcheck shell=sh

# counting_program NAME FILE...: builds and runs $WORK/NAME.c with clang 13 and 22, together with these FILEs of the
# runtime. The program can call counted(), which is the only instrumented function.
counting_program() {
	program=$1
	shift
	printf 'int counted(int n)\n{\n\treturn n ? 7 : 8;\n}\n' >"$WORK/counted.c"

	# These bounds are for sections that the program lacks. A linker script fragment of bareprof would define them.
	flags=
	for name in bareprof_build_id __llvm_prf_bits __llvm_prf_vtab __llvm_prf_vns; do
		flags="$flags -Wl,--defsym=__start_$name=0x400000,--defsym=__stop_$name=0x400000"
	done
	for n in 13 22; do
		objects=
		for name in "$@"; do
			object=$WORK/$n-$name.o
			clang-$n -O2 -fno-pic -Iinclude -c "runtime/$name.c" -o "$object" || not_ok "$program: $name.c does not compile"
			objects="$objects $object"
		done
		clang-$n -O1 -fno-pic -fprofile-instr-generate -c "$WORK/counted.c" -o "$WORK/$n-counted.o"
		# shellcheck disable=SC2086
		clang-$n -O1 -fno-pic -static -Iinclude $flags "$WORK/$program.c" "$WORK/$n-counted.o" $objects -o "$WORK/$program-$n" &&
			"$WORK/$program-$n" || not_ok "$program: clang-$n's program does not link or run"
	done
}
