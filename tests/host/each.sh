#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# each.sh: tests `bareprof run` with the options for CI: --each, --retries, --junit, and arguments for QEMU. The first
# tests use a script in place of QEMU. The script does what each case needs. The last tests boot the demo kernel.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/guest.sh

elf=$BAREPROF # any ELF file of this machine
boards=$WORK/boards
BAREPROF_BOARDS=$boards
export BAREPROF_BOARDS
out=$WORK/profiles
junit=$WORK/junit.xml
build/tests/bin/emit text -1 1 "$WORK/expected" >"$WORK/text"
build/tests/bin/emit text 8 >"$WORK/damaged"
build/tests/bin/emit frames >"$WORK/frames"
command -v xmllint >/dev/null || not_ok "xmllint is not installed; the package is libxml2-utils"

# The script acts as a guest with a shell that prints a prompt and echoes its input. Each start adds a line to the
# file boots.
mkdir -p "$boards/shell"
cat >"$boards/shell/board.conf" <<END
machine = none
exit = plain
qemu = {board}/qemu {dump}
END
cat >"$boards/shell/qemu" <<END
#!/bin/sh
echo "\$*" >>'$WORK/boots'
side=\$1
[ ! -e '$WORK/mute' ] || { echo "\$\$" >'$WORK/pid'; exec sleep 1000; }
printf 'hello\r\n> '
while read -r line; do
	printf '%s\r\n' "\$line"
	case \$line in
	dump) cat '$WORK/text' ;;
	save) cat '$WORK/frames' >>"\$side" ;;
	cut) sed 9d '$WORK/text' ;;
	good*) echo pass ;;
	bad) echo "FAIL \$line" ;;
	odd) printf 'a<b>&"]]>\033[31m\001\377\302\240\355\240\200\357\277\277\r\n' ;;
	long) i=0; while [ \$i -lt 9000 ]; do echo "line \$i of a test that says a lot"; i=\$((i + 1)); done ;;
	crash) exit 3 ;;
	reset-me) exit 0 ;;
	poison) poisoned=yes ;;
	moody)
		if rm '$WORK/once' 2>/dev/null || [ -n "\$used" ]; then echo FAIL; else echo pass; fi
		used=yes
		;;
	reset) [ -z "\$poisoned" ] || exit 3 ;;
	last) cat '$WORK/text'; exit 4 ;;
	once) rm '$WORK/once' 2>/dev/null && exit 3; echo pass ;;
	hang) echo "\$\$" >'$WORK/pid'; exec sleep 1000 ;;
	bye) echo "bye" >>'$WORK/bye'; exit 0 ;;
	esac
	printf '> '
done
END
chmod +x "$boards/shell/qemu"

# plan LINE...: writes the file for --each. It starts with lines that are the same for every test, and ends with these
# LINEs.
plan() {
	printf '%s\n' 'ready = ^> $' 'reset = reset\n' 'dump = dump\n' 'timeout = 20' "$@" >"$WORK/plan"
}
# each STATUS WHAT [OPTION...]: `bareprof run --each` with the file that `plan` wrote must exit with
# STATUS.
each() {
	want=$1
	what=$2
	shift 2
	rm -rf "$out" "$junit" "$WORK/boots"
	"$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" --junit "$junit" --log "$WORK/log" "$@" "$elf" \
		>"$WORK/out" 2>"$WORK/err" </dev/null
	got=$?
	if [ $got -eq "$want" ]; then
		ok "$what: status $want"
	else
		not_ok "$what: status $got, not $want"
		sed 's/^/    /' "$WORK/out" "$WORK/err"
	fi
	[ ! -e "$junit" ] || valid "$what"
}
valid() { check "$1: the report is valid" xmllint --noout --schema tests/host/lib/junit.xsd "$junit"; }
says() { check "$1" grep -Eq -- "$2" "$WORK/out"; }
has() { check "$1" grep -Eq -- "$2" "$WORK/err"; }
boots() { check "$1: $2 boots" test "$(wc -l <"$WORK/boots")" -eq "$2"; }
# xml WHAT PATH TEXT: the JUnit report must have TEXT at PATH.
xml() {
	found=$(xmllint --xpath "string($2)" "$junit" 2>/dev/null)
	case $found in
	$3) ok "$1" ;;
	*) not_ok "$1: '$found', not '$3'" ;;
	esac
}
wrote() { check "$1: written" cmp "$out/$1.profraw" "$WORK/expected"; }
lacks() { check "$1: not written" test ! -e "$out/$1.profraw"; }

plan 'test a = good a\n' 'test b = good\x20b\n' 'test c-3 = good\n' 'end = bye\n' 'pass = ^pass$' 'fail = ^FAIL'
each 0 "three tests that pass"
for test in a b c-3; do wrote $test; done
boots "three tests that pass" 1
check "three tests that pass: a line for each, and a sum" sh -c \
	"[ \$(grep -Ec '^(a  |b  |c-3)  passed  [0-9.]+ s  [0-9]+ of 40 functions$' '$WORK/out') -eq 3 ] &&
	grep -q '^3 passed; 3 profiles in $out$' '$WORK/out' && [ \$(wc -l <'$WORK/out') -eq 4 ] && [ ! -s '$WORK/err' ]"
check "three tests that pass: the end is typed once" test "$(cat "$WORK/bye")" = bye
check "three tests that pass: the log has the whole console" sh -c "grep -q '^hello' '$WORK/log' && [ \$(grep -c '@bp:' '$WORK/log') -gt 90 ] && grep -q '^> bye' '$WORK/log'"
xml "report: tests" /testsuites/@tests 3
xml "report: a name" '//testcase[2]/@name' b
xml "report: class name" '//testcase[2]/@classname' bareprof
xml "report: board" '//property[@name="board"]/@value' shell
xml "report: where the profile is" '//property[@name="profile:c-3"]/@value' "$out/c-3.profraw"
xml "report: console" '//testcase[1]/system-out' "hello
> reset
> good a
pass
> dump
> "

plan 'test a = good\n' 'test crash = crash\n' 'test last = last\n' 'test bad = bad\n' 'test mum = mum\n' \
	'test hang = hang\n' 'test cut = cut\n' 'test z = good\n' 'pass = ^pass$' 'fail = ^FAIL'
mkdir -p "$out"
each 4 "one of each kind" --timeout 0.7
for test in a last bad mum z; do wrote $test; done
for test in crash hang; do lacks $test; done
boots "one of each kind" 4
says "a crash" '^crash  FAILED .* s  its guest ended with status 3$'
says "a crash after a dump" '^last   FAILED .*of 40 functions  its guest ended with status 4; its profile had already arrived$'
says "a verdict" "^bad    FAILED .*  the console has the line 'FAIL bad', which reports a failure$"
says "no verdict" "^mum    FAILED .*  no line of the console matches '\^pass\\$'$"
says "a hang" '^hang   FAILED .*  did not end within 0.7 seconds$'
says "the console of a test that failed" '^    \| FAIL bad$'
says "the sum" '^2 passed, 6 FAILED; 6 profiles in '
check "the guest that hangs was stopped" gone
xml "report: failures" /testsuites/@failures 6
xml "report: kind" '//testcase[@name="hang"]/failure/@type' timeout
xml "report: reason" '//testcase[@name="crash"]/failure/@message' 'its guest ended with status 3'

plan 'test a = good\n' 'test b = good\n'
sed -i 's/^dump.*/dump = cut\\n/' "$WORK/plan"
each 4 "damaged dumps"
lacks a
says "damaged dumps: the line names the missing block" '^a  FAILED .* sent no usable dump: .*block 8 of [0-9]+ is missing'
boots "damaged dumps: a new guest each time" 2
sed -i 's/^dump.*/dump = nothing\\n/' "$WORK/plan"
each 4 "no dumps"
says "no dumps: the line says so" '^b  FAILED .* sent no dump$'
sed -i 's/^dump.*/dump = save\\n/' "$WORK/plan"
each 0 "dumps by the side channel"
wrote a
wrote b
boots "dumps by the side channel" 1
check "a profile of an earlier run is there" test -e "$out/b.profraw"
sed -i 's/^test b.*/test b = crash\\n/' "$WORK/plan"
"$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" "$elf" >/dev/null 2>&1
lacks b

plan 'test a = poison\n' 'test b = good\n' 'test c = good\n'
each 4 "an end at the reset"
lacks b # what the console has is the dump of a
wrote c

# Tests a guest without a prompt.
plan 'test a = good\n' 'test b = good\n'
sed -i /ready/d "$WORK/plan"
each 0 "without a prompt"
wrote a
wrote b
boots "without a prompt" 1
printf '%s\n' 'test c = last\n' >>"$WORK/plan"
each 4 "without a prompt: an end behind the dump"
says "without a prompt: an end after the dump is reported" '^c  FAILED .*ended with status 4; its profile had already'
sed -i 's/^dump.*/dump = cut\\n/; /^test [bc]/d' "$WORK/plan"
each 4 "without a prompt: damaged"
says "without a prompt: a damaged dump is found without a timeout" 'sent no usable dump: .*block 8 of'

plan 'test a = good\n' 'test flaky = once\n' 'test never = crash\n' 'test z = good\n'
: >"$WORK/once"
each 4 "retries" --retries 2
says "retries: each try is reported" '^flaky  retry  .*  try 1 of 3: its guest ended with status 3$'
says "retries: flaky" '^flaky  flaky  .*functions  try 2 of 3: passed$'
says "retries: a test that always fails" '^never  FAILED .*  try 3 of 3: '
says "retries: the sum" '^2 passed, 1 flaky, 1 FAILED; 3 profiles'
wrote flaky
boots "retries: a new guest for each" 5
xml "report: flaky" '//testcase[@name="flaky"]/flakyFailure/@message' 'its guest ended with status 3'
xml "report: a flaky test is not a failure" '//testsuite/@failures' 1
xml "report: failures of retries" 'count(//testcase[@name="never"]/rerunFailure)' 2
plan 'test flaky = once\n'
: >"$WORK/once"
each 0 "retries: only flaky" --retries 1
plan 'test flaky = moody\n' 'fail = ^FAIL'
: >"$WORK/once"
each 0 "retries: a verdict, in a new guest" --retries 1
boots "retries: a verdict, in a new guest" 2

plan 'test a = good\n' 'test odd = odd\n' 'test long = long\n' 'fail = ^a<b>'
each 4 "strange characters"
xml "report: characters that XML cannot have are replaced" '//testcase[2]/failure' 'the console has the line '\''a<b>&"]]>*31m*'
check "report: no control character" sh -c "! LC_ALL=C grep -q '[[:cntrl:]]' '$junit'"
check "report: a no-break space stays" grep -q "$(printf '\302\240')" "$junit"
xml "report: only the end of a long console" 'substring(//testcase[3]/system-out, 1, 80)' '?[0-9]*[0-9] bytes before this are left out; the file of --log contains them]*'
check "report: its size is limited" test "$(wc -c <"$junit")" -lt 160000
check "the log has the whole long console" grep -q 'line 8999 ' "$WORK/log"

# Tests guests that do not start.
plan 'test a = good\n' 'test b = good\n'
: >"$WORK/mute"
each 5 "never ready" --timeout 0.5 --retries 1
rm "$WORK/mute"
says "never ready: the line says so" "^a  FAILED .*try 2 of 2: its guest was not ready within 0.5 seconds: no line of the console matches '\^> \\$'"
has "never ready: the message counts tests that did not run" 'stopped at the test a, .*1 was not run'
xml "report: skipped" '//testcase[@name="b"]/skipped/@message' 'the run stopped before this test'
check "never ready: no folder is left" test ! -e "$out"
mkdir -p "$boards/broken"
printf 'machine = none\nqemu = false-is-not-installed\n' >"$boards/broken/board.conf"
refuses "QEMU that is not installed" 'false-is-not-installed is not installed' \
	"$BAREPROF" run -b broken --each "$WORK/plan" -o "$out" --retries 3 --junit "$junit" "$elf"
check "QEMU that is not installed: no folder is left" test ! -e "$out"

xml "QEMU that is not installed: the report has the reason" '//testcase[1]/failure/@message' 'false-is-not-installed is not installed;*'
mkdir -p "$boards/pc"
sed 's/plain/isa-debug-exit/; s,{board}/qemu,{board}/../shell/qemu,' "$boards/shell/board.conf" >"$boards/pc/board.conf"
plan 'test a = good\n' 'test b = reset-me\n' 'test c = good\n'
each 4 "a guest that is reset" -b pc
says "a guest that is reset: the line says so" '^b  FAILED .* its guest was reset or switched off without a status, perhaps after a fault$'
wrote c

# A signal must end the run.
plan 'test a = good\n' 'test b = hang\n' 'test c = good\n'
for signal in 2 15; do
	rm -rf "$out" "$WORK/pid" "$junit"
	env --default-signal=INT "$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" --junit "$junit" "$elf" \
		>"$WORK/out" 2>"$WORK/err" </dev/null &
	ours=$!
	i=0
	while [ $i -lt 100 ] && [ ! -s "$WORK/pid" ]; do sleep 0.1 && i=$((i + 1)); done
	kill -$signal $ours
	wait $ours 2>/dev/null
	check "signal $signal: it ends bareprof" test $? -eq $((128 + signal))
	has "signal $signal: the message names the test" 'a signal stopped the run during the test b; 1 further test was not run'
	wrote a
	lacks b
	check "signal $signal: the guest is gone" gone
	valid "signal $signal"
	xml "signal $signal: report: the test that was stopped" '//testcase[@name="b"]/failure/@type' signal
	xml "signal $signal: report: the test that did not run" 'count(//testcase[@name="c"]/skipped)' 1
done

# Tests full disks, on which a profile, the report or the log cannot be written.
plan 'test a = good\n' 'test b = good\n'
rm -rf "$out"
refuses "no room for a profile" 'a.profraw: cannot be written: File too large; the output file was not created or changed' \
	sh -c "(trap '' XFSZ; ulimit -f 1; exec '$BAREPROF' run -b shell --each '$WORK/plan' -o '$out' '$elf') 2>'$WORK/err' ||
	{ grep -v 'was not run' '$WORK/err' >&2; exit 3; }"
check "no room for a profile: the test does not pass" \
	grep -q '^a  FAILED .* its profile cannot be written: File too large' "$WORK/refuses.out"
check "no room for a profile: no file is left over" test ! -e "$out"
if [ -e /dev/full ]; then
	refuses "no room for the report" '/dev/full: cannot be written: No space' \
		"$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" --junit /dev/full "$elf"
	refuses "no room for the log" '/dev/full: the log could not be written completely; check that there is room' \
		"$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" --log /dev/full "$elf"
fi
refuses "a file instead of a folder" 'text: is not a folder' "$BAREPROF" run -b shell --each "$WORK/plan" -o "$WORK/text" "$elf"
refuses "a folder in a folder that does not exist" 'cannot be created: No such file' "$BAREPROF" run -b shell --each "$WORK/plan" -o "$WORK/no/x" "$elf"
refuses "a report in a folder that does not exist" 'no/x.xml: cannot be created' \
	"$BAREPROF" run -b shell --each "$WORK/plan" -o "$out" --junit "$WORK/no/x.xml" "$elf"

# wrong WHAT PATTERN LINE...: `bareprof run --each` must refuse a file with these lines before it starts a guest.
wrong() {
	what=$1
	pattern=$2
	shift 2
	printf '%s\n' "$@" >"$WORK/wrong"
	rm -f "$WORK/boots"
	refuses "$what" "wrong: $pattern" "$BAREPROF" run -b shell --each "$WORK/wrong" -o "$WORK/never" "$elf"
	[ ! -e "$WORK/boots" ] && [ ! -e "$WORK/never" ] || not_ok "$what: booted all the same"
}
good='reset = r\n'
wrong "an empty file" 'does not tell how to reset the counters: the key reset is required' ''
wrong "a file without dump =" 'does not tell how to dump: the key dump' "$good" 'test a = b'
wrong "a file without a test" "has no test: add a line 'test NAME = TEXT'" "$good" 'dump = d'
wrong "a misspelt key" "line 3: 'redy' is not a key; keys are ready, reset" "# $good" '' 'redy = x'
wrong "a line without =" "line 2: 'dump' does not have the form" "$good" 'dump'
wrong "the line number after a continued line" "line 4: 'x' is not a key" "$good" 'dump = a \' '  b' 'x = y'
wrong "an invalid regular expression" "line 1: invalid regular expression '\(a': " 'ready = (a'
wrong "an empty regular expression" 'line 1: the regular expression is empty' 'pass ='
wrong "a bad escape" "line 1: '.qz' is not an escape; use" 'reset = a\qz'
wrong "half a hexadecimal escape" "line 1: '.x4z' is not an escape" 'test a = \x4z'
wrong "a backslash at the end" "line 1: '.' is not an escape" 'test a = \\\ '
wrong "nothing to type" 'line 1: the text to type is empty' 'dump ='
wrong "a key twice" "line 2: 'reset' is given twice" "$good" "$good"
wrong "a pattern twice" "line 2: 'fail' is given twice" 'fail = a' 'fail = a'
wrong "an invalid timeout" "line 1: 'timeout' takes a number of seconds, not 'soon'" 'timeout = soon'
wrong "a test twice" "line 2: there are two tests with the name 'a'" 'test a = b' 'test a = c'
wrong "a test without a name" 'line 1: the test has no name' 'test = b'
wrong "a name with a slash" "line 1: the name 'a/b' cannot be a file name" 'test a/b = c'
wrong "a name with a space" "line 1: the name 'a b' cannot be a file name" 'test a b = c'
wrong "a name of dots" "line 1: the name '..' would make a hidden file" 'test .. = c'
wrong "a long name" 'line 1: the name of the test is longer than 200' "test $(printf %201s '' | tr ' ' x) = c"
printf 'reset = a\0b' >"$WORK/wrong"
refuses "a binary file for --each" 'wrong: is not a text file' "$BAREPROF" run -b shell --each "$WORK/wrong" "$elf"
refuses "a missing file for --each" 'none: cannot be opened' "$BAREPROF" run -b shell --each "$WORK/none" "$elf"
refuses "a folder for --each" 'cannot be read: Is a directory' "$BAREPROF" run -b shell --each "$WORK" "$elf"
refuses "too many retries" "retries takes a number from 0 to 100, not '101'" "$BAREPROF" run --retries 101 "$elf"
refuses "a negative number of retries" "retries takes a number from 0 to 100, not '-1'" "$BAREPROF" run --retries=-1 "$elf"
refuses "--each and --send" 'cannot be combined' "$BAREPROF" run --each "$WORK/plan" --send x "$elf"
refuses "--send with a bad escape" "'.q' is not an escape" "$BAREPROF" run --send '\q' "$elf"

# On a terminal, bareprof must show its progress in one line.
plan 'test a = good\n' 'test nap = hang\n'
script -qec "'$BAREPROF' run -b shell --each '$WORK/plan' -o '$out' --timeout 0.5 '$elf'" "$WORK/terminal" >/dev/null 2>&1 </dev/null
check "a terminal: the test that runs" grep -q "$(printf '\r')\[2/2\] nap 0 s$(printf '\033')\[K" "$WORK/terminal"
check "a terminal: the result of the test" grep -q "$(printf '\r\033')\[Knap  FAILED" "$WORK/terminal"

# The next tests run without --each.
#
# once STATUS WHAT INPUT [OPTION...]: `bareprof run` with INPUT as the guest's input must exit with STATUS.
once() {
	want=$1
	what=$2
	rm -f "$out" "$junit" "$WORK/boots"
	# shellcheck disable=SC2059 # the input has escapes such as \n
	input=$3
	shift 3
	printf "$input" | "$BAREPROF" run -b shell -o "$WORK/out.profraw" --junit "$junit" --log "$WORK/log" "$elf" "$@" \
		>"$WORK/out" 2>"$WORK/err"
	check "$what: status $want" test $? -eq "$want"
	valid "$what"
}
rm -rf "$out"
: >"$WORK/once"
once 0 "one dump, tried again" 'once\ndump\nbye\n' --retries 2
has "one dump, tried again: the try is reported" 'try 1 of 3: ended with status 3, and it sent no dump'
has "one dump, tried again: reported as flaky" 'try 2 of 3 passed: the result is flaky'
check "one dump, tried again: the profile" cmp "$WORK/out.profraw" "$WORK/expected"
check "one dump, tried again: the log has both tries" test "$(grep -c '^hello' "$WORK/log")" -eq 2
xml "report: one test" '//testcase/@name' bareprof
xml "report: flaky" '//testcase/flakyFailure/@type' guest
once 3 "one dump, never" 'crash\n' --retries 1
check "one dump, never: a line for each try" test "$(grep -c 'try [12] of 2: ended with status 3' "$WORK/err")" -eq 2
xml "report: failure" '//testcase/failure/@message' 'ended with status 3, and it sent no dump*'
xml "report: its console" '//testcase/system-out' '*> crash*'
once 1 "one dump, damaged" 'cut\nbye\n'
xml "report: damaged" '//testcase/failure/@type' dump
once 5 "one dump, too late" 'hang\n' --timeout 0.5
xml "report: too late" '//testcase/failure/@type' timeout
refuses "QEMU that is not installed is not tried again" 'false-is-not-installed is not installed' \
	"$BAREPROF" run -b broken --retries 3 "$elf"

once 0 "words for QEMU" 'dump\nbye\n' -- -m '2 G' --help '{elf}'
check "arguments for QEMU: after those of the board, unchanged" grep -q ' -m 2 G --help {elf}$' "$WORK/boots"
once 0 "no words for QEMU" 'dump\nbye\n' --
refuses "arguments for QEMU are not operands" 'usage: bareprof run \[OPTIONS\] ELF \[-- QEMU ARGS\]' "$BAREPROF" run -- "$elf"
refuses "other commands have operands after --" 'none: cannot be opened' "$BAREPROF" show -- "$WORK/none"

# The next tests boot real guests. Each profile must contain exactly the counts of its test; no count may be lost or
# counted twice.
unset BAREPROF_BOARDS
llvm=$(ls /usr/bin/llvm-profdata-[0-9]* | sort -V | tail -n 1)
counts() { "$llvm" show --all-functions --counts "$1" >"$1.txt"; }
for board in x86_64 mps2-an385; do
	dir=$WORK/$board
	check "$board: image" make -s image BOARD=$board DROPIN="$DROP_IN" OUT="build/tests/host/each/image-$board"
	elf=build/tests/host/each/image-$board/kernel.elf
	check "$board: qemu/demo.each" "$BAREPROF" run -b $board --each qemu/demo.each -o "$dir" --junit "$junit" "$elf"
	valid "$board"
	for test in strings format ring alloc timer task; do
		"$BAREPROF" show --all "$dir/$test.profraw" >"$dir/$test.show"
		check "$board: $test shows its own functions and no other test's" sh -c "awk '/^test_/ { name = \$1 }
			/counters?, / && name { if (\$(NF - 2)) print name; name = \"\" }' '$dir/$test.show' >'$dir/ran' &&
			grep -q '^test_$test' '$dir/ran' && ! grep -v '^test_$test' '$dir/ran'"
	done
	# Six boots ran one test each. A boot that runs all six tests must have the sum of their counts. But the six
	# boots read the line 'cov dump' six times, and the boot with all tests reads that line only once. Therefore the
	# counts of a boot without a test are added to the counts of the boot with all tests, five times.
	sed -n 's/^test [a-z]* = //p' qemu/demo.each | tr -d '\n' >"$dir/typed"
	for run in all empty; do
		typed=
		[ $run = empty ] || typed=$(cat "$dir/typed")
		check "$board: $run" "$BAREPROF" run -b $board --send "cov reset\\n${typed}cov dump\\nexit\\n" \
			-o "$dir/$run.raw" "$elf"
	done
	"$llvm" merge "$dir"/*.profraw -o "$dir/sum"
	"$llvm" merge "$dir/all.raw" --weighted-input=5,"$dir/empty.raw" -o "$dir/whole"
	counts "$dir/sum"
	counts "$dir/whole"
	check "$board: the sum of all tests is one run of all" cmp "$dir/sum.txt" "$dir/whole.txt"
	check "$board: the sum has functions" grep -q 'test_ring' "$dir/sum.txt"

	grep -v -e '^test' -e '^end' -e '^timeout' qemu/demo.each >"$WORK/plan"
	printf 'test %s\n' 'ring = test ring\n' 'panic = panic\n' 'fault = fault\n' 'hang = hang\n' 'task = test task\n' \
		>>"$WORK/plan"
	"$BAREPROF" run -b $board --each "$WORK/plan" -o "$dir.bad" --timeout 3 "$elf" >"$WORK/out" 2>&1
	check "$board: crashes: status 4" test $? -eq 4
	check "$board: crashes: the tests that wrote a profile" sh -c "ls '$dir.bad' | tr '\n' ' ' | grep -qx 'hang.profraw panic.profraw ring.profraw task.profraw '"
	says "$board: a panic" '^panic  FAILED .* ended with status 4; its profile had already arrived'
	says "$board: a fault" '^fault  FAILED .* ended with status 3$'
	says "$board: a hang" '^hang   FAILED .* did not end within 3 seconds; its profile was read from its memory$'
	counts "$dir.bad/task.profraw"
	counts "$dir/task.profraw"
	check "$board: crashes do not change the next test's counts" cmp "$dir.bad/task.profraw.txt" "$dir/task.profraw.txt"
done

# Tests a board that the user describes. It has another machine type than the boards in qemu/, and QEMU reads a file
# that is next to the description.
mkdir -p "$boards/my-pc"
printf 'QEMU finds me by {board}' >"$boards/my-pc/word"
cat >"$boards/my-pc/board.conf" <<'END'
# A PC with QEMU's machine type q35, which no board in qemu/ has.
machine = x86_64
exit = isa-debug-exit
qemu = qemu-system-x86_64 -machine q35 -m 64 -nodefaults -no-reboot -display none -monitor none -serial stdio \
	-device isa-debug-exit,iobase=0x501,iosize=1 -debugcon file:{dump} -kernel {elf} \
	-fw_cfg name=opt/word,file={board}/word
END
elf=build/tests/host/each/image-x86_64/kernel.elf
BAREPROF_BOARDS=$boards
export BAREPROF_BOARDS
check "a board of the user's own" "$BAREPROF" run -b my-pc --each qemu/demo.each -o "$out" "$elf" -- -name mine
rm "$boards/my-pc/word"
refuses "a board of the user's own without its file" 'could not be run: QEMU failed' sh -c \
	"'$BAREPROF' run -b my-pc --each qemu/demo.each -o '$out' '$elf' 2>'$WORK/err' || { grep bareprof: '$WORK/err' | head -n 1 >&2; exit 3; }"
