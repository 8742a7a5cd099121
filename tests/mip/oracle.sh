#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# oracle.sh - compares machine profiles with what QEMU sees from outside. A plugin of QEMU counts each entry of each
# function. The profile must have the same functions, the same counts and the same order of first calls. The program
# must print the same as without instrumentation. In the modes with blocks, the plugin also counts how often the guest
# reaches each address in the table of blocks. The modes "bb-inline-8bit-counters" and "bb-inline-bool-flag" are clang's
# flags without `mip cc`. Usually the program is a small one (body S). With BAREPROF_WIDE=1, these are also the
# compression code of Linux (Z) and a part of newlib (N), with all compilers, targets and modes.
#
# ORACLE_BODIES, ORACLE_TARGETS, ORACLE_COMPILERS and ORACLE_MODES select combinations.
. "$(dirname "$0")/../lib.sh"

export BODY_SOURCES="$ROOT/build/sources"
NEWEST=clang-$(newest_clang)
if [ -n "${BAREPROF_WIDE-}" ]; then
	bodies="s n z" targets="x86_64 aarch64 thumb arm" compilers="gcc $(clang_releases | sed 's/^/clang-/')"
	modes="coverage calls calls-atomic blocks calls,blocks bb-inline-8bit-counters bb-inline-bool-flag"
else
	bodies=s targets="x86_64 aarch64 thumb" compilers= modes="calls calls,blocks"
fi
bodies=${ORACLE_BODIES:-$bodies}
targets=${ORACLE_TARGETS:-$targets}
compilers=${ORACLE_COMPILERS:-$compilers}
modes=${ORACLE_MODES:-$modes}

command -v qemu-aarch64 >/dev/null || { fails "the package qemu-user is installed" /dev/null; exit; }
# The drop-in files write the profile, so this test also shows that these files are complete.
make -s drop-in DIR="$WORK/drop" >"$WORK/drop.log" 2>&1 &&
	qemu_plugin mip/oracle ||
	fails "the drop-in and the plugin are built" "$WORK/drop.log"

# program BODY TARGET COMPILER MODE [FLAG...]: builds and runs a body in $dir, and compares its profile with QEMU.
program() {
	base=${4%-atomic}
	options="--mode $base"
	wrap="$BAREPROF mip cc"
	flags=
	case $4 in
	*-atomic) options="$options --atomic" ;;
	bb-*) base=blocks wrap='' options='' flags="-fsanitize-coverage=bb,${4#bb-},pc-table" ;;
	esac
	defines=-DBAREPROF_MIP
	case $base in calls*) defines="$defines -DBAREPROF_MIP_CALLS_MODE" ;; esac
	case $base in *blocks) defines="$defines -DBAREPROF_MIP_BLOCKS_MODE" ;; esac
	case $2 in
	thumb) qemu=qemu-arm ;;
	*) qemu=qemu-$2 ;;
	esac
	# The runtime compiles faster without optimization, but the harness of a large body would be slow.
	own=-O2
	[ "$1" != s ] || own=-O0
	body=$1
	target=$2
	compiler=$3
	shift 4
	# shellcheck disable=SC2086
	BODY_WRAP="$wrap $options" BODY_LINK="-Wl,-T,$WORK/drop/mip.ld -Wl,--gc-sections" \
		BODY_EXTRA="tests/mip/body/mip_dump.c $WORK/drop/bareprof.c" BODY_CFLAGS="$own -I$WORK/drop $defines" \
		sh tests/mip/body/build.sh "$body" "$target" "$compiler" "$dir" $flags "$@" || { cat "$dir/log"; return 1; }
	python3 tests/mip/oracle.py list "$dir/body" "$dir"/*.o >"$dir/list" &&
		{ case $base in *blocks) python3 tests/mip/oracle.py blocks "$dir/body" >>"$dir/list" && sort -u -o "$dir/list" "$dir/list" ;; esac } &&
		"$qemu" -plugin "$WORK/plugin.so,functions=$dir/list,out=$dir/counted" "$dir/body" >"$dir/out" 3>"$dir/raw.mipraw" &&
		"$BAREPROF" mip create -o "$dir/empty.mip" "$dir/body" &&
		"$BAREPROF" mip merge -p "$dir/empty.mip" -o "$dir/full.mip" "$dir/raw.mipraw" &&
		"$BAREPROF" mip show --json -p "$dir/full.mip" >"$dir/json" &&
		python3 tests/mip/oracle.py compare "$dir/body" "$dir/json" "$dir/counted" "$base" "$dir"/*.o
}

# The output depends on the body and the width of pointers only.
reference() {
	case $2 in
	x86_64 | aarch64) width=64 of=x86_64 ;;
	*) width=32 of=thumb ;;
	esac
	plain=$WORK/plain-$1-$width
	[ -e "$plain.out" ] && return
	sh tests/mip/body/build.sh "$1" "$of" gcc "$plain" || return
	case $of in
	thumb) qemu-arm "$plain/body" >"$plain.out" ;;
	*) qemu-x86_64 "$plain/body" >"$plain.out" ;;
	esac
}

for body in $bodies; do
	for target in $targets; do
		check "body $body, $target: runs without instrumentation" reference "$body" "$target"
		[ "$target" = x86_64 ] && usual=gcc || usual=$NEWEST
		for compiler in ${compilers:-$usual}; do
			for mode in $modes; do
				# Only clang instruments blocks.
				case $mode in *blocks | bb-*) [ -n "${compilers-}" ] || compiler=$NEWEST ;; esac
				case $compiler,$mode in gcc*,*blocks | gcc*,bb-*) continue ;; esac
				dir=$WORK/$body-$target-$compiler-$(echo "$mode" | tr , -)
				check "body $body, $target, $compiler, $mode: the profile is what QEMU saw" program "$body" "$target" "$compiler" "$mode"
				check "body $body, $target, $compiler, $mode: prints the same" cmp "$plain.out" "$dir/out"
				# The objects of a body take much space.
				[ "$body" = s ] || rm -f "$dir"/*.o "$dir"/body
			done
		done
	done
done

# With BAREPROF_WIDE=1, body S is also compiled with options that change the start of functions.
[ -n "${BAREPROF_WIDE-}" ] || exit 0
for target in $targets; do
	case $target in
	x86_64) more="-mstack-protector-guard=global -fstack-protector-all|-fcf-protection=full|-fpatchable-function-entry=3|-fPIC|-pg -mfentry" ;;
	aarch64) more="-fstack-protector-all|-mbranch-protection=standard|-fpatchable-function-entry=3|-fPIC|-mbranch-protection=standard -fpatchable-function-entry=5,2" ;;
	*) more="-fstack-protector-all|-fno-omit-frame-pointer|-mno-unaligned-access" ;;
	esac
	for compiler in $compilers; do
		echo "-O0|-O3|-Os -fno-inline|-O1 -g|-fno-optimize-sibling-calls|$more" | tr '|' '\n' >"$WORK/flags"
		while read -r flags; do
			for mode in $modes; do
				dir=$WORK/flags-$target-$compiler-$(echo "$mode" | tr , -)
				# shellcheck disable=SC2086
				check "body s, $target, $compiler, $mode, $flags: the profile is what QEMU saw" \
					program s "$target" "$compiler" "$mode" $flags
			done
		done <"$WORK/flags"
	done
done
