#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hang.sh - runs kernels that hang in different places. `bareprof run` must read their counters from memory, report the
# coverage up to there, and exit with the code of the failure. Where the kernel hangs at a call of a function that counts,
# this function must have been counted for each earlier call, and for no other.
#
# With BAREPROF_WIDE=1, kernels hang in all places, on three boards.
. "$(dirname "$0")/../lib.sh"

newest=$(newest_clang)

# image BOARD FUNCTION CALL HOW: builds a kernel that hangs at call number CALL of FUNCTION. Sets $dir.
image() {
	dir=$WORK/$1-$2
	make -s image BOARD="$1" LLVM="$newest" KIND=coverage OUT="$dir" MORE_PLAIN=tests/outside/hang.c \
		CONFIG_CFLAGS="-DHANG=$2 -DCALL=$3 -DHOW=$4" CONFIG_LDFLAGS="--wrap=$2" >"$dir.make" 2>&1 || { cat "$dir.make" && return 1; }
}

# runs CODE PATTERN OPTION...: runs the kernel. The exit code must be CODE, and the message must match PATTERN.
runs() {
	code=$1
	pattern=$2
	shift 2
	"$BAREPROF" run "$dir/kernel.elf" --board "$board" --timeout 1 -o "$dir/profraw" "$@" >"$dir/console" 2>"$dir/said"
	status=$?
	cat "$dir/said"
	tr -d '\r' <"$dir/console" | tail -n 2
	[ $status -eq "$code" ] && grep -Eq "$pattern" "$dir/said" && grep -q 'bytes from the memory of the guest' "$dir/said"
}

# count FUNCTION: prints how often FUNCTION was called.
count() {
	"llvm-profdata-$newest" show --function="$1" --counts "$dir/profraw" | sed -n 's/.*Function count: //p' | head -n 1
}

# hangs PLACE FUNCTION CALL HOW COMMANDS CODE PATTERN SEEN COUNT: FUNCTION SEEN must have been called COUNT times.
hangs() {
	image "$board" "$2" "$3" "$4" && runs "$6" "$7" --send "$5" || return
	echo "$8: $(count "$8")"
	[ "$(count "$8")" = "$9" ]
}
place() {
	check "$board: $1" hangs "$@"
}

hung='did not end within 1 seconds and was stopped, and it sent no dump; its profile was read from its memory$'
part='did not end within 1 seconds and was stopped, and it sent no usable dump: .*; its profile was read from its memory$'
reset='was reset or switched off without a status, perhaps after a fault, and it sent no dump; its profile was read from'
all='test\ncov dump\nexit\n'

board=x86_64
place "in a test, with interrupts off" alloc_get 10 WAIT "$all" 5 "$hung" alloc_get 9
place "within the dump" bareprof_encode_text 20 LOOP "$all" 5 "$part" selftest_run 1
place "reset after a fault" str_split 3 RESET "$all" 4 "$reset" str_split 2
if [ -n "${BAREPROF_WIDE-}" ]; then
	for board in x86_64 aarch64 mps2-an385; do
		# Where nothing loads the counters, start-up code resets them first.
		resets=1
		[ $board != mps2-an385 ] || resets=2
		place "before the console works" board_init 1 LOOP "$all" 5 "$hung" kernel_main 1
		place "in an interrupt" kernel_tick 3 LOOP "$all" 5 "$hung" kernel_tick 2
		place "directly before the dump" cov_dump 1 WAIT "$all" 5 "$hung" selftest_run 1
		place "while the counters are reset" bareprof_reset $resets WAIT 'test\ncov reset\n' 5 "$hung" selftest_run 1
		place "in a handler of faults" report_fault 1 LOOP 'test ring\nfault\n' 5 "$hung" test_ring 1
		place "at the end, with the console off" board_exit 1 WAIT 'test ring\nexit\n' 5 "$hung" test_ring 1
		[ $board = x86_64 ] || place "in a test, with interrupts off" alloc_get 10 WAIT "$all" 5 "$hung" alloc_get 9
		[ $board = x86_64 ] || place "within the dump" bareprof_encode_text 20 LOOP "$all" 5 "$part" selftest_run 1
		[ $board = mps2-an385 ] || place "on a second CPU" share_linger 3 WAIT "$all" 5 "$hung" test_ring 1
	done
	board=x86_64
fi

# --each: the test that hangs fails with its profile, and the next test runs in a new guest.
dir=$WORK/each
make -s image BOARD=$board LLVM="$newest" KIND=coverage OUT="$dir" >"$dir.make" 2>&1 || cat "$dir.make"
cat >"$dir/plan" <<'EOF'
ready = ^> $
reset = cov reset\n
dump = cov dump\n
test hangs = test ring\nhang\n
test works = test ring\n
EOF
each() {
	"$BAREPROF" run "$dir/kernel.elf" --board $board --each "$dir/plan" --timeout 2 -o "$dir/tests" >"$dir/said" 2>&1
	status=$?
	cat "$dir/said"
	cp "$dir/tests/hangs.profraw" "$dir/profraw" || return
	[ $status -eq 4 ] && [ "$(count crash_hang)" = 1 ] && [ "$(count test_ring)" = 1 ] &&
		grep -q '^hangs  FAILED .* functions  did not end within 2 seconds; its profile was read from its memory$' "$dir/said" &&
		grep -q '^works  passed' "$dir/said"
}
check "--each: the test that hangs has a profile, and the next test passes" each

# A guest that works, without its dump.
outside() {
	"$BAREPROF" run "$dir/kernel.elf" --board $board --send 'test\n' "$@" -o "$dir/profraw" >"$dir/console" 2>"$dir/said"
	status=$?
	cat "$dir/said"
	[ $status -eq 0 ] && [ "$(count selftest_run)" = 1 ] && [ "$(wc -l <"$dir/said")" -eq 1 ]
}
check "--from-outside: the profile at a line of the console" outside --from-outside --until '7 passed'
check "--from-outside: the profile at the timeout" outside --from-outside --timeout 1
never() {
	rm -f "$dir/profraw"
	! outside --no-outside --timeout 1 && grep -q 'it sent no dump; check that it calls bareprof' "$dir/said" && [ ! -e "$dir/profraw" ]
}
check "--no-outside: no profile of a guest that sends none" never
