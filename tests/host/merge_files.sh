#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_files.sh: tests `bareprof merge` with files that cannot be read or written, with pipes, with signals and on a
# terminal. merge must write its output completely or not at all.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1

printf 'f\n24\n1\n3\n' >one.proftext
printf 'f\n24\n1\n4\ng\n1\n1\n1\n' >two.proftext
"$BAREPROF" merge -o sum one.proftext two.proftext
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "f%d\n24\n1\n%d\n", i, i }' >large.proftext
"$BAREPROF" merge -o large.profdata large.proftext
mkdir folder

# refused WHAT PATTERN EXIT-CODE COMMAND...: COMMAND must fail with EXIT-CODE and a message that matches PATTERN, and
# must leave no new file in the folder.
refused() {
	what=$1 pattern=$2 code=$3
	shift 3
	files >before
	refuses "$what" "$pattern" "$@"
	"$@" >refuses.out 2>&1
	check "$what: exit code $code" [ $? -eq "$code" ]
	files >after
	check "$what: no file is left over" diff before after
}
files() { find . ! -name 'refuses.*' ! -name check.log ! -name before ! -name after | sort; }
refused "full disk" '^bareprof: /dev/full: cannot be written: No space' 3 "$BAREPROF" merge -o /dev/full one.proftext
refused "standard output is full" '^bareprof: -: cannot be written: No space' 3 \
	sh -c "'$BAREPROF' merge -o - one.proftext >/dev/full"
refused "a file size limit" '^bareprof: out: cannot be written: File too large; the output file was not created or changed' 3 \
	sh -c "ulimit -f 1; '$BAREPROF' merge -o out large.proftext"
refused "an output folder that does not exist" '^bareprof: no/out: cannot be created: .*check the folder' 3 \
	"$BAREPROF" merge -o no/out one.proftext
refused "folder without permission" '^bareprof: /proc/out: cannot be created: .*check the folder' 3 \
	"$BAREPROF" merge -o /proc/out one.proftext
refused "an output that is a folder" '^bareprof: folder: cannot be opened for writing: Is a directory' 3 \
	"$BAREPROF" merge -o folder one.proftext
refused "an input folder without files" '^bareprof: folder: has no files in it; name the profiles' 1 "$BAREPROF" merge -o out folder
refused "a missing input" '^bareprof: nowhere: cannot be opened: No such file' 3 \
	"$BAREPROF" merge -o out one.proftext nowhere
cp sum kept
refused "an output that existed before" 'File too large' 3 \
	sh -c "ulimit -f 1; '$BAREPROF' merge -o kept large.proftext"
check "an output that existed before is unchanged" cmp sum kept

# Tests unusual inputs and outputs: pipes, and a file that is both input and output.
cp one.proftext same
refused "the output is an input" 'same: --output would overwrite the input same; name another file' 2 \
	"$BAREPROF" merge -o same same two.proftext
check "the output is an input: it is as it was" cmp one.proftext same
ln -s one.proftext link
check "one file with two names is two inputs" sh -c \
	"'$BAREPROF' merge --text -o - link one.proftext | grep -qx 6"
check "standard input and output" sh -c "'$BAREPROF' merge -o - one.proftext - <two.proftext | cmp - sum"
mkfifo in out_pipe
cat two.proftext >in &
check "a pipe as input" "$BAREPROF" merge -o piped one.proftext in
check "a pipe as input: the sum" cmp sum piped
cat out_pipe >piped &
check "a pipe as output" "$BAREPROF" merge -o out_pipe one.proftext two.proftext
wait
check "a pipe as output: the sum" sh -c "cmp sum piped && [ -p out_pipe ]"
{ sleep 0.1; "$BAREPROF" merge -o - one.proftext 2>refuses.err; echo $? >refuses.rc; } | true
check "nobody reads the output: it ends as head's writers do" test "$(cat refuses.rc)" -eq 141
check "nobody reads the output: without a word" test ! -s refuses.err

# While merge reads a file, another program empties it and fills it again.
cp large.profdata moving
(
	while [ -e moving ]; do
		: >moving
		cat large.profdata >moving
	done
) 2>/dev/null &
mover=$!
shrinking() {
	whole=0
	rounds=60
	while [ $rounds -gt 0 ]; do
		rounds=$((rounds - 1))
		rm -f merged
		"$BAREPROF" merge -o merged moving >said 2>&1
		code=$?
		if [ $code -eq 0 ]; then
			cmp large.profdata merged || return 1
			whole=$((whole + 1))
		elif [ $code -ne 1 ] || [ "$(wc -l <said)" -ne 1 ] || [ -e merged ]; then
			echo "exit code $code" && cat said
			return 1
		fi
	done
	echo "$whole" >whole
}
check "a file that shrinks while it is read: read completely, or refused" shrinking
check "a file that shrinks while it is read: refused at least once" [ "$(cat whole)" -lt 60 ]
rm -f moving
kill $mover 2>/dev/null
wait
rm -f moving

# A Python program sends signals to merge while merge writes its output, and while it waits for input.
cat >signals.py <<'PYTHON'
import filecmp, os, signal, subprocess, sys, time

bareprof, number = sys.argv[1], getattr(signal, sys.argv[2])
# A shell makes its background programs ignore SIGINT. Therefore Python sets the signal's action itself: ignored or
# default, as the test needs.
subprocess.run([bareprof, "merge", "--text", "-o", "whole", "large.profdata"], check=True)
handler = signal.SIG_IGN if "ignored" in sys.argv else signal.SIG_DFL
for attempt in range(20):
    merge = subprocess.Popen([bareprof, "merge", "--text", "-o", "sigs/out", "large.profdata"],
        preexec_fn=lambda: signal.signal(number, handler))
    while merge.poll() is None:
        if any(name.startswith("out.") for name in os.listdir("sigs")):
            merge.send_signal(number)
            break
    code = merge.wait()
    left = os.listdir("sigs")
    if "ignored" in sys.argv:
        sys.exit(code != 0 or left != ["out"])
    if code == -number and not left:
        sys.exit(0)
    if code not in (0, -number) or left != ["out"] or not filecmp.cmp("sigs/out", "whole", shallow=False):
        sys.exit(f"ended with {code}, left {left}")
    os.remove("sigs/out")  # it was done before the signal came
sys.exit("it was always done before the signal came")
PYTHON
mkdir sigs
for signal in SIGINT SIGTERM SIGHUP; do
	check "$signal while writing: nothing is left" python3 signals.py "$BAREPROF" $signal
done
check "SIGHUP under nohup: merge goes on" python3 signals.py "$BAREPROF" SIGHUP ignored
cat >waiting.py <<'PYTHON'
import signal, subprocess, sys, time

merge = subprocess.Popen([sys.argv[1], "merge", "-o", "waited", "in"],
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(0.2)
merge.send_signal(signal.SIGINT)
sys.exit(merge.wait(timeout=5) != -signal.SIGINT)
PYTHON
check "SIGINT while merge waits for a pipe" python3 waiting.py "$BAREPROF"
check "SIGINT while merge waits for a pipe: nothing was written" [ ! -e waited ]

# merge shows its progress only on a terminal, and only if it takes long.
slow() {
	{ sleep 0.7 && cat two.proftext; } >in &
	"$@" >seen 2>&1
	wait
}
merge_slowly="$BAREPROF merge -j 1 -o progress.profdata in one.proftext"
slow script -qec "$merge_slowly" /dev/null
check "terminal: merge shows its progress" grep -q '1 of 2 inputs, 0\.0 MB, 0\.0 MB/s' seen
check "terminal: the line of progress disappears" sh -c "tail -c 4 seen | od -An -c | grep -Fq '\\r 033   [   K'"
check "terminal: the sum" cmp sum progress.profdata
# shellcheck disable=SC2086
slow $merge_slowly
check "no terminal: no progress" [ ! -s seen ]
script -qec "$BAREPROF merge -o progress.profdata two.proftext one.proftext" /dev/null >seen </dev/null
check "a quick merge: no progress" [ ! -s seen ]
