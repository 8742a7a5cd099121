#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ask.sh: tests `bareprof pull --ask`, which asks the target for blocks that a bad line has lost, and targets that repeat
# their dump. In most tests the target is the real runtime, compiled for the host, and tests/host/programs/badline.c is
# the line. In the last tests a guest in QEMU answers.
. "$(dirname "$0")/lib/live.sh"
badline=build/tests/bin/badline
rounds=${BAREPROF_WIDE:+500}
logged=${BAREPROF_WIDE:+200}
# In few rounds, chance and a busy machine have more weight.
most=${BAREPROF_WIDE:+150}

# A third of the lost lines are dropped, the others are damaged or cut. Others are repeated.
$badline "$BAREPROF" "$WORK" 1 ${rounds:-20} drop 3 damage 7 repeat 10 most ${most:-200}
$badline "$BAREPROF" "$WORK" 1 ${rounds:-20} drop 17 damage 33 repeat 50 most ${most:-200}
$badline "$BAREPROF" "$WORK" 1 ${rounds:-40} drop 50 damage 100 repeat 150 most ${most:-200}
$badline "$BAREPROF" "$WORK" 1001 ${logged:-20} drop 50 damage 100 repeat 150 log 25 most ${most:-200}
$badline "$BAREPROF" "$WORK" 2001 $((${rounds:-20} / 5)) drop 50 damage 100 repeat 150 habit repeats log 10
$badline "$BAREPROF" "$WORK" 2501 2 drop 60 habit repeats pause 3500
$badline "$BAREPROF" "$WORK" 3001 $((${rounds:-50} / 50)) drop 50 damage 100 size 1048576
$badline "$BAREPROF" "$WORK" 4001 $((${rounds:-50} / 50)) drop 50 damage 100 size 1048576 habit repeats

# A target that does not answer.
$badline "$BAREPROF" "$WORK" 5001 1 drop 300 habit silent
check "a target that does not answer: one sentence says so, and what is missing" grep -Eqx \
	'bareprof: tty:.*: stopped answering: the last 16 requests brought no block: the dump [0-9a-f]{8} is incomplete: .* missing.*; check that the target reads the requests, and dump again' \
	"$WORK/5001/err"

# The requests, as they are on the wire. feed sends a dump without the blocks 3, 7, 8 and 9.
sed -e 10q "$WORK/text" | sed -e 8,10d -e 4d >"$WORK/input"
sed -n '11,$p' "$WORK/text" >>"$WORK/input"
rm -f "$out"
$feed unix socket "$WORK/socket" await '>' typed "$WORK/asked" first "$(cat "$WORK/input")
" -- "$BAREPROF" pull unix:{} --ask 'again <%s>\r\n' --wait 0.3 -o "$out" </dev/null >/dev/null 2>"$WORK/err"
check "a request names the missing blocks" grep -q 'again <3,7-9\.' "$WORK/asked"
# The check of the request must be the one that docs/SPEC.md describes: that of BEGIN's payload and the list.
python3 - "$WORK/text" >"$WORK/request" <<'END'
import sys
sys.path.insert(0, "tests/capture")
import base64
import decode
line = open(sys.argv[1], "rb").readline().split(b"@bp:")[1].split()[0]
block = base64.b64decode(line + b"=" * (-len(line) % 4))
# Type, image, index and tag take 7 bytes, then comes the length of the payload, of one or two bytes.
payload = block[8 + (block[7] > 127):-4]
print(f"again <3,7-9.{decode.crc32c(payload + b'3,7-9')}>")
END
check "the check of a request is that of SPEC.md" sh -c "tr -d '\r' <'$WORK/asked' | grep -Fxq \"\$(cat '$WORK/request')\""
not_written "blocks that never come"

refuses "--ask without a place for the blocks" "--ask 'again.n' does not contain %s exactly once" \
	"$BAREPROF" pull "unix:$WORK/none" --ask 'again\n' -o "$out"
refuses "--ask with two places" "does not contain %s exactly once" "$BAREPROF" pull "unix:$WORK/none" --ask '%s %s' -o "$out"
refuses "--ask with a wrong escape" "--ask: '.0' is not an escape" "$BAREPROF" pull "unix:$WORK/none" --ask '%s\0' -o "$out"
for option in "--until x" --list "--all $WORK/all"; do
	# shellcheck disable=SC2086
	refuses "--ask with $option" "--ask cannot be combined with ${option%% *}" "$BAREPROF" pull "unix:$WORK/none" --ask %s $option
done
refuses "--ask with a file" 'is not a live source: .* --ask' "$BAREPROF" pull "$WORK/text" --ask %s -o "$out"
refuses "--ask with --watch" '--ask cannot be combined with --watch' "$BAREPROF" pull "unix:$WORK/none" --watch 1 --ask %s
refuses "--ask with --from" '--ask cannot be combined with --from' "$BAREPROF" pull --from debugfs --ask %s

# A guest in QEMU.
if ! command -v qemu-system-x86_64 >/dev/null; then
	skip "a guest: no qemu-system-x86_64"
	exit 0
fi
elf=build/tests/host/ask/image/kernel.elf
check "image" make -s image BOARD=x86_64 DROPIN="$DROP_IN" OUT="$(dirname $elf)"

# pull_from WHERE NAME OPTION...: pulls the guest's counters to NAME.profraw.
pull_from() {
	from=$1
	name=$2
	shift 2
	"$BAREPROF" pull "$from" --elf "$elf" --timeout 60 -o "$WORK/$name.profraw" --log "$WORK/$name.log" "$@" 2>"$WORK/err"
}

boot "unix:$WORK/guest,server=on,wait=on"
for seed in 1 2 3 ${BAREPROF_WIDE:+4 5 6 7 8 9 10 11 12}; do
	python3 tests/host/lib/noisy.py "$WORK/guest" "$WORK/noisy" $seed 150 >"$WORK/noise" &
	noise=$!
	while [ ! -S "$WORK/noisy" ]; do sleep 0.05; done
	check "a guest behind a bad line, seed $seed" pull_from "unix:$WORK/noisy" bad --send 'cov serve\n' --ask 'cov block %s\n'
	wait $noise
	rm -f "$WORK/noisy"
	# The guest still serves the same dump. A good line must give the same profile.
	check "a guest behind a bad line, seed $seed: the same dump by a good line" \
		pull_from "unix:$WORK/guest" good --send 'cov serve\n' --ask 'cov block %s\n' --then 'cov end\n'
	check "a guest behind a bad line, seed $seed ($(cat "$WORK/noise")): the profiles are equal" \
		cmp "$WORK/bad.profraw" "$WORK/good.profraw"
done
"$BAREPROF" pull "unix:$WORK/guest" --send 'cov info\n' --until 'build id ' --list --timeout 5 >"$WORK/info" 2>&1
check "the guest's shell goes on after 'cov end'" grep -q '^build id ' "$WORK/info"
down

# A guest that repeats its dump.
boot "unix:$WORK/guest,server=on,wait=on"
python3 tests/host/lib/noisy.py "$WORK/guest" "$WORK/noisy" 5 0 >"$WORK/noise" &
noise=$!
while [ ! -S "$WORK/noisy" ]; do sleep 0.05; done
check "a guest starts to repeat its dump" pull_from "unix:$WORK/noisy" first --send 'cov repeat\n'
wait $noise
rm -f "$WORK/noisy"
python3 tests/host/lib/noisy.py "$WORK/guest" "$WORK/noisy" 6 150 >"$WORK/noise" &
noise=$!
while [ ! -S "$WORK/noisy" ]; do sleep 0.05; done
check "a guest that repeats its dump over a bad line" pull_from "unix:$WORK/noisy" again
check "a guest that repeats its dump ($(cat "$WORK/noise")): the profiles are equal" cmp "$WORK/first.profraw" "$WORK/again.profraw"
down
