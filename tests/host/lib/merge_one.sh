#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_one.sh MAJOR MODE - tests one combination for merge_compilers.sh. Merges profiles of three runs, of a
# program compiled by clang MAJOR in a MODE of merge_modes.sh, with bareprof and with
# llvm-profdata-MAJOR. All tools must get the same from both. Prints one case.
. tests/host/lib/merge_modes.sh
. tests/host/lib/merge_compare.sh
major=$1
dir=$WORK/$1-$2
mkdir -p "$dir"
mode "$@" || exit
runs="$dir/1 $dir/2 $dir/3"

# build [NAME]: compiles the program, and runs it three times with different arguments.
build() {
	# shellcheck disable=SC2086
	quietly "$compiler" $flags -o "$dir/${1-}program" $sources || return
	for i in 1 2 3; do
		LLVM_PROFILE_FILE=$dir/${1-}$i quietly "$dir/${1-}program" $i || return
	done
}

# Context-sensitive profiles need two steps: the profiles of the first step decide what is inlined in the second.
build_all() {
	if [ "$1" = cs ]; then
		mode "$major" ir && build ir && runs="$dir/ir1 $dir/ir2 $dir/ir3" && ours_for "$major" "$dir/ir" &&
			runs="$dir/1 $dir/2 $dir/3 $runs" && mode "$major" cs || return
	fi
	build
}

# Merges into two files: "named" is for the release $major, and "least" has the lowest index version that holds the
# profile.
merge_ours() {
	# shellcheck disable=SC2086
	quietly "$BAREPROF" merge -o "$dir/least" $runs && ours_for "$major" "$dir/named"
}

# ours_for RELEASE OUT: merges for RELEASE. Checks the warning about hashes that the compiler of RELEASE does not find.
# Allows warnings about contents that are left out and that files of RELEASE cannot have, such as build ids.
ours_for() {
	# shellcheck disable=SC2086
	"$BAREPROF" merge -o "$2" --for-llvm "$1" $runs 2>"$dir/said" || return
	if [ "$use" = -fprofile-instr-use ] && [ "$major" -ge 22 ] && [ "$1" -lt 22 ]; then
		grep -q "the functions' hashes are those of clang 22: in a file for older releases" "$dir/said" ||
			echo "no warning about the hashes"
		sed -i "/the functions' hashes are/d" "$dir/said"
	fi
	! grep -v "warning: left out for LLVM $1: " "$dir/said"
}

# The bytes of bareprof's file do not depend on the order of inputs or on threads. LLVM's own files can differ: up to
# release 16 the order in hash buckets differs, and in all releases the order of records with one name.
same_bytes() {
	# shellcheck disable=SC2086
	printf '%s\n' $runs | sort -r >"$dir/list" &&
		quietly "$BAREPROF" merge -o "$dir/reversed" --jobs 3 -f "$dir/list" &&
		cmp "$dir/reversed" "$dir/least" || return
	[ "$major" -lt 17 ] || [ "$1" = cs ] || cmp "$dir/named" "$dir/theirs"
}

every_profdata() {
	same_profile "$major" "$dir/named" "$dir/theirs" || return
	for m in $(reads "$(version_of "$dir/least")"); do
		if [ "$m" -lt "$major" ]; then
			same_text "$m" "$dir/least" "$major" "$dir/theirs"
		else
			same_profile "$m" "$dir/least" "$dir/theirs"
		fi || return
	done
	# In a file for an older release, merge leaves out what that release cannot read, but no counts.
	for m in $releases; do
		[ "$m" -ge "$major" ] || { ours_for "$m" "$dir/older" &&
			same_counts "$m" "$dir/older" "$major" "$dir/theirs"; } || return
	done
}

# usable MAJOR: release MAJOR can read the file with the lowest index version.
usable() { [ "$1" -ge "$(reads "$(version_of "$dir/least")" | head -n 1)" ]; }

every_cov() {
	covs=0
	[ -n "$coverage" ] || return 0
	for m in $releases; do
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

# A weight of N gives the same as N copies of the input. (llvm-profdata does not always multiply values.)
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
	! usable "$major" || same_use "$dir/least" "$dir/theirs" "$@" || return
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
