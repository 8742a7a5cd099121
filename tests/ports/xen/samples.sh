#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# samples.sh: tests samples of Xen with ports/xen in QEMU. Clang builds a Xen without coverage that takes samples. Dom0
# runs loads and pulls the samples (samples_run, load.c). samples_judge.py checks that each interrupt was counted once,
# and that the functions of the loads are hot. The variable XEN_SAMPLES selects the compilers, such as "gcc 22".
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh

XEN_SAMPLES=${XEN_SAMPLES:-19}

xen_source && xen_dom0 || exit 0
root=$WORK/root
xen_root "$root"
check "the static program builds" make -s static
check "the load builds" gcc -Wall -O1 -static -o "$root/test/load" tests/ports/xen/load.c
cp build/static/bareprof tests/ports/xen/guest.sh "$root/test/"
cp tests/ports/xen/samples_run "$root/test/run"
linux_initramfs "$root" "$WORK/initramfs"
cat >"$root/test/run" <<'END_OF_RUN'
exec >/out/said 2>&1
. /test/guest.sh
insmod ./xen-privcmd.ko
refused "samples before the first start" 1 'Xen has taken no samples yet: run bareprof sample start' pull --from xen samples -o /tmp/none
check "no capture is written" test ! -e /tmp/none
check "samples of one CPU start" "$b" sample start --from xen --rate 20
END_OF_RUN
linux_initramfs "$root" "$WORK/initramfs-none"

# hypervisor COMPILER: builds Xen in $tree.
hypervisor() {
	xen_unpack "$tree" && sh ports/xen/install.sh "$tree" &&
		xen_config "$tree" "$1" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=n BAREPROF_SAMPLES=y && xen_make "$tree" "$1"
}

for compiler in $XEN_SAMPLES; do
	tree=$WORK/xen-$compiler
	out=$WORK/out-$compiler
	check "$compiler: Xen builds" hypervisor "$compiler"
	XEN_CPUS=2
	check "$compiler: dom0 boots and reaches its end" xen_boot "$tree/xen/xen" "$WORK/initramfs" "$out" bareprof-samples=997
	[ -s "$out/end" ] || { not_ok "$compiler: dom0 returned its results" && continue; }
	sed "s/ - guest:/ - $compiler, guest:/" "$out/said"
	python3 tests/ports/xen/samples_judge.py "$BAREPROF" "$tree/xen/xen-syms" "$out" >"$out/judged" ||
		not_ok "$compiler: all samples were judged"
	sed "s/ - / - $compiler: /" "$out/judged"
	XEN_CPUS=1
	out=$WORK/none-$compiler
	check "$compiler: a bad rate: dom0 boots" xen_boot "$tree/xen/xen" "$WORK/initramfs-none" "$out" bareprof-samples=19
	check "$compiler: a bad rate: Xen says why there are no samples" grep -aq \
		'bareprof: bareprof-samples=19: the rate must be 20 to 20000 Hz' "$out/console.log"
	sed "s/ - guest:/ - $compiler, guest:/" "$out/said"
done
