#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# then.sh: tests captures of counters from a real guest. With pull --then, the host makes the guest reset its counters
# only after the host has written the capture. merge must distinguish two cases. If the counters were reset between two
# captures, merge adds their counts. If they were not reset, the later capture includes the counts of the earlier
# capture.
. "$(dirname "$0")/lib/live.sh"

# text ELF CAPTURE...: merges the captures and prints the result as text.
text() {
	elf=$1
	shift
	"$BAREPROF" merge --elf "$elf" --text -o - "$@"
}

# pull NAME TYPED OPTION...: types TYPED, and pulls the guest's counters to NAME.capture.
pull() {
	name=$1
	typed=$2
	shift 2
	"$BAREPROF" pull "$where" --send "$typed" --timeout 20 -o "$WORK/$name.capture" --log "$WORK/$name.log" "$@" 2>"$WORK/err"
}

# resets: prints the number of times that the guest has reset its counters.
resets() {
	"$BAREPROF" pull "$where" --send 'cov info\n' --until 'build id ' --list --timeout 5 2>/dev/null |
		sed -n 's/.* counters, reset \([0-9]*\) times.*/\1/p'
}

if ! command -v qemu-system-x86_64 >/dev/null; then
	not_ok "a guest: no qemu-system-x86_64"
	exit 0
fi
elf=build/tests/host/then/image/kernel.elf
check "image" make -s image BOARD=x86_64 DROPIN="$DROP_IN" OUT="$(dirname $elf)"

for line in "unix:$WORK/guest,server=on,wait=on" pty; do
	kind=${line%%:*}
	boot "$line"
	check "$kind: the first part, and a reset" pull "first.$kind" 'test ring\ncov counters\n' --then 'cov reset\n'
	check "$kind: the guest reset its counters" test "$(resets)" = 1
	check "$kind: the console without the dump" sh -c "grep -q 'pass ring' '$WORK/first.$kind.log' && ! grep @bp: '$WORK/first.$kind.log'"
	if [ $kind = pty ]; then
		down
		continue
	fi
	check "$kind: the second part" pull "second.$kind" 'test timer\ncov counters\n'
	check "$kind: the second part again" pull "third.$kind" 'test ring\ncov counters\n'
	down
	first=$WORK/first.$kind.capture
	second=$WORK/second.$kind.capture
	third=$WORK/third.$kind.capture

	# For comparison, each capture is converted to a profile, and the profiles are merged. Profiles do not have
	# the nonces by which merge distinguishes boots.
	for one in first second; do
		"$BAREPROF" pull --elf "$elf" "$WORK/$one.$kind.capture" -o "$WORK/$one.profraw" 2>/dev/null
	done
	text "$elf" "$WORK/first.profraw" "$WORK/second.profraw" >"$WORK/sum"
	check "$kind: captures with a reset in between add up" sh -c \
		"'$BAREPROF' merge --elf $elf --text -o '$WORK/added' '$first' '$second' 2>'$WORK/err' && cmp '$WORK/added' '$WORK/sum'"
	check "$kind: captures with a reset in between: no warning" test ! -s "$WORK/err"
	for one in test_ring test_timer; do
		check "$kind: $one ran" sh -c "grep -A 6 '^$one\$' '$WORK/sum' | tail -n 1 | grep -qx 1"
	done

	# The later capture includes the counts of the earlier capture. Their sum has these counts twice, and merge
	# must warn about that.
	for order in "$second $third" "$third $second"; do
		# shellcheck disable=SC2086
		"$BAREPROF" merge --elf "$elf" --text -o "$WORK/twice" $first $order 2>"$WORK/err"
		# shellcheck disable=SC2086
		set -- $order
		check "$kind: captures without a reset: a warning names both" grep -qF \
			"$2: warning: comes from the same boot as $1 with no reset in between, so counts were added twice: " "$WORK/err"
		check "$kind: captures without a reset: one warning" test "$(wc -l <"$WORK/err")" -eq 1
	done
done
cat "$WORK/second.unix.capture" "$WORK/third.unix.capture" >"$WORK/joined"
text "$elf" "$WORK/third.unix.capture" >"$WORK/third" 2>/dev/null
check "two captures without a reset in one file: the later counts" sh -c \
	"'$BAREPROF' merge --elf $elf --text -o '$WORK/one' '$WORK/joined' && cmp '$WORK/one' '$WORK/third'"

# If the dump is damaged, is incomplete or cannot be written, the guest must keep its counters.
boot "unix:$WORK/guest,server=on,wait=on"
guest=$where
kept() {
	where=$guest
	check "$1: the exit code" test "$2" -eq "$3"
	check "$1: the guest did not reset its counters" test "$(resets)" = 0
	check "$1: no file is written" test ! -e "$WORK/bad.capture"
}
for how in lose cut; do
	python3 tests/host/lib/relay.py "$WORK/guest" "$WORK/relay" $how &
	relay=$!
	while [ ! -S "$WORK/relay" ]; do sleep 0.05; done
	where=unix:$WORK/relay
	pull bad 'test\ncov counters\n' --timeout 2 --then 'cov reset\n'
	status=$?
	kill $relay 2>/dev/null
	wait $relay 2>/dev/null
	rm -f "$WORK/relay"
	case $how in
	lose) kept "a character is lost" $status 5 ;;
	cut) kept "the line is cut" $status 1 ;;
	esac
	check "$how: block 1 is named" grep -Eq 'the dump [0-9a-f]{8} is incomplete: .*block' "$WORK/err"
done
"$BAREPROF" pull "$where" --send 'cov counters\n' --timeout 20 -o /dev/full --then 'cov reset\n' >/dev/null 2>&1
kept "a full disk" $? 3
"$BAREPROF" pull "$where" --send 'cov counters\n' --timeout 20 --elf "$BAREPROF" -o "$WORK/bad.capture" --then 'cov reset\n' \
	>/dev/null 2>&1
kept "the wrong ELF file" $? 1
check "after these failures, a complete dump" pull good 'cov counters\n' --then 'cov reset\n'
check "after these failures, the counters are reset" test "$(resets)" = 1
down
"$BAREPROF" merge --elf "$elf" --text -o "$WORK/good" "$WORK/good.capture"
check "after these failures, no counts were lost" sh -c "grep -A 6 '^test_ring\$' '$WORK/good' | tail -n 1 | grep -qx 2"

refuses "--then with --list" '--then cannot be combined with --list' \
	"$BAREPROF" pull "$guest" --then x --list
refuses "--then with --partial" '--then cannot be combined with --partial' "$BAREPROF" pull "$guest" --then x --partial
refuses "--then with a file" 'is not a live source: .* --then' "$BAREPROF" pull "$WORK/joined" --then x
