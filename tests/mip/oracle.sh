#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# oracle.sh - compares machine profiles with what QEMU sees from outside: each target, compiler and mode. The program
# must also print the same as without instrumentation. Usually the program is a small one (body S). With
# BAREPROF_WIDE=1, these are also the compression code of Linux (Z) and a part of newlib (N), with all compilers, targets
# and modes.
#
# ORACLE_BODIES, ORACLE_TARGETS, ORACLE_COMPILERS and ORACLE_MODES select combinations.
. "$(dirname "$0")/oracle_lib.sh"

NEWEST=clang-$(newest_clang)
if [ -n "${BAREPROF_WIDE-}" ]; then
	bodies="s n z" targets="x86_64 aarch64 thumb arm" compilers=$BODY_EVERY_COMPILER modes=$ORACLE_EVERY_MODE
else
	bodies=s targets="x86_64 aarch64 thumb" compilers= modes="calls calls,blocks"
fi
bodies=${ORACLE_BODIES:-$bodies}
targets=${ORACLE_TARGETS:-$targets}
compilers=${ORACLE_COMPILERS:-$compilers}
modes=${ORACLE_MODES:-$modes}

# The output depends on the body and the width of pointers only.
reference() {
	case $2 in
	x86_64 | aarch64) width=64 of=x86_64 ;;
	*) width=32 of=thumb ;;
	esac
	plain=$WORK/plain-$1-$width
	[ -e "$plain.out" ] && return
	sh tests/mip/body/build.sh "$1" "$of" gcc "$plain" || return
	"$(body_qemu $of)" "$plain/body" >"$plain.out"
}

for body in $bodies; do
	for target in $targets; do
		check "body $body, $target: runs without instrumentation" reference "$body" "$target"
		[ "$target" = x86_64 ] && usual=gcc || usual=$NEWEST
		for compiler in ${compilers:-$usual}; do
			for mode in $modes; do
				[ -n "$compilers" ] || oracle_possible "$compiler" "$mode" || compiler=$NEWEST
				oracle_possible "$compiler" "$mode" || continue
				dir=$WORK/$body-$target-$compiler-$(echo "$mode" | tr , -)
				check "body $body, $target, $compiler, $mode: the profile is what QEMU saw" oracle_program "$body" "$target" "$compiler" "$mode"
				check "body $body, $target, $compiler, $mode: prints the same" cmp "$plain.out" "$dir/out"
				# The objects of a body take much space.
				[ "$body" = s ] || rm -f "$dir"/*.o "$dir"/body
			done
		done
	done
done
