#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_text.sh: tests unusual text profiles. merge must accept the same texts as llvm-profdata and give the same
# result. For the other texts, it must fail with a message that names the line of the error.
. "$(dirname "$0")/../lib.sh"
newest=22
cd "$WORK" || exit 1

# verdicts WHAT TEXT: sets $ours to "yes" if bareprof accepts TEXT, and to "no" if it refuses TEXT. Sets $theirs in the
# same way for llvm-profdata.
verdicts() {
	# shellcheck disable=SC2059
	printf "$2" >in.proftext
	rm -f ours.text theirs.text
	ours=no theirs=no
	"$BAREPROF" merge --text -o ours.text in.proftext >said 2>&1 && ours=yes
	"llvm-profdata-$newest" merge -text -o theirs.text in.proftext >theirs.said 2>&1 && theirs=yes
}
# same WHAT TEXT: both programs must accept TEXT and give the same result.
#
# bad WHAT TEXT: both programs must refuse TEXT, and bareprof must name the line of the error.
same() {
	verdicts "$@"
	check "$1" sh -c "[ $ours$theirs = yesyes ] && diff theirs.text ours.text"
}
bad() {
	verdicts "$@"
	check "$1: refused" sh -c "cat said && [ $ours$theirs = nono ] && [ \$(wc -l <said) -eq 1 ] &&
		grep -Eq '^bareprof: in.proftext: is malformed(: it ends where| in line [0-9]+: .* is not )' said"
}

same "plain" 'f\n24\n1\n3\n'
same "no newline at the end" 'f\n24\n1\n3'
same "lines that end with CR LF" ':ir\r\nf\r\n24\r\n1\r\n3\r\n'
same "comments and empty lines anywhere" 'f\n# x\n24\n#y\n\n1\n3\n\n#end\n'
same "a kind and no function" ':ir\n'
bad "a line with only a blank" 'f\n24\n1\n3\n \ng\n1\n1\n1\n'
same "a comment that does not start its line is a name" 'f\n24\n1\n3\n #c\n1\n1\n1\n'
same "colons and blanks in a name" 'a:b c\n24\n1\n3\n'
bad "a colon in front of the first name" ':b\n24\n1\n3\n'
bad "a name that is a number" 'f\n24\n1\n3\n123\n24\n1\n3\n'

bad "blank before a count" 'f\n24\n1\n 3\n'
bad "blank after a count" 'f\n24\n1\n3 \n'
bad "blank before a hash" 'f\n 24\n1\n3\n'
bad "no counters" 'f\n24\n0\n'
check "no counters: says so" grep -q "'0' is not a number of counters" said
bad "negative count" 'f\n24\n1\n-3\n'
bad "count with a plus" 'f\n24\n1\n+3\n'
bad "hexadecimal count" 'f\n24\n1\n0x3\n'
same "counts are decimal" 'f\n24\n1\n010\n'
bad "hexadecimal number of counters" 'f\n24\n0x1\n3\n'
same "highest count" 'f\n24\n1\n18446744073709551615\n'
bad "too high a count" 'f\n24\n1\n18446744073709551616\n'
bad "too few counters" 'f\n24\n3\n1\n2\n'
bad "too many counters for the file" 'f\n24\n400000000\n1\n'
bad "a file that ends after the hash" 'f\n24\n'
for hash in 0x18 0X18 030 0o30 0b11 0B11 0 00; do
	same "hash $hash" "f\\n$hash\\n1\\n3\\n"
done
for hash in 09 0x 0b 0O30 x 18446744073709551616 -1; do
	bad "hash $hash" "f\\n$hash\\n1\\n3\\n"
done

same "header in capitals" ':IR\n:Entry_First\nf\n24\n1\n3\n'
same ":fe" ':fe\nf\n24\n1\n3\n'
same ":csir" ':csir\nf\n24\n1\n3\n'
same ":not_entry_first" ':ir\n:not_entry_first\nf\n24\n1\n3\n'
same ":not_entry_first after :entry_first" ':ir\n:entry_first\n:not_entry_first\nf\n24\n1\n3\n'
same ":instrument_loop_entries" ':ir\n:instrument_loop_entries\nf\n24\n1\n3\n'
same ":single_byte_coverage" ':ir\n:single_byte_coverage\nf\n24\n1\n1\n'
bad "a blank after a word of the header" ':ir \nf\n24\n1\n3\n'
bad "a blank before a word of the header" ' :ir\nf\n24\n1\n3\n'
bad "an unknown word in the header" ':foo\nf\n24\n1\n3\n'
bad "a header after a function" 'f\n24\n1\n3\n:ir\ng\n24\n1\n3\n'

same "the same function twice" 'f\n24\n1\n3\nf\n24\n1\n4\n'
same "one name with two hashes" 'f\n25\n1\n3\nf\n24\n1\n4\n'

same "bitmap" 'f\n24\n1\n3\n$3\n0xff\n010\n255\n'
same "bitmap of no bytes" 'f\n24\n1\n3\n$0\n'
same "a hexadecimal bitmap size" 'f\n24\n1\n3\n$ 0x1\n1\n'
bad "a bitmap byte over 255" 'f\n24\n1\n3\n$1\n256\n'
bad "bitmap cut short" 'f\n24\n1\n3\n$2\n1\n'

same "values" 'f\n24\n1\n3\n2\n0\n1\n2\nf:4\nh:5\n1\n1\n1\n8:4\n'
same "kinds of values in descending order" 'f\n24\n1\n3\n2\n1\n1\n1\n8:4\n0\n1\n1\nf:1\n'
same "colons in a target" 'a:b\n24\n1\n3\n1\n0\n1\n1\na:b:4\n'
same "an unknown target" 'f\n24\n1\n3\n1\n0\n1\n1\n** External Symbol **:4\n'
same "vtables" ':ir\nf\n24\n1\n3\n1\n2\n1\n1\nvt:4\n'
same "a kind of values without sites" 'f\n24\n1\n3\n1\n0\n0\n'
same "a site without values" 'f\n24\n1\n3\n1\n0\n1\n0\n'
same "the same value twice" 'f\n24\n1\n3\n1\n0\n1\n2\nf:4\nf:5\n'
same "bitmap, then values" 'f\n24\n1\n3\n$1\n1\n1\n1\n1\n1\n8:4\n'
bad "values, then a bitmap" 'f\n24\n1\n3\n1\n1\n1\n1\n8:4\n$1\n1\n'
bad "values of no kind" 'f\n24\n1\n3\n0\n'
bad "values of four kinds" 'f\n24\n1\n3\n4\n'
bad "values of an unknown kind" 'f\n24\n1\n3\n1\n7\n1\n1\nx:4\n'
bad "a hexadecimal size as value" 'f\n24\n1\n3\n1\n1\n1\n1\n0x8:4\n'
bad "a name as value of sizes" 'f\n24\n1\n3\n1\n1\n1\n1\nabc:4\n'
bad "target without a count" 'f\n24\n1\n3\n1\n0\n1\n1\ng4\n'
bad "target without a name" 'f\n24\n1\n3\n1\n0\n1\n1\n:4\n'
bad "blank before a target's count" 'f\n24\n1\n3\n1\n0\n1\n1\ng: 4\n'
bad "values cut short" 'f\n24\n1\n3\n1\n0\n1\n2\ng:4\n'

same "trace" ':ir\n:temporal_prof_traces\n1\n1\n1\nf,g,\nf\n24\n1\n3\ng\n24\n1\n3\n'
same "trace with blanks, no comma at its end" ':ir\n:temporal_prof_traces\n1\n9\n1\nf, g\nf\n24\n1\n3\ng\n24\n1\n3\n'
bad "a missing trace" ':ir\n:temporal_prof_traces\n2\n2\n1\nf,g\n'
bad "more traces than the file can have" ':ir\n:temporal_prof_traces\n99999999999\n1\n1\nf\n'

# Functions whose names text cannot hold are left out. Otherwise their lines would make the whole file invalid.
printf 'f\n24\n1\n3\n\n:odd\n24\n1\n3\n' >odd
check "names that text cannot hold: merged" sh -c "'$BAREPROF' merge --text -o odd.proftext odd 2>said"
check "names that text cannot hold: a warning" grep -q "text cannot hold: functions whose names cannot be written as a line of text (1, for example '" said
check "names that text cannot hold: the file is valid" sh -c "'llvm-profdata-$newest' merge -text -o - odd.proftext | grep -qx f"

# no_profile WHAT TEXT: both programs must refuse TEXT, because it does not begin like a profile.
no_profile() {
	verdicts "$@"
	check "$1: not a profile" sh -c "[ $ours$theirs = nono ] && grep -q 'is not a profile (raw, indexed or text)' said"
}
no_profile "lines that end with CR" 'f\r24\r1\r3\r'
no_profile "a file that ends after the name" 'f\n'
for text in 'fo\001o\n24\n1\n3\n' 'f\303\244\n24\n1\n3\n' '\357\273\277f\n24\n1\n3\n'; do
	no_profile "a file that begins with unprintable bytes" "$text"
done

# Three kinds of text are accepted by llvm-profdata only. llvm-profdata accepts a text without a function as a
# profile, joins two lists of value sites of one kind, and ignores everything after a zero byte.
for text in '# just a comment\n' '\n\n\n\n\n\n\n\n\n' 'f\n24\n1\n3\n2\n0\n1\n1\nf:4\n0\n1\n1\nf:1\n' 'f\n24\n1\n3\n\000\n'; do
	verdicts "" "$text"
	check "bareprof refuses what llvm-profdata accepts" [ $ours$theirs = noyes ]
done
