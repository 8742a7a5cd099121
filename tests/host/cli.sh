#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cli.sh: tests the command line: help, wrong arguments and exit codes.
. "$(dirname "$0")/../lib.sh"

says() {
	pattern=$1
	shift
	"$@" >"$WORK/out" 2>"$WORK/err" && grep -Eq -- "$pattern" "$WORK/out" && [ ! -s "$WORK/err" ]
}
status() {
	want=$1
	what=$2
	shift 2
	"$@" >/dev/null 2>&1
	check "$what: status $want" test $? -eq "$want"
}

check "without a command: help" says 'usage: bareprof COMMAND' "$BAREPROF"
check "help lists the exit codes" says '^  6  report: coverage is below --fail-under' "$BAREPROF" help
check "--version" says '^bareprof [0-9]+\.[0-9]+$' "$BAREPROF" --version
for command in check run pull convert show report; do
	check "$command --help" says "usage: bareprof $command \[OPTIONS\]" "$BAREPROF" $command --help
	check "help $command" says "usage: bareprof $command \[OPTIONS\]" "$BAREPROF" help $command
	refuses "$command without operands" "^bareprof: $command needs an operand; usage: bareprof $command" "$BAREPROF" $command
	# report cannot have too many operands, because it takes any number of profiles.
	[ $command = report ] ||
		refuses "$command with too many operands" "^bareprof: $command cannot take 3 operands; usage: bareprof $command" "$BAREPROF" $command a b c
	refuses "$command with an unknown option" "$command has no option '--zzz'; 'bareprof $command --help'" \
		"$BAREPROF" $command --zzz a b
done
refuses "a misspelt command" "there is no command 'shwo'; did you mean 'show'" "$BAREPROF" shwo
refuses "an unknown command" "there is no command 'frobnicate'; 'bareprof help' lists all commands" "$BAREPROF" frobnicate
# The commands of the group "mip" have names of two words.
for words in "mip" "mip --help" "mip -h" "mip help" "help mip"; do
	check "bareprof $words" says '^usage: bareprof mip COMMAND' "$BAREPROF" $words
done
refuses "an unknown command of the group" "there is no command 'mip frobnicate'; 'bareprof help'" "$BAREPROF" mip frobnicate
refuses "help about an unknown command of the group" "there is no command 'mip frobnicate'" "$BAREPROF" help mip frobnicate
refuses "the second word of a command alone" "there is no command 'create'" "$BAREPROF" create
refuses "a misspelt option" "did you mean '--counts'" "$BAREPROF" show --coutns x
refuses "a shortened option" "did you mean '--json'" "$BAREPROF" show --js x
refuses "an option without its argument" '--output needs an argument: OUT' "$BAREPROF" pull x -o
cd "$WORK" || exit 1
refuses "an option in place of a file" "--output needs an argument: OUT, but the option '--text' follows; if you mean a file or folder with this name, write './--text'" \
	"$BAREPROF" merge x -o --text
refuses "an option in place of a folder" "--html needs an argument: DIR, but the option '--lcov' follows" "$BAREPROF" report x y --html --lcov
refuses "the end of the options in place of a file" "but the option '--' follows" "$BAREPROF" pull -o -- x
check "an option in place of a file: no file" test ! -e --text -a ! -e --lcov -a ! -e --
cd "$ROOT" || exit 1
refuses "an empty operand" 'show got an empty operand; check the variable that should contain it' "$BAREPROF" show ''
refuses "an empty operand after others" 'merge got an empty operand' "$BAREPROF" merge x '' -o y
refuses "a flag with an argument" '--list takes no argument' "$BAREPROF" pull --list=yes x
# Arguments of every type must be checked before the command starts.
refuses "a number above its range" "jobs takes a number from 1 to 256, not '257'" "$BAREPROF" merge --jobs 257 x
refuses "a number below its range" "weight takes a number from 1 to [0-9]*, not '0'" "$BAREPROF" merge --weight 0 x
refuses "an empty number" "jobs takes a number from 1 to 256, not ''" "$BAREPROF" merge --jobs= x
refuses "a number above 64 bits" "top takes a number of 1 or more, not '99999999999999999999'" \
	"$BAREPROF" show --top 99999999999999999999 x
refuses "a number with a sign" "llvm takes a release such as 16, not '\+16'" "$BAREPROF" report --llvm +16 x y
refuses "0 seconds" "timeout takes a number of seconds above 0, not '0'" "$BAREPROF" run --timeout 0 x
refuses "a percentage above 100" "fail-under takes a percentage from 0 to 100, not '101'" \
	"$BAREPROF" report --fail-under 101 x y
refuses "an unknown word for a choice" "sort takes name, count, hash or order, not 'size'" "$BAREPROF" show --sort size x
refuses "a shard above their number" "shard takes K/N with K from 1 to N, not '3/2'" "$BAREPROF" merge --shard 3/2 x
refuses "a list that is too long" '--elf can be given at most 16 times' \
	"$BAREPROF" pull $(printf ' --elf x%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17) x
status 2 "unknown command" "$BAREPROF" frobnicate
status 2 "unknown option" "$BAREPROF" show --zzz x
status 3 "no such file" "$BAREPROF" show "$WORK/none"
printf 'a\033[31mb\n' >"$WORK/bad"
refuses "control characters in a name are not printed" 'a\?\[31mb' "$BAREPROF" show "$WORK/$(printf 'a\033[31mb')"
