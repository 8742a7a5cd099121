#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# options.sh: tests three things. If an option exists only in other programs, or is spelled differently there, bareprof
# must print a hint. bareprof must print help for `help`, --help and the other requests for help. It must print escape
# sequences only to a terminal.
. "$(dirname "$0")/lib/live.sh"
cd "$WORK" || exit 1
feed=$ROOT/$feed
case $BAREPROF in /*) ;; *) BAREPROF=$ROOT/$BAREPROF ;; esac
printf 'f\n24\n1\n3\n' >p.proftext

# hint COMMAND OPTION ADVICE: bareprof must refuse the option with this advice, whether it is written with one dash or
# with two.
hint() {
	for dash in - --; do
		refuses "$1 $dash$2" "^bareprof: $1 has no option '$dash$2'; $3" "$BAREPROF" "$1" "$dash$2" p.proftext -o made
	done
	check "$1 $2: no file" test "$(ls)" = "$files"
}
touch refuses.out refuses.err check.log
files=$(ls)
hint show all-functions "use '--all'"
hint show topn=3 "use '--top N'"
hint merge num-threads=2 "use '--jobs N'"
hint merge instr "leave it out"
hint compare cs "leave it out"
hint report instr-profile=p "name the profile after the program"
hint report path-equivalence=a,b "use '--path-map A=B'"

# Earlier versions of bareprof accepted two wrong forms of options, and used a part of the option as a file name.
# These forms are a one-letter option with '=', such as -o=x, and a long option with one dash, such as -output=x.
#
# form WHAT PATTERN ARGUMENT...: bareprof must refuse the arguments with a message that matches PATTERN.
form() {
	refuses "$1" "$2" "$BAREPROF" "$3" "$4" p.proftext
	"$BAREPROF" "$3" "$4" p.proftext >/dev/null 2>&1
	check "$1: status 2, no file" test $? -eq 2 -a "$(ls)" = "$files"
}
form "merge -o=x" "merge has no option '-o=x'; use '-o x' or '--output=x'" merge -o=x
form "pull -o=x" "pull has no option '-o=x'; use '-o x' or '--output=x'" pull -o=x
form "merge -output=x" "merge has no option '-output=x'; did you mean '--output=x'" merge -output=x
form "merge -sparse" "merge has no option '-sparse'; did you mean '--sparse'" merge -sparse
form "show -json" "show has no option '-json'; did you mean '--json'" show -json
form "show -c=1" "counts takes no argument" show -c=1
check "-oFILE is a letter with its argument" sh -c "'$BAREPROF' merge -omade p.proftext && '$BAREPROF' merge --output==x p.proftext && rm made =x"

# Each option that the table of hints proposes must be an option of the command for which it is proposed.
sed -n 's/^	{"\([a-z]*\)", "[a-z-]*", ".*/&/p' "$ROOT/host-tools/cli/option_hints.c" >table
check "the table of hints was found" test "$(wc -l <table)" -ge 20
while IFS='"' read -r _ command _ name _ advice _; do
	for option in $(echo "$advice" | grep -o -- "--[a-z-]*"); do
		of=$command
		case $advice in *"bareprof merge"*) of=merge ;; esac
		"$BAREPROF" "$of" --help | grep -q -- "$option" || echo "$command --$name: $of has no $option"
	done
	! "$BAREPROF" "$command" --help | grep -Eq -- "^ .*--$name( |\$)" || echo "$command has an option --$name"
done <table >wrong
check "options in hints exist" test ! -s wrong
cat wrong

# Tests requests for help.
check "-V" sh -c "'$BAREPROF' --version >a && '$BAREPROF' -V >b && cmp a b && grep -q '^bareprof [0-9]' b"
check "help help" sh -c "'$BAREPROF' help >a && '$BAREPROF' help help >b && cmp a b"
check "--help help" sh -c "'$BAREPROF' --help help >b && cmp a b"
refuses "help of a command that is none" "there is no command 'nosuch'" "$BAREPROF" help nosuch

# Tests that escape sequences are printed only to a terminal.
escape=$(printf '\033')
no_escapes() { check "$1" sh -c "[ -s '$2' ] && ! grep -q '$escape' '$2'"; }
cp text input
live 0 "progress on a terminal" pty "rate 115200 terminal $WORK/terminal" ""
check "a terminal: a line of progress" grep -q "$escape" terminal
for variable in NO_COLOR=1 TERM=dumb; do
	export "${variable?}"
	live 0 "progress with $variable" pty "rate 115200 terminal $WORK/terminal" ""
	no_escapes "$variable: no escapes" terminal
	unset "${variable%=*}"
done
# on_terminal COMMAND...: runs COMMAND with a terminal for all streams. Its output goes to the file "terminal".
on_terminal() {
	python3 -c 'import os, pty, sys
out = open("terminal", "wb")
def read(fd):
	data = os.read(fd, 4096)
	out.write(data)
	return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))' "$@" </dev/null >/dev/null
}
echo 'int main(int c, char **v) { (void)v; return c > 3; }' >main.c
clang-22 -fprofile-instr-generate -fcoverage-mapping main.c -o main
LLVM_PROFILE_FILE=main.profraw ./main
export TERM=xterm
on_terminal "$BAREPROF" report main main.profraw
check "report on a terminal: llvm-cov's colours" grep -q "$escape" terminal
NO_COLOR=1 on_terminal "$BAREPROF" report main main.profraw
no_escapes "report with NO_COLOR: no escapes" terminal
for words in "report main main.profraw" "show --all main.profraw" "check main" "merge -o - --text main.profraw" \
	"report main none" "help" "pull --list text"; do
	# shellcheck disable=SC2086 # $words holds several arguments
	"$BAREPROF" $words >piped 2>&1
	no_escapes "$words, piped: no escapes" piped
done
