#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pull.sh: tests the files, names, messages and exit codes of `bareprof pull`. programs/damage.c tests damaged dumps.
. "$(dirname "$0")/../lib.sh"
emit=build/tests/bin/emit
out=$WORK/out.profraw

pulls() {
	rm -f "$out"
	"$BAREPROF" pull "$1" -o "$out" && cmp "$out" "$WORK/expected"
}
# refused WHAT STATUS PATTERN ARGUMENT...: pull with these arguments must exit with STATUS and print a message that
# matches PATTERN. It must leave no output and no temporary file.
refused() {
	what=$1
	status=$2
	pattern=$3
	shift 3
	rm -f "$out"
	refuses "$what" "$pattern" "$BAREPROF" pull "$@"
	"$BAREPROF" pull "$@" >/dev/null 2>&1
	check "$what: status $status" test $? -eq "$status"
	check "$what: no file" sh -c "! ls '$out'* 2>/dev/null"
}

for form in text frames file; do
	$emit $form -1 1 "$WORK/expected" >"$WORK/$form"
	check "$form" pulls "$WORK/$form"
	check "$form by a pipe" sh -c "cat '$WORK/$form' | '$BAREPROF' pull - -o '$out' && cmp '$out' '$WORK/expected'"
	$emit $form 17 >"$WORK/gap"
	refused "$form without block 17" 1 'block 17 of [0-9]+ is missing' "$WORK/gap" -o "$out"
	$emit $form 0 >"$WORK/gap"
	refused "$form without BEGIN" 1 'block 0 \(BEGIN\) of [0-9]+ is missing' "$WORK/gap" -o "$out"
	size=$(wc -c <"$WORK/$form")
	head -c $((size / 2)) "$WORK/$form" >"$WORK/gap"
	refused "$form cut in the middle" 1 'it ends after block [0-9]+ of [0-9]+ \(END is missing\)' \
		"$WORK/gap" -o "$out"
done
$emit text 5 >"$WORK/gap"
sed '10,13s/A/B/' "$WORK/gap" >"$WORK/worse"
refused "damaged lines" 1 'missing; .*; 4 damaged lines were dropped' "$WORK/worse" -o "$out"
cat "$WORK/gap" "$WORK/text" >"$WORK/both"
check "two logs of one dump, joined" pulls "$WORK/both"

$emit text -1 2 >"$WORK/older"
$emit text 9 1 >"$WORK/newer"
cat "$WORK/older" "$WORK/newer" >"$WORK/both"
refused "an incomplete last dump" 1 'block 9 of .* an older dump is complete: --dump [0-9a-f]{8}' "$WORK/both" -o "$out"
tag=$("$BAREPROF" pull "$WORK/both" -o "$out" 2>&1 | sed 's/.*--dump \([0-9a-f]*\).*/\1/')
check "the older dump with --dump" "$BAREPROF" pull "$WORK/both" -o "$out" --dump "$tag"
check "--dump by its old names, --session and -s" sh -c "'$BAREPROF' pull '$WORK/both' -o '$out' --session $tag &&
	'$BAREPROF' pull '$WORK/both' -o '$out' -s $tag && ! '$BAREPROF' pull --help | grep -q session"
refused "--dump with a word that is not a dump" 2 "'last' is not the name of a dump" "$WORK/both" -o "$out" --dump last
"$BAREPROF" pull --list "$WORK/both" >"$WORK/list"
check "--list has both dumps" test "$(wc -l <"$WORK/list")" -eq 2
check "--list: complete" grep -q "^$tag .*2280 bytes  complete\$\|^$tag .* complete\$" "$WORK/list"
check "--list: incomplete" grep -q 'block 9 of [0-9]* is missing$' "$WORK/list"

echo "only text" >"$WORK/none"
refused "a log without a dump" 1 "contains no dump: it has no lines with '@bp:'" "$WORK/none" -o "$out"
refused "a file that does not exist" 3 'cannot be opened' "$WORK/nothing" -o "$out"
refused "a .profraw" 1 'is already a .profraw' "$WORK/expected" -o "$out"
cp "$WORK/text" "$WORK/console.profraw"
refused "an output that is the input" 2 'would be overwritten' "$WORK/console.profraw"

{
	echo "first line"
	sed -n '1,20p' "$WORK/text"
	echo "between"
	sed -n '21,$p' "$WORK/text"
	echo "last line"
} >"$WORK/mixed"
"$BAREPROF" pull "$WORK/mixed" -o "$out" --log "$WORK/log" 2>/dev/null
printf 'first line\nbetween\nlast line\n' >"$WORK/log.expected"
check "--log keeps the console without the dump" cmp "$WORK/log" "$WORK/log.expected"

mkdir -p "$WORK/folder"
cp "$WORK/text" "$WORK/folder/console.log"
check "the default name of the output" "$BAREPROF" pull "$WORK/folder/console.log"
check "the default name of the output: the profile is there" cmp "$WORK/folder/console.profraw" "$WORK/expected"
check "the output has the usual permissions" test "$(stat -c %a "$WORK/folder/console.profraw")" = \
	"$(printf '%o' $((0666 & ~0$(umask))))"
echo precious >"$out"
"$BAREPROF" pull "$WORK/gap" -o "$out" 2>/dev/null
check "after an error the old file is unchanged" grep -q precious "$out"
refuses "a folder that does not exist" 'cannot be created' "$BAREPROF" pull "$WORK/text" -o "$WORK/no/out.profraw"
if [ -e /dev/full ]; then
	refuses "a full disk" '/dev/full: cannot be written: No space' "$BAREPROF" pull "$WORK/text" -o /dev/full
fi
if [ "$(id -u)" -ne 0 ]; then
	mkdir -p "$WORK/closed"
	chmod 555 "$WORK/closed"
	refuses "a folder without permission" 'cannot be created: Permission' \
		"$BAREPROF" pull "$WORK/text" -o "$WORK/closed/out"
else
	skip "a folder without permission: root can write everywhere"
fi
# A limit for the size of files stops pull while it writes. No file may be left over.
rm -f "$out"
refuses "a disk that fills up" 'cannot be written: File too large; the output file was not created or changed' \
	sh -c "trap '' XFSZ; ulimit -f 1; '$BAREPROF' pull '$WORK/text' -o '$out'"
check "a disk that fills up: no file is left over" sh -c "! ls '$out'* 2>/dev/null"
