#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hypervisor.sh: Xen of Debian's source package with ports/xen, by two clangs, in QEMU:
# dom0 pulls the profile, as raw profile and as capture, does to it what a caller can do wrong
# (xen/run, xen/guest.c), and LLVM's tools judge what came out; a domain that is not dom0 is
# refused (xen/domu.c, xen/domu_init); the counters on the console, also in a panic; one that
# has no windows; Debian's own, which has no coverage; and one that is compiled with its own counts.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh

OLD=19
NEW=22
FUNCTIONS_MIN=4000
SMALLER=60

xen_source && xen_dom0 && xen_stock || exit 0
not() { ! "$@"; }
size() { stat -c %s "$1"; }
root=$WORK/root
xen_root "$root"
check "static" make -s static
check "the guest's own caller" gcc -Wall -O1 -static -o "$root/test/guest" tests/ports/xen/guest.c
cp build/static/bareprof tests/ports/xen/run tests/ports/xen/guest.sh "$root/test/"
linux_initramfs "$root" "$WORK/initramfs"

# hypervisor LLVM WORD...: built with the port, words for make.
hypervisor() {
	llvm=$1
	tree=$WORK/xen-$1
	shift
	xen_unpack "$tree" && sh ports/xen/install.sh "$tree" &&
		xen_config "$tree" "$llvm" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y && xen_make "$tree" "$llvm" "$@"
}
# total REPORT: functions of llvm-cov's report, those without a count, lines without.
total() { awk '/^TOTAL/ { print $5, $6, $9 }' "$1"; }
column() { total "$1" | cut -d ' ' -f "$2"; }
# reported NAME: that profile, by LLVM's tools.
reported() {
	"llvm-profdata-$llvm" merge "$out/$1.profraw" -o "$out/$1.profdata" &&
		"llvm-cov-$llvm" report "$tree/xen/xen-syms" -instr-profile="$out/$1.profdata" >"$out/$1.report" 2>"$out/$1.err" &&
		test -n "$(total "$out/$1.report")"
}
# missing: functions that llvm-profdata lists and llvm-cov does not have.
missing() {
	"llvm-profdata-$llvm" show --all-functions "$out/first.profdata" | sed -n '/^  [^ ].*:$/{s/^  //; s/:$//; s/;/:/; p;}' | sort -u >"$out/listed"
	"llvm-cov-$llvm" export -format=lcov -skip-expansions "$tree/xen/xen-syms" -instr-profile="$out/first.profdata" |
		sed -n 's/^FN:[0-9]*,//p' | sort -u >"$out/covered"
	comm -23 "$out/listed" "$out/covered"
}
# none COMMAND...: it has nothing to say.
none() { test -z "$("$@" | head -n 5 | tee /dev/stderr)"; }

# judge LLVM [--atomic]: boot what was built, and look at what came out.
judge() {
	llvm=$1
	atomic=${2-}
	tree=$WORK/xen-$llvm
	out=$WORK/out-$llvm
	check "clang $llvm: boots, and dom0 comes to its end" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
	if [ ! -s "$out/end" ]; then
		not_ok "clang $llvm: dom0 brought everything back"
		return
	fi
	sed "s/ - guest:/ - clang $llvm, guest:/" "$out/said"
	for name in xen second reset; do
		check "clang $llvm: $name.capture and xen-syms are a profile" \
			"$BAREPROF" pull "$out/$name.capture" --elf "$tree/xen/xen-syms" -o "$out/$name.profraw"
	done
	# shellcheck disable=SC2086
	check "clang $llvm: of equal counts" python3 tests/ports/xen/judge.py $atomic "$out/first.profraw" "$out/xen.profraw" "$out/second.profraw"
	for name in first reset; do
		check "clang $llvm: a report of $name" reported $name
	done
	check "clang $llvm: llvm-cov reports $(column "$out/first.report" 1) functions" test "$(column "$out/first.report" 1)" -ge $FUNCTIONS_MIN
	check "clang $llvm: all functions that llvm-profdata lists are in it" none missing
	check "clang $llvm: they are $(wc -l <"$out/listed")" test "$(wc -l <"$out/listed")" -ge $FUNCTIONS_MIN
	ran=$(($(column "$out/first.report" 1) - $(column "$out/first.report" 2)))
	again=$(($(column "$out/reset.report" 1) - $(column "$out/reset.report" 2)))
	check "clang $llvm: $ran functions ran, $again after a reset" test "$again" -gt 100 -a "$again" -lt $((ran / 2))
	ratio=$(($(size "$out/first.profraw") / $(size "$out/xen.capture")))
	check "clang $llvm: a profile of $(size "$out/first.profraw") bytes, a capture of $(size "$out/xen.capture"): $ratio times smaller" \
		test "$ratio" -ge $SMALLER
	check "clang $llvm: the debug key's lines and xen-syms are a profile" \
		"$BAREPROF" pull "$out/console.log" --elf "$tree/xen/xen-syms" -o "$out/key.profraw"
	check "clang $llvm: of the same size" test "$(size "$out/key.profraw")" = "$(size "$out/first.profraw")"
	check "clang $llvm: bareprof report: the same functions" sh -c \
		"'$BAREPROF' report '$tree/xen/xen-syms' '$out/first.profraw' | awk '/^TOTAL/ { print \$5, \$6 }' | grep -qx '$(total "$out/first.report" | cut -d ' ' -f 1,2)'"
	sed 's/^/    /' "$out/info"
}

check "clang $OLD: builds" hypervisor $OLD
XEN_CPUS=1
judge $OLD
check "clang $NEW: builds, with atomic counters" hypervisor $NEW BAREPROF_ATOMIC=y
# And a domain that is not dom0 asks as well.
check "an unprivileged domain, to boot in dom0" xen_domu "$root"
linux_initramfs "$root" "$WORK/initramfs"
XEN_CPUS=2
judge $NEW --atomic
rm -rf "$root/test/domu"

# No dom0, but a file of zeros: Xen panics.
out=$WORK/panic
truncate -s 1M "$WORK/zeros"

XEN_DOM0=$WORK/zeros XEN_TIME=60 xen_boot "$WORK/xen-$NEW/xen/xen" "$WORK/initramfs" "$out" crash-debug-panic=b >"$WORK/panic.log"
check "in a panic, without dom0" grep -aq 'Could not construct' "$out/console.log"
check "the counters are on the console" "$BAREPROF" pull "$out/console.log" --elf "$WORK/xen-$NEW/xen/xen-syms" -o "$out/panic.profraw"
check "and panic() ran" sh -c "'llvm-profdata-$NEW' show --function=panic '$out/panic.profraw' --counts | grep -q 'Function count: 1'"

# As Xen's own coverage has it: no windows, no captures.
tree=$WORK/xen-$NEW
out=$WORK/out-whole
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof info --from xen --json >/out/info.json
./bareprof pull --from xen -o /out/whole.profraw xen >/out/said 2>&1
./bareprof pull --capture --from xen -o /out/none.capture xen >>/out/said 2>&1
echo "status $?" >>/out/said
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs"
sed -i 's/case XEN_SYSCTL_COVERAGE_read_at:/case 99:/' "$tree/xen/common/coverage/coverage.c"
check "without read_at: builds" xen_make "$tree" $NEW BAREPROF_ATOMIC=y
check "without read_at: boots" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
check "without read_at: info says so" grep -q '"windows": "no"' "$out/info.json"
check "without read_at: a profile all the same" "llvm-profdata-$NEW" merge "$out/whole.profraw" -o "$out/whole.profdata"
check "without read_at: a capture is refused" sh -c \
	"grep -q 'bareprof: /dev/xen/privcmd: Xen has no captures: .*without --capture' '$out/said' && grep -qx 'status 3' '$out/said'"
check "without read_at: nothing is written of that" not test -e "$out/none.capture"

# As distributions have it.
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
for command in info reset pull; do
	./bareprof $command --from xen >>/out/said 2>&1
	echo "status $?" >>/out/said
done
ls >/out/left
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs"
out=$WORK/out-stock
check "Debian's own hypervisor boots" xen_boot "$XEN_STOCK" "$WORK/initramfs" "$out"
check "info, reset and pull say that it counts nothing" test \
	"$(grep -c '^bareprof: /dev/xen/privcmd: Xen counts nothing: it was built without coverage' "$out/said") $(grep -cx 'status 3' "$out/said")" = "3 3"
check "nothing is written" not grep profraw "$out/left"

# Counts for the compiler, and what that makes of them.
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof pull --from xen -o /out/pgo.profraw xen || exit
./bareprof pull --capture --from xen -o /out/pgo.capture xen
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs"
out=$WORK/out-pgo
profile=$WORK/xen.profdata
functions() { "llvm-profdata-$NEW" show "$1" | sed -n 's/^Total functions: //p'; }
hot() { "llvm-readelf-$NEW" -SW "$tree"/xen/common/*.o | grep -c ' \.text\.hot'; }
check "PGO: builds" hypervisor $NEW BAREPROF_KIND=irpgo
check "PGO: boots, and is read" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
check "PGO: merge" "$BAREPROF" merge -o "$profile" "$out/pgo.profraw"
check "PGO: of $(functions "$profile") functions" test "$(functions "$profile")" -ge $FUNCTIONS_MIN
check "PGO: they are counted for the compiler" sh -c "'llvm-profdata-$NEW' show '$profile' | grep -q '^Instrumentation level: IR'"
check "PGO: the capture and xen-syms are a profile" \
	"$BAREPROF" pull "$out/pgo.capture" --elf "$tree/xen/xen-syms" -o "$out/capture.profraw"
check "PGO: of as many functions" test "$(functions "$out/capture.profraw")" = "$(functions "$profile")"
check "PGO: no code is hot" test "$(hot)" -eq 0
check "PGO: made anew" xen_make "$tree" $NEW clean
check "PGO: without coverage" xen_config "$tree" $NEW COVERAGE=n
check "PGO: and with the profile" xen_make "$tree" $NEW CC="clang-$NEW -fprofile-use=$profile -mllvm -disable-vp=true -Wno-backend-plugin"
check "PGO: some code is: $(hot) sections" test "$(hot)" -gt 50
echo 'exit 0' >"$root/test/run"
linux_initramfs "$root" "$WORK/initramfs"
check "PGO: it boots" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
