#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# samples.sh - compares the reports of bareprof with those of llvm-cov, for small programs of all installed releases of
# clang and of rustc. The programs in sample/ have all kinds of regions. whole.sh compares whole programs.
. "$(dirname "$0")/../lib.sh"
. tests/coverage/lib.sh

SAMPLE=$ROOT/tests/coverage/sample

# build NAME RELEASE FLAG... SOURCE...: makes $WORK/NAME/program, and runs it.
build() {
	dir=$WORK/$1
	clang=clang-$2
	shift 2
	case $* in *.cc*) clang=$(echo "$clang" | sed 's/clang/clang++/') ;; esac
	mkdir -p "$dir"
	(cd "$SAMPLE" && "$clang" -w -fprofile-instr-generate -fcoverage-mapping -fuse-ld=lld -Wl,--build-id -o "$dir/program" "$@") &&
		LLVM_PROFILE_FILE=$dir/1.profraw "$dir/program" >"$dir/out"
}

# sample NAME RELEASE FLAG... SOURCE...: builds a program, and compares its reports.
sample() {
	name=$1-$2
	about="$1, clang $2"
	release=$2
	shift 2
	check "$about: builds and runs" build "$name" "$release" "$@"
	equal $show "$about" "$release" "$WORK/$name" "$WORK/$name/program" "$WORK/$name/1.profraw"
}

show=
for release in $(clang_releases); do
	sample flow "$release" flow.c
	sample macros "$release" macros.c
	sample decisions "$release" decisions.c
	sample objects "$release" first.c second.c
	sample classes "$release" -std=c++17 classes.cc
	[ "$release" -ge 19 ] || continue
	sample bytes "$release" -mllvm -enable-single-byte-coverage=true macros.c
	show=--mcdc
	sample mcdc "$release" -fcoverage-mcdc decisions.c
	sample mcdc-macros "$release" -fcoverage-mcdc macros.c
	sample mcdc-classes "$release" -std=c++17 -fcoverage-mcdc classes.cc
	show=
done

# The profile of another build has functions with other hashes. Without build ids, this is not an error.
for release in $(clang_releases); do
	check "another build, clang $release: builds and runs" build "old-$release" "$release" -DCHANGED -Wl,--build-id=none changed.c
	check "this build, clang $release: builds and runs" build "new-$release" "$release" -Wl,--build-id=none changed.c
	equal "a profile of another build, clang $release" "$release" "$WORK/changed-$release" "$WORK/new-$release/program" \
		"$WORK/old-$release/1.profraw"
done

# object RELEASE: makes an object file of two files.
object() {
	for file in first second; do
		"clang-$1" -w -fprofile-instr-generate -fcoverage-mapping -c "$SAMPLE/$file.c" -o "$WORK/objects-$1/$file.o" || return
	done
	(cd "$WORK/objects-$1" && ld -r first.o second.o -o object.o)
}
for release in $(some_clang_releases); do
	check "an object file, clang $release: builds" object "$release"
	equal "an object file, clang $release" "$release" "$WORK/object-$release" "$WORK/objects-$release/object.o" "$WORK/objects-$release/1.profraw"
done

# Of several programs, names and profiles are common.
for release in $(some_clang_releases); do
	flow=$WORK/flow-$release
	macros=$WORK/macros-$release
	equal "two programs, clang $release" "$release" "$WORK/two-$release" "$flow/program" "$flow/1.profraw" \
		"$macros/program" "$macros/1.profraw"
	sample plain-names "$release" -mllvm -enable-name-compression=false macros.c
done

# Options that llvm-cov has, too. With --summary-only, only LCOV and JSON are the same.
summary() {
	dir=$WORK/summary-$1
	macros=$WORK/macros-$1
	mkdir -p "$dir"
	for form in lcov text; do
		"llvm-cov-$1" export -summary-only -format=$form "$macros/program" "-instr-profile=$macros/profdata" >"$dir/theirs.$form" || return
	done
	mv "$dir/theirs.text" "$dir/theirs.json"
	hidden "$BAREPROF" report --summary-only "$macros/program" "$macros/1.profraw" --lcov "$dir/ours.lcov" --json "$dir/ours.json" >"$dir/ours.table" &&
		cp "$dir/ours.table" "$dir/theirs.table" && python3 tests/coverage/compare.py "$dir"
}
for release in $(some_clang_releases); do
	check "--summary-only, clang $release: the same LCOV and JSON" summary "$release"
	THEIR_OPTIONS=-ignore-filename-regex=body.inc
	OUR_OPTIONS="--ignore-filename body.inc"
	equal "--ignore-filename, clang $release" "$release" "$WORK/ignored-$release" "$WORK/macros-$release/program" "$WORK/macros-$release/1.profraw"
	THEIR_OPTIONS=
	OUR_OPTIONS=
done

RUSTC=${RUSTC:-/usr/bin/rustc}
rust=$("$RUSTC" --version --verbose 2>/dev/null | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
rust_program() {
	mkdir -p "$WORK/rust"
	(cd "$SAMPLE" && "$RUSTC" -C instrument-coverage -C link-arg=-Wl,--build-id -o "$WORK/rust/program" shapes.rs) &&
		LLVM_PROFILE_FILE=$WORK/rust/1.profraw "$WORK/rust/program" >"$WORK/rust/out"
}
if [ -z "$rust" ]; then
	not_ok "$RUSTC is missing: .ci/deps installs rustc-web; or name another rustc with RUSTC"
elif ! command -v "llvm-cov-$rust" >/dev/null; then
	skip "rust: its LLVM is $rust; install llvm-$rust"
else
	check "rust: builds and runs" rust_program
	equal rust "$rust" "$WORK/rust" "$WORK/rust/program" "$WORK/rust/1.profraw"
fi

# The comparison must notice a single wrong value: a count in JSON and LCOV, and a percentage in the table.
notices() {
	rm -rf "$WORK/wrong"
	mkdir "$WORK/wrong"
	for form in table lcov json; do
		cp "$WORK/macros-22/theirs.$form" "$WORK/wrong"
		cp "$WORK/macros-22/theirs.$form" "$WORK/wrong/ours.$form"
	done
	python3 tests/coverage/compare.py "$WORK/wrong" || return
	sed -i "$2" "$WORK/wrong/ours.$1"
	! python3 tests/coverage/compare.py "$WORK/wrong" >"$WORK/wrong/said" && cat "$WORK/wrong/said" && grep -q "^$1: [12] difference" "$WORK/wrong/said" &&
		grep -q "$3" "$WORK/wrong/said"
}
check "a wrong line of the table is noticed" notices table 's/^TOTAL  /TOTAL 1/' 'line'
check "a wrong count in LCOV is noticed" notices lcov '0,/^DA:\(.*\),12$/s//DA:\1,13/' 'macros.c'
check "a wrong count in JSON is noticed" notices json '0,/,12,true,/s//,13,true,/' 'macros.c, line'
check "a number in place of a truth value in JSON is noticed" notices json '0,/,true,/s//,1,/' 'inc, line 1'
check "a key that JSON lacks is noticed" notices json '0,/"notcovered":/s//"uncovered":/' summary
# forms RELEASE: makes all forms of reports but HTML without LLVM's tools. Each of them must print something, and only that.
forms() {
	macros=$WORK/macros-$1
	mkdir -p "$WORK/forms"
	hidden "$BAREPROF" report "$macros/program" "$macros/1.profraw" --json "$WORK/forms/base" >/dev/null || return
	for option in "--lcov -" "--cobertura -" "--json -" "--markdown -" "--markdown - --base $WORK/forms/base" "--show macros.c" \
		"--show nested" --uncovered --functions "--folders 0" --summary-only "--sources $SAMPLE/macros.c" \
		"--path-map $SAMPLE=$SAMPLE" --show-mcdc --fail-under\ 1; do
		# shellcheck disable=SC2086
		hidden "$BAREPROF" report "$macros/program" "$macros/1.profraw" $option >"$WORK/forms/out" 2>"$WORK/forms/err"
		[ $? -eq 0 ] && [ -s "$WORK/forms/out" ] && case $option in --show-mcdc) ;; *) ! [ -s "$WORK/forms/err" ] ;; esac && continue
		echo "$option:"
		cat "$WORK/forms/err"
		return 1
	done
}
check "all forms of reports but HTML, with LLVM's tools hidden" forms "$(newest_clang)"
are_hidden "$WORK/flow-22/program" "$WORK/flow-22/1.profraw"
