# SPDX-License-Identifier: BSD-2-Clause
# judge.sh - judge() boots a hypervisor whose dom0 runs the script `run`, and checks the profiles. Scripts source it
# after lib.sh. They set FUNCTIONS_MIN, the least number of functions, and SMALLER, which says how many times smaller a
# capture is than a profile, at least.
# shellcheck shell=sh disable=SC2154

not() { ! "$@"; }
size() { stat -c %s "$1"; }

# total REPORT: prints three numbers from llvm-cov's report: functions, functions that did not run, and lines that did
# not run.
total() { awk '/^TOTAL/ { print $5, $6, $9 }' "$1"; }
column() { total "$1" | cut -d ' ' -f "$2"; }
# reported NAME: succeeds if LLVM's tools make a report of the profile NAME.
reported() {
	"llvm-profdata-$llvm" merge "$out/$1.profraw" -o "$out/$1.profdata" &&
		"llvm-cov-$llvm" report "$tree/xen/xen-syms" -instr-profile="$out/$1.profdata" >"$out/$1.report" 2>"$out/$1.err" &&
		test -n "$(total "$out/$1.report")"
}
# missing: prints the functions that llvm-profdata lists but that llvm-cov does not have.
missing() {
	"llvm-profdata-$llvm" show --all-functions "$out/first.profdata" | sed -n '/^  [^ ].*:$/{s/^  //; s/:$//; s/;/:/; p;}' | sort -u >"$out/listed"
	"llvm-cov-$llvm" export -format=lcov -skip-expansions "$tree/xen/xen-syms" -instr-profile="$out/first.profdata" |
		sed -n 's/^FN:[0-9]*,//p' | sort -u >"$out/covered"
	comm -23 "$out/listed" "$out/covered"
}
# list_functions NAME: prints name, hash and number of counters of all functions in the profile NAME.
list_functions() { "llvm-profdata-$llvm" show --all-functions "$out/$1.profraw" | grep -E '^  [^ ].*:$|^    (Hash|Counters): '; }
# same_functions A B: succeeds if the profiles A and B have the same functions, and at least FUNCTIONS_MIN.
same_functions() {
	list_functions "$1" >"$out/$1.functions" && list_functions "$2" >"$out/$2.functions" &&
		[ "$(grep -c Hash: "$out/$1.functions")" -ge $FUNCTIONS_MIN ] && cmp "$out/$1.functions" "$out/$2.functions"
}
# none COMMAND...: succeeds if COMMAND prints nothing.
none() { test -z "$("$@" | head -n 5 | tee /dev/stderr)"; }

# judge LLVM [--atomic]: boots the hypervisor and checks its profiles.
judge() {
	llvm=$1
	atomic=${2-}
	tree=$WORK/xen-$llvm
	out=$WORK/out-$llvm
	check "clang $llvm: the hypervisor boots, and dom0 reaches its end" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
	if [ ! -s "$out/end" ]; then
		not_ok "clang $llvm: dom0 returned all of its results"
		return
	fi
	sed "s/ - guest:/ - clang $llvm, guest:/" "$out/said"
	for name in xen second reset; do
		check "clang $llvm: $name.capture and xen-syms make a profile" \
			"$BAREPROF" pull "$out/$name.capture" --elf "$tree/xen/xen-syms" -o "$out/$name.profraw"
	done
	# shellcheck disable=SC2086
	check "clang $llvm: the profiles have matching counts" python3 tests/ports/xen/judge.py $atomic "$out/first.profraw" "$out/xen.profraw" "$out/second.profraw"
	for name in first reset; do
		check "clang $llvm: LLVM makes a report of $name" reported $name
	done
	check "clang $llvm: llvm-cov reports $(column "$out/first.report" 1) functions" test "$(column "$out/first.report" 1)" -ge $FUNCTIONS_MIN
	check "clang $llvm: it has all functions that llvm-profdata lists" none missing
	check "clang $llvm: llvm-profdata lists $(wc -l <"$out/listed")" test "$(wc -l <"$out/listed")" -ge $FUNCTIONS_MIN
	ran=$(($(column "$out/first.report" 1) - $(column "$out/first.report" 2)))
	again=$(($(column "$out/reset.report" 1) - $(column "$out/reset.report" 2)))
	check "clang $llvm: $ran functions ran, $again after a reset" test "$again" -gt 100 -a "$again" -lt $((ran / 2))
	ratio=$(($(size "$out/first.profraw") / $(size "$out/xen.capture")))
	check "clang $llvm: a profile of $(size "$out/first.profraw") bytes, a capture of $(size "$out/xen.capture") bytes: $ratio times smaller" \
		test "$ratio" -ge $SMALLER
	check "clang $llvm: the lines of the debug key and xen-syms make a profile" \
		"$BAREPROF" pull "$out/console.log" --elf "$tree/xen/xen-syms" -o "$out/key.profraw"
	check "clang $llvm: it has the same functions as the profile by hypercall" same_functions key first
	python3 tests/ports/xen/keys.py "$BAREPROF" "$tree/xen/xen-syms" "$out/console.log" "$out" | sed "s/ - / - clang $llvm, key: /"
	for test in h.2 none.0 bad.0; do
		check "clang $llvm: each.sh: ${test%.*} called show_handlers() ${test#*.} times" sh -c \
			"'llvm-profdata-$llvm' show --counts --function=show_handlers '$out/each/${test%.*}.profdata' | grep -qx ' *Function count: ${test#*.}'"
	done
	# The exit status of report is not checked. Xen counts while dom0 pulls the profile, so some counts can be torn.
	check "clang $llvm: bareprof report has the same functions" sh -c \
		"'$BAREPROF' report '$tree/xen/xen-syms' '$out/first.profraw' | awk '/^TOTAL/ { print \$5, \$6 }' | grep -qx '$(total "$out/first.report" | cut -d ' ' -f 1,2)'"
	sed 's/^/    /' "$out/info"
}
