# SPDX-License-Identifier: BSD-2-Clause
# oracle_lib.sh - for the tests that compare machine profiles with what QEMU sees from outside. A plugin of QEMU counts
# each entry of each function. The profile must have the same functions, the same counts and the same order of first
# calls. In the modes with blocks, the plugin also counts how often the guest reaches each address in the table of
# blocks. The modes "bb-inline-8bit-counters" and "bb-inline-bool-flag" are clang's flags without `mip cc`.
# Include it with:  . "$(dirname "$0")/oracle_lib.sh"
. "$(dirname "$0")/body_lib.sh"

ORACLE_EVERY_MODE="coverage calls calls-atomic blocks calls,blocks bb-inline-8bit-counters bb-inline-bool-flag"
body_needs mip/oracle

# oracle_possible COMPILER MODE: only clang instruments blocks.
oracle_possible() {
	case $1,$2 in gcc,*blocks | gcc,bb-*) return 1 ;; esac
}

# oracle_program BODY TARGET COMPILER MODE [FLAG...]: builds and runs a body in $dir, and compares its profile with QEMU.
oracle_program() {
	base=${4%-atomic}
	wrap="$BAREPROF mip cc --mode $base"
	instrument=
	case $4 in
	*-atomic) wrap="$wrap --atomic" ;;
	bb-*) base=blocks wrap='' instrument="-fsanitize-coverage=bb,${4#bb-},pc-table" ;;
	esac
	defines=-DBAREPROF_MIP
	case $base in calls*) defines="$defines -DBAREPROF_MIP_CALLS_MODE" ;; esac
	case $base in *blocks) defines="$defines -DBAREPROF_MIP_BLOCKS_MODE" ;; esac
	qemu=$(body_qemu "$2")
	# The runtime compiles faster without optimization, but the harness of a large body would be slow.
	own=-O2
	[ "$1" != s ] || own=-O0
	body=$1
	target=$2
	compiler=$3
	shift 4
	# shellcheck disable=SC2086
	BODY_WRAP="$wrap" BODY_LINK="-Wl,-T,$WORK/drop/mip.ld -Wl,--gc-sections" \
		BODY_EXTRA="tests/mip/body/mip_dump.c $WORK/drop/bareprof.c" BODY_CFLAGS="$own -I$WORK/drop $defines" \
		sh tests/mip/body/build.sh "$body" "$target" "$compiler" "$dir" $instrument "$@" || { cat "$dir/log"; return 1; }
	python3 tests/mip/oracle.py list "$dir/body" "$base" "$dir"/*.o >"$dir/list" &&
		"$qemu" -plugin "$WORK/plugin.so,functions=$dir/list,out=$dir/counted" "$dir/body" >"$dir/out" 3>"$dir/raw.mipraw" &&
		"$BAREPROF" mip create -o "$dir/empty.mip" "$dir/body" &&
		"$BAREPROF" mip merge -p "$dir/empty.mip" -o "$dir/full.mip" "$dir/raw.mipraw" &&
		"$BAREPROF" mip show --json -p "$dir/full.mip" >"$dir/json" &&
		python3 tests/mip/oracle.py compare "$dir/body" "$dir/json" "$dir/counted" "$base" "$dir"/*.o
}
