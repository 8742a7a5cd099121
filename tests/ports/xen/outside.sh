#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# outside.sh - reads the counters of Xen from outside, while dom0 runs: through QEMU's monitor, through gdb's protocol, and
# from cores of the machine. Before, dom0 pulls the profile with the hypercall. Counters only grow, so no counter that is
# read from outside later may be below that of the hypercall.
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh

LLVM=22
xen_source && xen_dom0 || exit 0
root=$WORK/root
tree=$WORK/xen
out=$WORK/out
xen_root "$root"
check "the static program builds" make -s static
cp build/static/bareprof "$root/test/"
cat >"$root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof pull --from xen -o /out/hypercall.profraw
echo 'dom0 waits' >/dev/console
sleep 40
./bareprof pull --from xen -o /out/after.profraw
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs"

hypervisor() {
	xen_unpack "$tree" && sh ports/xen/install.sh "$tree" &&
		xen_config "$tree" $LLVM EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y && xen_make "$tree" $LLVM BAREPROF_ATOMIC=y
}
check "clang $LLVM: Xen builds" hypervisor

XEN_CPUS=2
XEN_QEMU="-qmp unix:$WORK/s.qmp,server=on,wait=off -gdb unix:$WORK/s.gdb,server=on,wait=off" \
	xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out" >"$WORK/log" 2>&1 &
boot=$!
while kill -0 $boot && ! grep -aqs 'dom0 waits' "$out/console.log"; do sleep 1; done

# pull NAME SOURCE: writes $WORK/NAME.profraw.
pull() {
	"$BAREPROF" pull --from "$2" --elf "$tree/xen/xen-syms" -o "$WORK/$1.profraw"
}
dump() {
	python3 tests/outside/dump.py "$WORK/s.qmp" "$WORK/$1"
}
check "QEMU's monitor" pull qmp "qmp:$WORK/s.qmp"
check "gdb's protocol" pull gdb "gdb:unix:$WORK/s.gdb"
check "a core is written" dump core
check "a core without virtual addresses" pull core "core:$WORK/core"
check "dom0 reaches its end" wait $boot

# At the end, dom0 pulls once more. All counters are atomic, so each profile is between those before and after it.
for way in qmp gdb core; do
	check "$way: no counter is below that of the hypercall before, or above that of the hypercall after" \
		python3 tests/ports/xen/judge.py --atomic "$out/hypercall.profraw" "$WORK/$way.profraw" "$out/after.profraw"
done
