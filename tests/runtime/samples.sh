#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# samples.sh - takes and sends samples of the program counter, with and without return addresses, in both pointer widths.
# The tests' own decoder must find the samples in the captures. Also counts the instructions of a hook.
. "$(dirname "$0")/../lib.sh"

LLVM=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
FILES=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-samples)

# run NAME TARGET COMPILER FLAGS...: builds the program samples.c for TARGET, runs it, and decodes what it sends.
run() {
	name=$1
	target=$2
	compiler=$3
	shift 3
	sources="tests/runtime/unit/samples.c tests/runtime/unit/sample_stacks.c tests/runtime/unit/host.c"
	for file in $FILES capture_blocks capture counter_codec capture_send crc32c encode_text; do
		sources="$sources runtime/$file.c"
	done
	# shellcheck disable=SC2086
	if ! "$compiler" --target="$target" $CFLAGS -DBAREPROF_SAMPLES -g -fno-stack-protector -fno-pic -static -nostdlib \
		-fuse-ld=lld "$@" $sources -o "$WORK/$name" >"$WORK/log" 2>&1; then
		fails "samples does not build: $*" "$WORK/log"
		return
	fi
	"$WORK/$name" >"$WORK/$name.out"
	[ $? -le 1 ] || not_ok "samples ended in a crash: $*"
	grep -v -e '^@bp:' -e '^raw ' "$WORK/$name.out"
	sed -n 's/^raw //p' "$WORK/$name.out" | sort >"$WORK/$name.expected"
	rm -f "$WORK/$name"-*.samples
	python3 tests/capture/decode.py --form text --all "$WORK/$name" "$WORK/$name.out" >"$WORK/log" || cat "$WORK/log"
	for file in "$WORK/$name"-*.samples; do
		od -An -v -tx1 "$file" | tr -d ' \n'
		echo
	done | sort >"$WORK/$name.actual"
	check "$name: $(wc -l <"$WORK/$name.expected") captures have the samples" diff "$WORK/$name.expected" "$WORK/$name.actual"
}

# steps ARCH COMPILER FLAGS...: traces each instruction of the program sample_steps.c, and compares the longest call of
# each hook with 40 instructions. The count includes the call and the return.
steps() {
	arch=$1
	compiler=$2
	shift 2
	rm -f "$WORK/trace"
	# shellcheck disable=SC2086
	"$compiler" $CFLAGS -DBAREPROF_SAMPLES -fno-stack-protector -fno-pic -static -nostdlib "$@" tests/runtime/unit/sample_steps.c \
		runtime/sample.c runtime/sample_histogram.c -o "$WORK/steps-$arch" >"$WORK/log" 2>&1 &&
		"qemu-$arch" -singlestep -d exec,nochain -D "$WORK/trace" "$WORK/steps-$arch" ||
		fails "$arch: sample_steps does not build or fails" "$WORK/log"
	for hook in bareprof_sample bareprof_histogram_sample; do
		longest=$(awk -v hook=$hook '$1 == "Trace" { n = $NF == hook ? n + 1 : 0; if (n > most) most = n; calls += n == 1 }
			END { print calls == 7 ? most + 1 : 0 }' "$WORK/trace")
		if [ "$longest" -gt 9 ] && [ "$longest" -le 40 ]; then
			ok "$arch: $hook takes at most $longest instructions, at most 40 ($compiler $*)"
		else
			not_ok "$arch: $hook takes $longest instructions, over 40 or not counted ($compiler $*)"
		fi
	done
}

traps="-fsanitize=undefined -fsanitize-trap=undefined -fno-sanitize=alignment,pointer-overflow"
# shellcheck disable=SC2086
run x86_64-stacks x86_64-linux-gnu "clang-$LLVM" -O2 arch/x86_64/copy.c $traps -DBAREPROF_SAMPLE_STACKS
run i386 i386-linux-gnu "clang-$LLVM" -Os runtime/copy.c # with -Oz the test would need a library for shifts
steps x86_64 "clang-$LLVM" --target=x86_64-linux-gnu -fuse-ld=lld -O2
steps aarch64 "clang-$LLVM" --target=aarch64-linux-gnu -fuse-ld=lld -O2
[ -n "${BAREPROF_WIDE-}" ] || exit 0
steps x86_64 gcc -Os
steps aarch64 aarch64-linux-gnu-gcc -Os
# shellcheck disable=SC2086
run i386-stacks i386-linux-gnu "clang-$LLVM" -O2 runtime/copy.c $traps -DBAREPROF_SAMPLE_STACKS
run x86_64 x86_64-linux-gnu "clang-$LLVM" -Oz runtime/copy.c
