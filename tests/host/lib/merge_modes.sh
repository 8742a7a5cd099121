# SPDX-License-Identifier: BSD-2-Clause
# merge_modes.sh - lists the kinds of profiles that compilers make. Scripts source this file.
# shellcheck shell=sh disable=SC2034,SC2154

front="-fprofile-instr-generate -fcoverage-mapping"

# mode MAJOR NAME: sets variables for one kind of profile. $compiler and $flags compile $sources. $emit has the flags
# that print IR. $use is the option that uses such a profile. $coverage is set if llvm-cov can report such a profile,
# and $values is set if such a profile has values. $weightless is set if compilers do not use the counts of
# such a profile. $has is a line that the text of every profile of this kind contains. Fails if this release cannot make
# this kind.
mode() {
	sources="tests/host/samples/program.c tests/host/samples/other.c"
	compiler=clang-$1
	emit="-O2 -S -emit-llvm"
	use=-fprofile-use
	flags="-O2 -fprofile-generate"
	coverage=
	values=
	weightless=
	has='^# Func Hash:'
	least=13
	case $2 in
	*-cxx | *-vtable)
		compiler=clang++-$1
		sources="tests/host/samples/program.cc tests/host/samples/other.cc"
		;;
	rust-*)
		compiler=${RUSTC:-/usr/bin/rustc}
		sources=tests/host/samples/program.rs
		emit="-O --emit=llvm-ir -C codegen-units=1"
		use=-Cprofile-use
		;;
	esac
	case $2 in
	fe*)
		coverage=1
		flags="-O0 $front"
		use=-fprofile-instr-use
		;;
	esac
	case $2 in
	ir | ir-cxx) values=1 ;;
	ir-dynamic) values=1 flags="$flags -mllvm -vp-static-alloc=false" ;;
	ir-novalues) flags="$flags -mllvm -disable-vp=true" ;;
	ir-entry) values=1 flags="$flags -mllvm -pgo-instrument-entry" ;;
	ir-atomic) values=1 flags="$flags -fprofile-update=atomic" ;;
	ir-function-entry) least=14 weightless=1 flags="$flags -mllvm -pgo-function-entry-coverage" ;;
	ir-block) least=19 flags="$flags -mllvm -pgo-block-coverage" ;;
	ir-temporal) least=19 flags="$flags -mllvm -disable-vp=true -mllvm -pgo-temporal-instrumentation" ;;
	ir-temporal-block)
		least=19
		flags="$flags -mllvm -pgo-temporal-instrumentation -mllvm -pgo-block-coverage"
		;;
	ir-sampled) least=19 values=1 flags="$flags -mllvm -sampled-instrumentation" ;;
	ir-vtable) least=19 values=1 flags="$flags -mllvm -enable-vtable-value-profiling" ;;
	ir-loop-entries) least=22 values=1 flags="$flags -mllvm -pgo-instrument-loop-entries" ;;
	cs) values=1 flags="-O2 -fcs-profile-generate -fprofile-use=$dir/ir" ;;
	fe) ;;
	fe-cxx | fe-plain-names) flags="-O1 $front -mllvm -enable-name-compression=false" ;;
	fe-values) values=1 flags="-O1 $front -mllvm -enable-value-profiling=true" ;;
	fe-byte) least=19 flags="$flags -mllvm -enable-single-byte-coverage=true" ;;
	fe-mcdc | fe-mcdc-cxx) least=19 flags="$flags -fcoverage-mcdc" ;;
	rust-coverage) coverage=1 weightless=1 flags="-O -C instrument-coverage" ;;
	rust-pgo) values=1 flags="-O -C profile-generate" ;;
	*) return 1 ;;
	esac
	[ -z "$values" ] || has='IPVK_IndirectCallTarget'
	case $2 in
	ir-entry) has='^:entry_first' ;;
	ir-loop-entries) has='^:instrument_loop_entries' ;;
	ir-temporal*) has='^:temporal_prof_traces' ;;
	ir-vtable) has='IPVK_VTableTarget' ;;
	cs) has='^:csir' ;;
	fe-mcdc*) has='^# Num Bitmap Bytes' ;;
	fe-byte | ir-block) has='^:single_byte_coverage' ;;
	esac
	[ "$1" -ge "$least" ]
}
modes="fe fe-cxx fe-plain-names fe-values fe-byte fe-mcdc fe-mcdc-cxx ir ir-dynamic ir-novalues ir-entry ir-atomic
	ir-cxx ir-function-entry ir-block ir-temporal ir-temporal-block ir-sampled ir-vtable ir-loop-entries cs"

releases="13 14 15 16 19 22"

# reads VERSION: prints the LLVM releases that read indexed profiles of index version VERSION.
reads() {
	for r in 13:7 14:7 15:8 16:9 19:12 22:13; do
		[ "${r#*:}" -lt "$1" ] || echo "${r%:*}"
	done
}

# reads_mapping MAJOR OTHER: succeeds if llvm-cov-MAJOR can read the coverage mapping of a program that clang OTHER
# compiled.
reads_mapping() { [ "$1" -ge 19 ] || [ "$2" -lt 19 ]; }

# version_of FILE: prints the version of an indexed profile, without the variant bits.
version_of() { od -An -j8 -N4 -tu4 "$1" | tr -d ' '; }
