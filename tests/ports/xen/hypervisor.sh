#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hypervisor.sh: tests Xen with ports/xen in QEMU. Two clangs build Xen from Debian's source package. Dom0 pulls the
# profile as raw profile and as capture. It also makes all mistakes that a caller can make (run, guest.c). LLVM's tools
# check the profiles. A domain that is not dom0 must be refused (domu.c, domu_init). Xen must print its counters on
# the console, also in a panic. Three more hypervisors are tested: a hypervisor without windows, Debian's own hypervisor
# without coverage, and a hypervisor that is optimized with its own counts.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh
. tests/ports/xen/judge.sh

OLD=19
NEW=22
FUNCTIONS_MIN=4000
SMALLER=60

xen_source && xen_dom0 && xen_stock || exit 0
root=$WORK/root
xen_root "$root"
check "the static program builds" make -s static
check "the guest's own caller builds" gcc -Wall -O1 -static -o "$root/test/guest" tests/ports/xen/guest.c
cp build/static/bareprof ports/xen/each.sh tests/ports/xen/run tests/ports/xen/guest.sh "$root/test/"
linux_initramfs "$root" "$WORK/initramfs"

# hypervisor LLVM WORD...: builds Xen with the port. The WORDs are arguments of make.
hypervisor() {
	llvm=$1
	tree=$WORK/xen-$1
	shift
	xen_unpack "$tree" && sh ports/xen/install.sh "$tree" &&
		xen_config "$tree" "$llvm" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y && xen_make "$tree" "$llvm" "$@"
}
check "clang $OLD: it builds" hypervisor $OLD
check "Xen's own xencov builds" xen_program "$root/test/xencov" "$WORK/xen-$OLD/tools/misc/xencov.c"
linux_initramfs "$root" "$WORK/initramfs"
XEN_CPUS=1
judge $OLD
refuses "a report on the stripped hypervisor: xen-syms is named" "was stripped; give $tree/xen/xen-syms, the same" \
	"$BAREPROF" report "$tree/xen/xen" "$out/first.profraw"
check "the table has no files without functions" sh -c \
	"'$BAREPROF' report '$tree/xen/xen-syms' '$out/first.profraw' | awk '\$4 == \"-\" && \$5 == 0 { n++ } END { exit n > 0 || NR < 400 }'"

# The console is a socket. pull switches the input from dom0 to Xen and presses the key b. When the profile is written,
# pull presses B and switches the input back. Dom0 waits until the counters were reset.
cp "$root/test/run" "$WORK/run"
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
resets() { ./bareprof info --json --from xen | sed -n 's/.*"resets": *\([0-9]*\).*/\1/p'; }
echo "dom0 waits for a reset" >/dev/console
seconds=0
until [ "$(resets)" -gt 0 ] || [ $seconds -ge 300 ]; do
	sleep 1
	seconds=$((seconds + 1))
done
./bareprof pull --capture --from xen -o /out/after.capture
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs"
tree=$WORK/xen-$OLD
out=$WORK/out-live
XEN_SERIAL="unix:$WORK/console,server=on,wait=off,logfile=$out/console.log" \
	xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out" >"$WORK/live.log" 2>&1 &
boot=$!
while kill -0 $boot && ! grep -aqs 'dom0 waits' "$out/console.log"; do sleep 1; done
check "live console: the key b is pressed, and the profile is pulled" "$BAREPROF" pull "unix:$WORK/console" --timeout 200 \
	--elf "$tree/xen/xen-syms" --send '\x01\x01\x01b' --then 'B\x01\x01\x01' -o "$out/live.profraw"
check "live console: dom0 reaches its end" wait $boot
check "live console: the key B was pressed" sh -c "python3 tests/capture/decode.py '$out/after.capture' | grep -q 'generation 1,'"
check "live console: LLVM reads the profile" "llvm-profdata-$OLD" show "$out/live.profraw"
cp "$WORK/run" "$root/test/run"

check "clang $NEW: it builds, with atomic counters" hypervisor $NEW BAREPROF_ATOMIC=y
# In this run, a domain that is not dom0 makes the calls as well.
check "an unprivileged domain is prepared, to boot in dom0" xen_domu "$root"
linux_initramfs "$root" "$WORK/initramfs"
XEN_CPUS=2
judge $NEW --atomic
rm -rf "$root/test/domu"

# A file of zeros takes the place of dom0's kernel, so Xen panics.
out=$WORK/panic
truncate -s 1M "$WORK/zeros"

XEN_DOM0=$WORK/zeros XEN_TIME=60 xen_boot "$WORK/xen-$NEW/xen/xen" "$WORK/initramfs" "$out" crash-debug-panic=b >"$WORK/panic.log"
check "panic: Xen panics without dom0" grep -aq 'Could not construct' "$out/console.log"
check "panic: the counters are on the console" "$BAREPROF" pull "$out/console.log" --elf "$WORK/xen-$NEW/xen/xen-syms" -o "$out/panic.profraw"
check "panic: panic() ran once" sh -c "'llvm-profdata-$NEW' show --function=panic '$out/panic.profraw' --counts | grep -q 'Function count: 1'"

# This hypervisor has only Xen's own interface for coverage, so it has no windows and no captures.
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
check "without read_at: it builds" xen_make "$tree" $NEW BAREPROF_ATOMIC=y
check "without read_at: it boots" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
check "without read_at: info says so" grep -q '"windows": "no"' "$out/info.json"
check "without read_at: a profile is pulled all the same" "llvm-profdata-$NEW" merge "$out/whole.profraw" -o "$out/whole.profdata"
check "without read_at: a capture is refused" sh -c \
	"grep -q 'bareprof: /dev/xen/privcmd: Xen cannot make captures, .*without --capture' '$out/said' && grep -qx 'status 3' '$out/said'"
check "without read_at: no capture is written" not test -e "$out/none.capture"

# Debian's own hypervisor has no coverage.
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
check "Debian's hypervisor: it boots" xen_boot "$XEN_STOCK" "$WORK/initramfs" "$out"
check "Debian's hypervisor: info, reset and pull say that it counts nothing" test \
	"$(grep -c '^bareprof: /dev/xen/privcmd: Xen has no counters: it was built without coverage' "$out/said") $(grep -cx 'status 3' "$out/said")" = "3 3"
check "Debian's hypervisor: no profile is written" not grep profraw "$out/left"

# PGO: one hypervisor counts, and another is compiled with its counts.
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
check "PGO: a hypervisor that counts builds" hypervisor $NEW BAREPROF_KIND=irpgo
check "PGO: it boots, and its profile is read" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
check "PGO: the profile is merged" "$BAREPROF" merge -o "$profile" "$out/pgo.profraw"
check "PGO: it has $(functions "$profile") functions" test "$(functions "$profile")" -ge $FUNCTIONS_MIN
check "PGO: it is a profile for the compiler" sh -c "'llvm-profdata-$NEW' show '$profile' | grep -q '^Instrumentation level: IR'"
check "PGO: the capture and xen-syms make a profile" \
	"$BAREPROF" pull "$out/pgo.capture" --elf "$tree/xen/xen-syms" -o "$out/capture.profraw"
check "PGO: it has as many functions" test "$(functions "$out/capture.profraw")" = "$(functions "$profile")"
check "PGO: without the profile no code is hot" test "$(hot)" -eq 0
check "PGO: the tree is cleaned" xen_make "$tree" $NEW clean
check "PGO: coverage is switched off" xen_config "$tree" $NEW COVERAGE=n
check "PGO: a hypervisor builds with the profile" xen_make "$tree" $NEW CC="clang-$NEW -fprofile-use=$profile -mllvm -disable-vp=true -Wno-backend-plugin"
check "PGO: some of its code is hot: $(hot) sections" test "$(hot)" -gt 50
echo 'exit 0' >"$root/test/run"
linux_initramfs "$root" "$WORK/initramfs"
check "PGO: it boots" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out"
