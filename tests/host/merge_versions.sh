#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# merge_versions.sh - merges the raw profiles (versions 7, 8 and 10) of one program, compiled by clang 13, 16 and 22,
# into one file for each LLVM release. For comparison, the profiles are converted to text, and llvm-profdata of that
# release merges the texts. llvm-profdata, llvm-cov and clang of that release must read the same from both files.
. "$(dirname "$0")/../lib.sh"
. tests/host/lib/merge_modes.sh
. tests/host/lib/merge_compare.sh

makers="13 16 22"
dir=$WORK
raws=

# make_raws KIND: compiles the program with each clang, and runs each program three times.
make_raws() {
	raws=
	for m in $makers; do
		mode "$m" "$1"
		# shellcheck disable=SC2086
		quietly "$compiler" $flags -o "$WORK/$1.$m" $sources || return
		for i in 1 2 3; do
			LLVM_PROFILE_FILE=$WORK/$1.$m.$i quietly "$WORK/$1.$m" $i || return
			raws="$raws $WORK/$1.$m.$i"
		done
		quietly "llvm-profdata-$m" merge -o "$WORK/$1.$m.profdata" "$WORK/$1.$m".[123] || return
	done
}

# merged OUT OPTION...: merges all raw profiles into OUT. The warnings go to the file "said".
merged() {
	merged=$1
	shift
	# shellcheck disable=SC2086
	"$BAREPROF" merge -o "$merged" "$@" $raws 2>"$WORK/said"
}

# said KIND RELEASE: the file "said" must contain exactly the warnings that are expected for KIND and RELEASE.
said() {
	sed -i "/warning: left out for LLVM $2: build ids$/d" "$WORK/said"
	case $1 in
	fe*)
		want="some functions have hashes of clang 22, but the index version of the file is for older releases"
		[ "$2" -lt 22 ] || want="some functions have hashes of clang before 22: -fprofile-instr-use of clang 22 does not find"
		grep -q "warning: $want" "$WORK/said" || { echo "no warning: $want" && return 1; }
		sed -i "/warning: some functions have hashes/d" "$WORK/said"
		;;
	esac
	cat "$WORK/said"
	! [ -s "$WORK/said" ]
}

for_release() {
	merged "$WORK/ours" --for-llvm "$2" && said "$1" "$2" &&
		theirs_for "$2" "$WORK/theirs" "13:$WORK/$1.13.profdata" "16:$WORK/$1.16.profdata" \
			"22:$WORK/$1.22.profdata" &&
		same_profile "$2" "$WORK/ours" "$WORK/theirs" || return
	for m in $makers; do
		[ -n "$coverage" ] && reads_mapping "$2" "$m" || continue
		same_coverage "$2" "$WORK/$1.$m" "$WORK/ours" "$WORK/theirs" || return
	done
	mode "$2" "$1"
	# shellcheck disable=SC2086
	same_use "$WORK/ours" "$WORK/theirs" "$compiler" $emit "$use=$WORK/used.profdata" &&
		grep -q '!"branch_weights"' "$WORK/theirs.ll"
}

# counts MAJOR PROFILE: prints a line for each function, with name, hash and counts.
counts() {
	"llvm-profdata-$1" merge -text -o - "$2" | awk '
		/^# Func Hash:/ { name = last; getline hash; next }
		/^# Num Counters:/ { getline n; next }
		/^# Counter Values:/ { getline; print name, hash, $0; next }
		{ last = $0 }' | sed 's/;/:/' | LC_ALL=C sort
}

# shared KIND: prints the number of functions that are the same in all three programs, and the names of the others.
shared() {
	for m in $makers; do
		counts "$m" "$WORK/$1.$m.profdata"
	done | awk '
		{ n[$1 " " $2]++; names[$1] }
		END {
			for (key in n)
				if (n[key] == 3) { split(key, part, " "); same[part[1]] }
			for (name in names)
				if (name in same) all++
				else { sub(".*/", "", name); other = other " " name }
			print all + 0 " functions have one hash in all" (other ? ", not" other : "")
		}'
}

for kind in fe fe-cxx ir ir-cxx ir-entry; do
	case $kind in
	fe | ir) ;;
	*) [ -n "${BAREPROF_WIDE-}" ] || continue ;;
	esac
	check "$kind: clang 13, 16 and 22 make it" make_raws $kind
	for release in $releases; do
		check "$kind of 13, 16 and 22 for LLVM $release: its tools find the same as in its own file" \
			for_release $kind "$release"
	done
	echo "   $kind: $(shared $kind)"
done

# Functions with the same name and hash count as one function. If llvm-cov reports any program that has such a function,
# the report shows the sum of the counts from all programs. A function that only one program has keeps its counts.
own() {
	mode 22 fe && make_raws fe && merged "$WORK/ours" --for-llvm 22 || return
	for m in $makers; do
		counts "$m" "$WORK/fe.$m.profdata" >"$WORK/counts.$m"
	done
	for m in $makers; do
		cat "$WORK"/counts.[12]? | awk -v own="$WORK/counts.$m" '
			{ sum[$1 " " $2] += $3 }
			END { while ((getline <own) > 0) print $1, sum[$1 " " $2] }' | LC_ALL=C sort >"$WORK/expected"
		llvm-cov-22 export --format=lcov "$WORK/fe.$m" "-instr-profile=$WORK/ours" |
			sed -n 's/^FNDA:\([0-9]*\),\(.*\)/\2 \1/p' | LC_ALL=C sort >"$WORK/shown"
		diff "$WORK/expected" "$WORK/shown" && [ "$(wc -l <"$WORK/shown")" -gt 8 ] || return
	done
	# The hash of loop() is an MD5. clang 13 and 16 give loop() the same hash, and clang 22 gives it another.
	grep -h '^loop ' "$WORK/counts.13" "$WORK/counts.22" | awk '{ own = own $3 " " } END { exit own != "42 42 " }' &&
		grep -q '^loop 42$' "$WORK/shown"
}
check "llvm-cov shows each program its own counts, and sums of functions that are the same" own

# merge converts the hashes to those of clang 22. clang 22 must then use the counts of clang 13 in the same way as its
# own.
converted() {
	raws="$WORK/fe.13.1 $WORK/fe.13.2 $WORK/fe.13.3"
	merged "$WORK/ours" --pgo-hash v4 && grep -q 'converted for -fprofile-instr-use of clang 22' "$WORK/said" &&
		mode 22 fe &&
		same_use "$WORK/ours" "$WORK/fe.22.profdata" clang-22 -O2 -S -emit-llvm "$use=$WORK/used.profdata" &&
		merged "$WORK/unconverted" --for-llvm 22 &&
		use "$WORK/unconverted.ll" "$WORK/unconverted" clang-22 -O2 -S -emit-llvm "$use=$WORK/used.profdata" &&
		! cmp -s "$WORK/unconverted.ll" "$WORK/ours.ll"
}
check "--pgo-hash v4: clang 22 uses counts of clang 13 as its own" converted
