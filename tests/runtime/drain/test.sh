#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# drain - threads count while another thread drains. With atomic counters, LLVM adds the counts of all drains and the
# counts that remain, and the sum must be the number of calls. A later snapshot must never have a lower count than an
# earlier snapshot.
. "$(dirname "$0")/../../lib.sh"

CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)

# built UPDATE FLAGS...: builds threads.c with count.c, which is compiled with the option -fprofile-update=UPDATE.
built() {
	update=$1
	shift
	"clang-$llvm" -O1 -fPIE -fprofile-update="$update" "$@" -c tests/runtime/drain/count.c -o "$WORK/count.o" || return
	objects=
	for f in image_walk image profraw read profraw_write snapshot symbols copy; do
		# shellcheck disable=SC2086
		"clang-$llvm" $CFLAGS -O2 -fPIE -c runtime/$f.c -o "$WORK/$f.o" || return
		objects="$objects $WORK/$f.o"
	done
	# shellcheck disable=SC2086
	"clang-$llvm" -Wall -Wextra -Werror -Iinclude -O1 -fPIE -pthread tests/runtime/drain/threads.c "$WORK/count.o" $objects \
		-fuse-ld=lld -Wl,-z,nostart-stop-gc -o "$WORK/threads"
}

# turns: prints the counts of turn() that LLVM reads in $WORK/raw: one number or two.
turns() {
	"llvm-profdata-$llvm" merge -text "$WORK/raw" -o "$WORK/text" &&
		"llvm-profdata-$llvm" show --counts --function=turn "$WORK/text" |
		sed -n -e 's/^ *Function count: //p' -e 's/^ *Block counts: \[\([0-9]*\), \([0-9]*\)\]$/\1 \2/p'
}

# exact: succeeds if no call is missing. With front-end counters, one counter has the number of calls. With IR PGO, the
# number of calls is the sum of two counters.
exact() {
	"$WORK/threads" "$WORK/raw" >"$WORK/said" && read -r made less found <"$WORK/said" && [ "$found" -ge 3000 ] && set -- $(turns) &&
		echo "$made calls; read: $*" && case $# in
		1) [ "$1" -eq "$made" ] ;;
		2) [ "$1" -eq "$made" ] || [ $(($1 + $2)) -eq "$made" ] ;;
		*) false ;;
		esac
}

grows() {
	"$WORK/threads" "$WORK/raw" snapshot >"$WORK/said" && read -r made less found <"$WORK/said" && cat "$WORK/said" && [ "$less" -eq 0 ] && [ "$found" -ge 3000 ]
}

for llvm in $(some_clang_releases); do
	if ! command -v "llvm-profdata-$llvm" "ld.lld-$llvm" >/dev/null; then
		skip "clang $llvm: no llvm-profdata or lld beside it"
		continue
	fi
	for kind in coverage irpgo; do
		case $kind in
		coverage) flags="-fprofile-instr-generate -fcoverage-mapping" ;;
		*) flags="-fprofile-generate -mllvm -disable-vp=true -mllvm -instrprof-atomic-counter-update-all" ;;
		esac
		# shellcheck disable=SC2086
		check "clang $llvm, $kind: threads with atomic counters" built atomic $flags
		check "clang $llvm, $kind: all drains and the rest are all calls" exact
		check "clang $llvm, $kind: no snapshot has less than the one before" grows
	done
done
