#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# losses.sh: tests `bareprof pull` from a target whose dump arrives with losses. If no more blocks
# arrive for a few seconds after the end of the dump, pull must end and name what is missing.
. "$(dirname "$0")/lib/live.sh"

# within WHAT LOW HIGH STATUS KIND FEED-OPTIONS PULL-OPTIONS: runs `live`, and checks that pull took LOW to HIGH
# milliseconds.
within() {
	label=$1
	low=$2
	high=$3
	shift 3
	start=$(date +%s%N)
	live "$1" "$label" "$2" "$3" "$4"
	took=$((($(date +%s%N) - start) / 1000000))
	check "$label: ended after $took ms" test $took -ge "$low" -a $took -le "$high"
}
# The tests run this script in place of bareprof. The script runs bareprof, and ends it if it runs for 12 seconds.
printf '#!/bin/sh\nexec timeout 12 "%s" "$@"\n' "$BAREPROF" >"$WORK/bareprof"
chmod +x "$WORK/bareprof"
BAREPROF=$WORK/bareprof
grace=2900
soon=7000

sed 9d "$WORK/mixed" >"$WORK/input"
within "a line is missing" $grace $soon 1 pty "" ""
has "a line is missing: says so" \
	'sent no more blocks for 3 s after the end of a dump: the dump [0-9a-f]{8} is incomplete: block 7 of [0-9]+ is missing; dump again'
one_line "a line is missing"
not_written "a line is missing"
# END and a line before it are damaged. The console continues to print.
{
	sed -e "10s/A/B/" -e "${blocks}s/A/B/" "$WORK/text"
	i=0
	while [ $i -lt 1200 ]; do
		i=$((i + 1))
		echo "[$i] a console that talks on and on, line after line, minute after minute"
	done
} >"$WORK/input"
within "END is damaged, the console talks" $grace 12000 1 pty "rate 115200" ""
has "END is damaged: says so" 'END is missing|blocks 9 and [0-9]+ of [0-9]+ are missing; 2 damaged lines were dropped'
# The target sends the dump a second time, so that the dump becomes complete.
{
	sed 9d "$WORK/text"
	cat "$WORK/text"
} >"$WORK/input"
within "the target sends it twice, with a pause" 0 $soon 0 pty "pause $(sed 9d "$WORK/text" | wc -c)" ""
written "the target sends it twice"
# With --until, the user determines when pull ends, so pull does not wait for more blocks.
sed 9d "$WORK/mixed" >"$WORK/input"
within "--until" 0 2500 1 pty "" "--until bye"
# The next tests use frames, two dumps and --all. Each of them takes 3 seconds.
[ -n "$BAREPROF_WIDE" ] || exit 0
build/tests/bin/emit frames 5 1 >"$WORK/input"
within "a frame is missing" $grace $soon 1 pty "" ""
has "a frame is missing: says so" 'is incomplete: block 5 of [0-9]+ is missing'
# Both dumps are incomplete. pull must not write the second dump in place of the first.
{
	sed 9d "$WORK/text"
	head -n 20 "$WORK/second"
	sed 1,24d "$WORK/second"
} >"$WORK/input"
within "two dumps with losses" $grace $soon 1 pty "" ""
has "two dumps with losses: both are named" 'block 8 of [0-9]+ is missing'
has "two dumps with losses: the second too" 'blocks 20 to 23 of [0-9]+ are missing'
to="--all $WORK/all"
sed 9d "$WORK/mixed" | cat - "$WORK/second" >"$WORK/input"
within "--all" $grace $soon 1 pty "" ""
has "--all: says what is missing" 'the dump [0-9a-f]{8} is incomplete: block 7 of'
check "--all: the complete one is there" sh -c "cmp '$WORK/all'/* '$WORK/expected'"
