# SPDX-License-Identifier: BSD-2-Clause
# merge_compare.sh - functions that compare the output of LLVM's tools for two profiles. Scripts source this file. If
# the outputs differ, a function prints the difference and fails. If the two profiles have the same bytes, the tools
# read only one of them. $dir is a scratch directory.
# shellcheck shell=sh disable=SC2154

# quietly COMMAND...: succeeds if COMMAND succeeds and prints nothing.
quietly() {
	if ! "$@" >"$dir/quiet" 2>&1 || [ -s "$dir/quiet" ]; then
		echo "$*:"
		cat "$dir/quiet"
		return 1
	fi
}

# silent OUT COMMAND...: runs COMMAND with its standard output in the file OUT. Succeeds if COMMAND succeeds, prints
# to standard output, and prints nothing to standard error.
silent() {
	silent=$1
	shift
	if ! "$@" >"$silent" 2>"$dir/stderr" || [ -s "$dir/stderr" ] || ! [ -s "$silent" ]; then
		echo "$*:"
		cat "$dir/stderr"
		return 1
	fi
}

# theirs_for MAJOR OUT OTHER:PROFILE...: merges each PROFILE, which comes from release OTHER, into OUT with
# llvm-profdata-MAJOR. llvm-profdata-MAJOR cannot read raw profiles of other releases, or indexed profiles of newer
# releases. Therefore llvm-profdata-OTHER converts each PROFILE to text first.
theirs_for() {
	theirs_major=$1
	theirs_out=$2
	shift 2
	for one; do
		quietly "llvm-profdata-${one%%:*}" merge -text -o "$theirs_out.${one%%:*}.proftext" "${one#*:}" || return
		shift
		set -- "$@" "$theirs_out.${one%%:*}.proftext"
	done
	quietly "llvm-profdata-$theirs_major" merge -o "$theirs_out" "$@"
}

# read_all MAJOR PROFILE NAME: writes everything that llvm-profdata-MAJOR prints about PROFILE to NAME.text and
# NAME.show. Lines without a fixed order are sorted: the traces and, up to release 16, the functions in NAME.show.
read_all() {
	silent "$3.lines" "llvm-profdata-$1" merge -text -o - "$2" &&
		awk '
			/^# Weight:$/ { getline weight; getline; print "trace", weight, $0 | "LC_ALL=C sort"; next }
			{ print }
			END { fflush(); close("LC_ALL=C sort") }' "$3.lines" >"$3.text" &&
		silent "$3.shown" "llvm-profdata-$1" show --all-functions --counts --ic-targets --memop-sizes "$2" &&
		{ grep -v '^  ' "$3.shown"; functions "$3.shown"; } >"$3.show"
}

# functions FILE: prints the functions in the output of `show`, one per line, sorted.
functions() {
	awk '!/^  / { next } !/^   / { printf "\n" } { printf "%s", $0 }' "$1" | LC_ALL=C sort
}

# same_profile MAJOR OURS THEIRS: llvm-profdata-MAJOR must print the same contents for OURS and for THEIRS.
same_profile() {
	read_all "$1" "$2" "$dir/ours" || return
	! cmp -s "$2" "$3" || return 0
	read_all "$1" "$3" "$dir/theirs" &&
		diff "$dir/theirs.text" "$dir/ours.text" && diff "$dir/theirs.show" "$dir/ours.show"
}

# same_text MAJOR OURS OTHER THEIRS: llvm-profdata-MAJOR must print the same contents for OURS as llvm-profdata-OTHER
# prints for THEIRS. Lines with flags of the profile are not compared, because some releases do not write them.
same_text() {
	read_all "$1" "$2" "$dir/ours" && read_all "$3" "$4" "$dir/theirs" &&
		grep -v '^[:#]' "$dir/ours.text" >"$dir/ours.counts" &&
		grep -v '^[:#]' "$dir/theirs.text" >"$dir/theirs.counts" &&
		diff "$dir/theirs.counts" "$dir/ours.counts"
}

# same_counts MAJOR OURS OTHER THEIRS: works like same_text, but compares only the counters.
same_counts() {
	silent "$dir/ours.shown" "llvm-profdata-$1" show --all-functions --counts "$2" &&
		silent "$dir/theirs.shown" "llvm-profdata-$3" show --all-functions --counts "$4" &&
		functions "$dir/ours.shown" >"$dir/ours.counts" &&
		functions "$dir/theirs.shown" >"$dir/theirs.counts" &&
		[ -s "$dir/theirs.counts" ] && diff "$dir/theirs.counts" "$dir/ours.counts"
}

# same_coverage MAJOR PROGRAM OURS THEIRS: llvm-cov-MAJOR must report the same coverage for OURS and for THEIRS.
same_coverage() {
	for form in "report --show-functions=false" "export --format=lcov" "show"; do
		# shellcheck disable=SC2086
		silent "$dir/ours.cov" "llvm-cov-$1" $form "$2" "-instr-profile=$3" || return
		! cmp -s "$3" "$4" || continue
		silent "$dir/theirs.cov" "llvm-cov-$1" $form "$2" "-instr-profile=$4" &&
			diff "$dir/theirs.cov" "$dir/ours.cov" || return
	done
}

# use OUT PROFILE COMMAND...: compiles each of $sources with the profile. PROFILE is first copied to a fixed name, so
# that outputs made with different profiles can be compared. The messages of the compiler also go to OUT.
use() {
	use_out=$1
	cp "$2" "$dir/used.profdata"
	shift 2
	for source in $sources; do
		"$@" -o "$dir/used.ll" "$source" 2>"$dir/stderr" && cat "$dir/used.ll"
		echo "; status $?"
		sed 's/^/; /' "$dir/stderr"
	done >"$use_out"
}

# same_use OURS THEIRS COMMAND...: the compiler COMMAND must make the same code with the profile OURS as with the
# profile THEIRS.
same_use() {
	same_ours=$1
	same_theirs=$2
	shift 2
	use "$dir/theirs.ll" "$same_theirs" "$@" || return
	if cmp -s "$same_ours" "$same_theirs"; then
		cp "$dir/theirs.ll" "$dir/ours.ll"
		return
	fi
	use "$dir/ours.ll" "$same_ours" "$@" &&
		diff "$dir/theirs.ll" "$dir/ours.ll"
}
