#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cli.sh: the command line as such: help, mistakes, exit codes.
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

check "without anything: help" says 'usage: bareprof COMMAND' "$BAREPROF"
check "help lists the exit codes" says '^  6  report: coverage is below --fail-under' "$BAREPROF" help
check "--version" says '^bareprof [0-9]+\.[0-9]+$' "$BAREPROF" --version
for command in check run pull convert show report; do
	check "$command --help" says "usage: bareprof $command \[OPTIONS\]" "$BAREPROF" $command --help
	check "help $command" says "usage: bareprof $command \[OPTIONS\]" "$BAREPROF" help $command
	refuses "$command without operands" "usage: bareprof $command" "$BAREPROF" $command
	refuses "$command with too many" "usage: bareprof $command" "$BAREPROF" $command a b c
	refuses "$command with an unknown option" "$command has no option '--zzz'; 'bareprof $command --help'" \
		"$BAREPROF" $command --zzz a b
done
refuses "command with a typing error" "there is no command 'shwo'; did you mean 'show'" "$BAREPROF" shwo
refuses "command that is none" "there is no command 'frobnicate'; 'bareprof help'" "$BAREPROF" frobnicate
refuses "option with a typing error" "did you mean '--counts'" "$BAREPROF" show --coutns x
refuses "option cut short" "did you mean '--json'" "$BAREPROF" show --js x
refuses "option without its argument" 'the option --output needs an argument: OUT' "$BAREPROF" pull x -o
refuses "flag with an argument" 'the option --list takes no argument' "$BAREPROF" pull --list=yes x
status 2 "unknown command" "$BAREPROF" frobnicate
status 2 "unknown option" "$BAREPROF" show --zzz x
status 3 "no such file" "$BAREPROF" show "$WORK/none"
printf 'a\033[31mb\n' >"$WORK/bad"
refuses "control characters in a name are not printed" 'a\?\[31mb' "$BAREPROF" show "$WORK/$(printf 'a\033[31mb')"
