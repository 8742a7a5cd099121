# SPDX-License-Identifier: BSD-2-Clause
# lib.sh - compares the reports of bareprof with those of llvm-cov. Scripts source it after tests/lib.sh.
#
#	hidden COMMAND...            runs COMMAND with llvm-cov and llvm-profdata hidden
#	theirs RELEASE DIR ELF PROFRAW... [ELF PROFRAW...]...   writes the reports of llvm-cov RELEASE to DIR
#	ours DIR ELF PROFRAW... [ELF PROFRAW...]...             writes those of bareprof to DIR, with the tools hidden
#	equal WHAT RELEASE DIR ELF PROFRAW...  does both, and compares them
#
# theirs, ours and equal have the option --mcdc before all other arguments: the table shows MC/DC, too.
# shellcheck shell=sh

# More functions than this, and the JSON has no expansions, because llvm-cov needs hours for them.
MANY_FUNCTIONS=1000

# A kernel may have this number of functions with impossible counts.
IMPOSSIBLE_MAX=25

# The option --allow-torn, for kernels. The counts of a program with one thread are exact, so a warning of impossible
# counts would be wrong.
ALLOW_TORN=

# More options of llvm-cov, and the same ones of bareprof
THEIR_OPTIONS=
OUR_OPTIONS=

# hiding: prints how the tools are hidden: in a mount namespace, in one of a user who is root there, or by a library.
hiding() {
	mkdir -p "$WORK/empty"
	if unshare -m sh tests/coverage/hide.sh "$WORK/empty" true 2>/dev/null; then
		echo "unshare -m"
	elif unshare -r -m sh tests/coverage/hide.sh "$WORK/empty" true 2>/dev/null; then
		echo "unshare -r -m"
	else
		gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -shared tests/coverage/hide.c -o "$WORK/hide.so" || return
		echo "env LD_PRELOAD=$WORK/hide.so"
	fi
}

hidden() {
	[ -n "$HIDING" ] || HIDING=$(hiding)
	case $HIDING in
	unshare*) $HIDING sh tests/coverage/hide.sh "$WORK/empty" "$@" ;;
	*) $HIDING "$@" ;;
	esac
}
HIDING=

# are_hidden: without the tools, bareprof must report that it cannot drive them.
are_hidden() {
	refuses "LLVM's tools are hidden ($(hiding | cut -d ' ' -f 1))" 'not installed.*: install the Debian package llvm' \
		hidden "$BAREPROF" report --with-llvm "$@"
}

is_elf() { [ "$(head -c 4 "$1" | tr '\177' x)" = xELF ]; }

# exports RELEASE DIR: writes the reports of the programs $objects with the profile DIR/profdata.
exports() {
	# shellcheck disable=SC2086
	"llvm-cov-$1" report $objects "-instr-profile=$2/profdata" $mcdc $THEIR_OPTIONS >"$2/theirs.table" 2>"$2/theirs.said" &&
		"llvm-cov-$1" export -format=lcov $objects "-instr-profile=$2/profdata" $THEIR_OPTIONS >"$2/theirs.lcov" &&
		"llvm-cov-$1" export -format=text $skip $objects "-instr-profile=$2/profdata" $THEIR_OPTIONS >"$2/theirs.json"
}

theirs() {
	mcdc=
	[ "$1" != --mcdc ] || { mcdc=-show-mcdc-summary && shift; }
	release=$1
	dir=$2
	shift 2
	objects=
	profiles=
	for file; do
		if ! is_elf "$file"; then
			profiles="$profiles $file"
		elif [ -z "$objects" ]; then
			objects=$file
		else
			objects="$objects -object=$file"
		fi
	done
	mkdir -p "$dir"
	# shellcheck disable=SC2086
	"llvm-profdata-$release" merge $profiles -o "$dir/profdata" || return
	skip=
	functions=$("llvm-profdata-$release" show "$dir/profdata" | sed -n 's/^Total functions: //p')
	[ "$functions" -le $MANY_FUNCTIONS ] || skip=-skip-expansions
	exports "$release" "$dir" || return
	# Functions with impossible counts are left out, and bareprof gets the profile without them, too.
	left_out=0
	! grep -q 9223372036854775807 "$dir/theirs.json" ||
		{ left_out=$(python3 tests/coverage/possible.py "$release" "$dir") && exports "$release" "$dir"; } || return
	[ "$left_out" -le $IMPOSSIBLE_MAX ]
}

# same_names DIR: removes the numbers that bareprof adds to the names of functions, if several programs have different
# functions of the same name: "main (2)".
same_names() {
	sed -i 's/^\(FN.*\) ([0-9]*)$/\1/' "$1/ours.lcov" && sed -i 's/\("name":"[^"]*\) ([0-9]*)"/\1"/g' "$1/ours.json"
}

ours() {
	mcdc=
	[ "$1" != --mcdc ] || { mcdc=--show-mcdc && shift; }
	dir=$1
	shift
	mkdir -p "$dir"
	skip=
	! [ "${functions:-0}" -gt $MANY_FUNCTIONS ] || skip=--skip-expansions
	# shellcheck disable=SC2086
	hidden "$BAREPROF" report $mcdc $skip $OUR_OPTIONS "$@" --allow-incomplete $ALLOW_TORN --lcov "$dir/ours.lcov" --json "$dir/ours.json" \
		>"$dir/ours.table" 2>"$dir/ours.said" && { [ $# -eq 2 ] || same_names "$dir"; } && return
	cat "$dir/ours.said"
	return 1
}

equal() {
	option=
	[ "$1" != --mcdc ] || { option=--mcdc && shift; }
	this=$1
	release=$2
	dir=$3
	shift 3
	# shellcheck disable=SC2086
	check "$this: llvm-cov $release reports" theirs $option "$release" "$dir" "$@"
	# Only single programs have such counts.
	[ "$left_out" -eq 0 ] || set -- "$1" "$dir/profdata"
	# shellcheck disable=SC2086
	check "$this: bareprof reports, with LLVM's tools hidden" ours $option "$dir" "$@"
	check "$this: the same table, LCOV and JSON" python3 tests/coverage/compare.py "$dir"
}
