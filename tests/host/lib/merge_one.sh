#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_one.sh MAJOR MODE TURN - tests one combination for merge_compilers.sh. clang MAJOR compiles a program in a MODE
# of merge_modes.sh. The profiles of three runs are merged with bareprof and with llvm-profdata-MAJOR. All tools must
# read the same contents from both results. Prints the result as one test case. Without BAREPROF_WIDE=1, each loop over
# releases takes only one of them besides MAJOR: the number TURN, modulo the number of releases. Because each mode has
# its own TURN, each release reads the results of several modes.
. tests/host/lib/merge_modes.sh
. tests/host/lib/merge_compare.sh
major=$1
turn=$3
dir=$WORK/$1-$2
mkdir -p "$dir"
mode "$1" "$2" || exit
runs="$dir/1 $dir/2 $dir/3"

# some: prints all lines of standard input, or only one without BAREPROF_WIDE=1.
some() {
	if [ -n "${BAREPROF_WIDE-}" ]; then
		cat
	else
		awk -v turn="$turn" '{ line[NR] = $0 } END { if (NR) print line[turn % NR + 1] }'
	fi
}

# build [NAME]: compiles the program and runs it three times with different arguments. NAME is a prefix for the names of
# the program and of its profiles.
build() {
	# shellcheck disable=SC2086
	quietly "$compiler" $flags -o "$dir/${1-}program" $sources || return
	for i in 1 2 3; do
		LLVM_PROFILE_FILE=$dir/${1-}$i quietly "$dir/${1-}program" $i || return
	done
}

# Context-sensitive profiles need two steps, because the profiles of the first step determine what the compiler
# inlines in the second.
build_all() {
	if [ "$1" = cs ]; then
		mode "$major" ir && build ir && runs="$dir/ir1 $dir/ir2 $dir/ir3" && ours_for "$major" "$dir/ir" &&
			runs="$dir/1 $dir/2 $dir/3 $runs" && mode "$major" cs || return
	fi
	build
}

# merge_ours: merges with bareprof into two files. $dir/named is for the release $major; $dir/least has the lowest
# index version that can hold the profile.
merge_ours() {
	# shellcheck disable=SC2086
	quietly "$BAREPROF" merge -o "$dir/least" $runs && ours_for "$major" "$dir/named"
}

# ours_for RELEASE OUT: merges $runs into OUT with --for-llvm RELEASE. If the compiler of RELEASE does not find some of
# the hashes, bareprof must print a warning. bareprof can also print the warning that it left out some contents, for
# example build ids, because files of RELEASE cannot hold them.
ours_for() {
	# shellcheck disable=SC2086
	"$BAREPROF" merge -o "$2" --for-llvm "$1" $runs 2>"$dir/said" || return
	if [ "$use" = -fprofile-instr-use ] && [ "$major" -ge 22 ] && [ "$1" -lt 22 ]; then
		grep -q "the functions have hashes of clang 22, but the index version of the file is for older releases" "$dir/said" ||
			echo "no warning about the hashes"
		sed -i "/the functions have hashes of/d" "$dir/said"
	fi
	! grep -v "warning: left out for LLVM $1: " "$dir/said"
}

# same_bytes: bareprof's file must not depend on the order of inputs or on the number of threads. LLVM's own files can
# differ in two ways. Up to release 16, the order within hash buckets can differ. In all releases, the order of records
# with the same name can differ.
same_bytes() {
	# shellcheck disable=SC2086
	printf '%s\n' $runs | sort -r >"$dir/list" &&
		quietly "$BAREPROF" merge -o "$dir/reversed" --jobs 3 -f "$dir/list" &&
		cmp "$dir/reversed" "$dir/least" || return
	[ "$major" -lt 17 ] || [ "$1" = cs ] || cmp "$dir/named" "$dir/theirs"
}

every_profdata() {
	same_profile "$major" "$dir/named" "$dir/theirs" || return
	for m in $(reads "$(version_of "$dir/least")" | some); do
		if [ "$m" -lt "$major" ]; then
			same_text "$m" "$dir/least" "$major" "$dir/theirs"
		else
			same_profile "$m" "$dir/least" "$dir/theirs"
		fi || return
	done
	# In a file for an older release, merge leaves out contents that this release cannot read, but it never leaves
	# out counts.
	for m in $(list_releases -lt | some); do
		ours_for "$m" "$dir/older" && same_counts "$m" "$dir/older" "$major" "$dir/theirs" || return
	done
}

# list_releases TEST: prints the releases that are TEST (-lt, -gt) MAJOR.
list_releases() { for m in $releases; do [ "$m" "$1" "$major" ] && echo "$m"; done; }

# usable MAJOR: succeeds if release MAJOR can read $dir/least, the file with the lowest index version.
usable() { [ "$1" -ge "$(reads "$(version_of "$dir/least")" | head -n 1)" ]; }

every_cov() {
	covs=0
	[ -n "$coverage" ] || return 0
	for m in "$major" $({ list_releases -lt; list_releases -gt; } | some); do
		reads_mapping "$m" "$major" || continue
		if [ "$m" -ge "$major" ]; then
			same_coverage "$m" "$dir/program" "$dir/named" "$dir/theirs" || return
		else
			ours_for "$m" "$dir/older" && theirs_for "$m" "$dir/older.theirs" "$major:$dir/theirs" &&
				same_coverage "$m" "$dir/program" "$dir/older" "$dir/older.theirs" || return
		fi
		if usable "$m" && [ "$m" -ge "$major" ]; then
			same_coverage "$m" "$dir/program" "$dir/least" "$dir/theirs" || return
		fi
		covs=$((covs + 1))
	done
}

# weighted: a weight of N must give the same counts as N copies of the input. (llvm-profdata does not always multiply
# values by the weight.)
weighted() {
	# shellcheck disable=SC2086
	printf '%s\n' "3,$dir/1" "$dir/2" "2,$dir/3" >"$dir/list" &&
		"$BAREPROF" merge --for-llvm "$major" -o "$dir/weighted" -f "$dir/list" 2>/dev/null &&
		if [ -n "$values" ]; then
			"llvm-profdata-$major" merge -o "$dir/weighted.theirs" "$dir/1" "$dir/1" "$dir/1" "$dir/2" \
				"$dir/3" "$dir/3"
		else
			"llvm-profdata-$major" merge -o "$dir/weighted.theirs" -weighted-input=3,"$dir/1" \
				-weighted-input=1,"$dir/2" -weighted-input=2,"$dir/3"
		fi &&
		same_profile "$major" "$dir/weighted" "$dir/weighted.theirs"
}

used() {
	# shellcheck disable=SC2086
	set -- "$compiler" $emit "$use=$dir/used.profdata"
	same_use "$dir/named" "$dir/theirs" "$@" || return
	! usable "$major" || cmp -s "$dir/least" "$dir/named" || same_use "$dir/least" "$dir/named" "$@" || return
	weights=$(grep -c '!"branch_weights"' "$dir/theirs.ll") || [ -n "$weightless" ] || echo "no branch weights"
}

theirs() {
	# shellcheck disable=SC2086
	quietly "llvm-profdata-$major" merge -o "$dir/theirs" $runs &&
		read_all "$major" "$dir/theirs" "$dir/theirs" && grep -q -e "$has" "$dir/theirs.lines" ||
		{ echo "no line like $has"; return 1; }
}

{
	build_all "$2" && theirs && merge_ours && same_bytes "$2" &&
		every_profdata && every_cov && weighted && used
} >"$dir/log" 2>&1
status=$?
what="clang $1, $2"
case $2 in
rust-*) what="$("$compiler" --version | cut -d' ' -f1,2), $2" ;;
esac
if [ $status -eq 0 ] && ! [ -s "$dir/log" ]; then
	echo "ok - $what: index version $(version_of "$dir/least")${covs:+, $covs llvm-cov}, $weights branch weights"
else
	echo "not ok - $what"
	head -n 40 "$dir/log" | sed 's/^/    /'
fi >"$dir/said"
