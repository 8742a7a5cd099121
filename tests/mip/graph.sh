#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# graph.sh - compares the call graph with what QEMU sees from outside. With N=1, each call is a sample, so the edges
# must be those that a plugin counts. With N=64, the shares of the edges must be within the sampling error, and the
# counts must be exact, in 20 rounds of different work. graph.py states the error. These programs have no tail calls.
# With tail calls, the caller must be the function to which the callee returns. With BAREPROF_WIDE=1, all compilers and
# targets run.
#
# GRAPH_TARGETS, GRAPH_COMPILERS and GRAPH_MODES select combinations.
. "$(dirname "$0")/body_lib.sh"

NEWEST=clang-$(newest_clang)
if [ -n "${BAREPROF_WIDE-}" ]; then
	targets="x86_64 aarch64 thumb arm" compilers=$BODY_EVERY_COMPILER modes="plain atomic"
else
	targets="x86_64 aarch64 thumb" compilers= modes=plain
fi
targets=${GRAPH_TARGETS:-$targets}
compilers=${GRAPH_COMPILERS:-$compilers}
modes=${GRAPH_MODES:-$modes}

body_needs mip/edges

# body TARGET COMPILER N MODE STEPS SLOTS: builds body G in $dir/N. $tail selects tail calls.
tail=no-
body() {
	atomic=
	[ "$4" = plain ] || atomic=--atomic
	define="-DBAREPROF_MIP -DBAREPROF_MIP_SAMPLES_MODE -DGRAPH_ROUNDS=$rounds -DGRAPH_STEPS=$5 -DGRAPH_SLOTS=$6"
	BODY_WRAP="$BAREPROF mip cc --mode calls,sample=$3 $atomic" BODY_LINK="-Wl,-T,$WORK/drop/mip.ld -Wl,--gc-sections" \
		BODY_EXTRA="$WORK/drop/bareprof.c" BODY_CFLAGS="-I$WORK/drop $define" \
		sh tests/mip/body/build.sh g "$1" "$2" "$dir/$3" -f${tail}optimize-sibling-calls || { cat "$dir/$3/log"; return 1; }
}

# merged N ROUND: adds a raw profile to an empty profile, and writes its graph.
merged() {
	"$BAREPROF" mip merge -p "$dir/$1/empty.mip" -o "$dir/$1/full.mip" "$dir/$1/$2.mipraw" &&
		"$BAREPROF" mip graph --json "$dir/$1/full.mip" --elf "$dir/$1/body" >"$dir/$1/$2.json"
}

# run N STEPS: runs the body and makes the graphs of all rounds.
run() {
	"$qemu" "$dir/$1/body" 3>"$dir/$1/raw" >"$dir/$1/out" && python3 tests/mip/graph.py split "$dir/$1/raw" "$dir/$1" $rounds &&
		"$BAREPROF" mip create -o "$dir/$1/empty.mip" "$dir/$1/body" || return
	round=0
	while [ $round -lt $rounds ]; do
		merged "$1" $round || return
		round=$((round + 1))
	done
}

# exact TARGET COMPILER MODE: with N=1, each call is a sample.
exact() {
	rounds=1
	body "$1" "$2" 1 "$3" 500 16384 && python3 tests/mip/oracle.py list "$dir/1/body" calls "$dir/1"/*.o >"$dir/1/list" &&
		"$qemu" -plugin "$WORK/plugin.so,functions=$dir/1/list,out=$dir/1/counted" "$dir/1/body" 3>"$dir/1/0.mipraw" >"$dir/1/out" &&
		"$BAREPROF" mip create -o "$dir/1/empty.mip" "$dir/1/body" && merged 1 0 &&
		python3 tests/mip/graph.py exact "$dir/1/0.json" "$dir/1/counted"
}

# weights TARGET COMPILER MODE: compares N=64 with N=1 in the same rounds.
weights() {
	rounds=20
	body "$1" "$2" 1 "$3" 3500 65536 && run 1 && body "$1" "$2" 64 "$3" 3500 8192 && run 64 &&
		cmp "$dir/1/out" "$dir/64/out" && python3 tests/mip/graph.py weights "$dir/1" "$dir/64"/[0-9]*.json
}

# callers FUNCTION: prints the number of calls and the caller, for each edge of the function.
callers() { "$BAREPROF" mip graph "$dir/1/full.mip" --function "^$1\$" | sed -n "s/^ *\([0-9]*\) .* \([a-z]*\) -> $1\$/\1 \2/p"; }
# jumps TARGET COMPILER MODE: jumper() reaches landed() by a tail call, and landed() returns to before().
jumps() {
	rounds=1 tail=
	body "$1" "$2" 1 "$3" 500 16384 && "$qemu" "$dir/1/body" 3>"$dir/1/0.mipraw" >"$dir/1/out" &&
		"$BAREPROF" mip create -o "$dir/1/empty.mip" "$dir/1/body" && merged 1 0 &&
		{ callers jumper && callers landed; } | tee "$dir/1/callers" | tr '\n' ' ' | grep -qx '500 before 500 before ' ||
		{ cat "$dir/1/callers"; tail=no-; return 1; }
	tail=no-
}

for target in $targets; do
	qemu=$(body_qemu "$target")
	[ "$target" = x86_64 ] && usual=gcc || usual=$NEWEST
	for compiler in ${compilers:-$usual}; do
		for mode in $modes; do
			dir=$WORK/$target-$compiler-$mode
			mkdir -p "$dir"
			check "$target, $compiler, $mode: with N=1, the edges are those that QEMU saw" exact "$target" "$compiler" "$mode"
			check "$target, $compiler, $mode: with tail calls, the caller is the function to which the callee returns" \
				jumps "$target" "$compiler" "$mode"
			[ "$target" = x86_64 ] || [ -n "${BAREPROF_WIDE-}" ] || continue
			check "$target, $compiler, $mode: with N=64, the weights are within the sampling error" \
				weights "$target" "$compiler" "$mode"
			sed 's/^/  /' "$WORK/check.log"
		done
	done
done
