#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# builds.sh: builds a current Xen with ports/xen in the ways that users build Xen: with two releases of clang, with
# coverage and with MC/DC, with GNU ld and with lld. GNU ld also links xen.efi, which boots with the firmware OVMF. Each
# hypervisor boots dom0, and dom0 pulls its profile. The profile must have the build id of xen-syms, so that no other
# xen-syms can make a report of it.
#
# The variable XEN_BUILDS selects combinations, for example "19/mcdc 22/coverage".
. "$(dirname "$0")/../../lib.sh"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh
. tests/ports/xen/current.sh

FUNCTIONS_MIN=6400
XEN_BUILDS=${XEN_BUILDS:-19/coverage 19/mcdc 22/coverage 22/mcdc}

xen_source && xen_dom0 || exit 0
not() { ! "$@"; }
check "the static program builds" make -s static
xen_root "$WORK/root"
cp build/static/bareprof "$WORK/root/test/"
cat >"$WORK/root/test/run" <<'END_OF_RUN'
insmod ./xen-privcmd.ko
./bareprof info --from xen --json >/out/info.json &&
	./bareprof pull --from xen -o /out/xen.profraw xen &&
	./bareprof pull --capture --from xen -o /out/xen.capture xen
END_OF_RUN
linux_initramfs "$WORK/root" "$WORK/initramfs"

# The source of current Xen with the port, made once.
source=$WORK/source
check "the source is unpacked" xen_unpack "$source"
check "it gets the parts of a current Xen" xen_current "$source"
check "bareprof is installed" sh ports/xen/install.sh "$source"

# quiet: succeeds if the last build printed no warnings of the linker.
quiet() { not grep -E '(^|/)ld(\.lld)?(-[0-9]+)?: (warning|.*below image base)' "$tree.log"; }
id_of() { "llvm-readelf-$llvm" -n "$1" | sed -n 's/.*Build ID: //p'; }
report() {
	"llvm-profdata-$llvm" merge "$out/xen.profraw" -o "$out/xen.profdata" &&
		"llvm-cov-$llvm" report "$kept/xen-syms" -instr-profile="$out/xen.profdata" -show-mcdc-summary >"$out/report"
}
# total N: prints column N of the line TOTAL.
total() { awk -v n="$1" '/^TOTAL/ { print $n }' "$out/report"; }

# judge WHAT LINKER BOOT FILE OTHER: boots FILE, which LINKER made, with the function BOOT, and checks the profile. The
# xen-syms that the linker OTHER made must be refused.
judge() {
	this="clang $llvm, $kind, $1"
	kept=$WORK/$llvm-$kind-$2
	out=$kept/out-$4
	id=$(id_of "$kept/xen-syms")
	check "$this: dom0 boots and pulls the profile" "$3" "$kept/$4" "$WORK/initramfs" "$out"
	[ -s "$out/xen.capture" ] || return
	check "$this: the profile has the build id of xen-syms, $id" grep -q "\"build_id\": \"$id\"" "$out/info.json"
	check "$this: LLVM makes a report" report
	check "$this: llvm-cov reports $(total 5) functions, of which $(total 6) did not run" \
		test "$(total 5)" -ge $FUNCTIONS_MIN -a "$(total 6)" -lt $(($(total 5) * 8 / 10))
	[ "$kind" != mcdc ] || check "$this: of $(total 14) conditions, $(total 15) are not covered" \
		test "$(total 14)" -gt 1000 -a "$(total 15)" -lt "$(total 14)"
	"$BAREPROF" report "$kept/xen-syms" "$out/xen.profraw" >"$out/table" 2>"$out/table.err"
	check "$this: bareprof report has as many" test "$(awk '/^TOTAL/ { print $5, $6 }' "$out/table")" = "$(total 5) $(total 6)"
	check "$this: the capture and xen-syms make a profile" \
		"$BAREPROF" pull "$out/xen.capture" --elf "$kept/xen-syms" -o "$out/again.profraw"
	check "$this: it has the same size" test "$(stat -c %s "$out/again.profraw")" = "$(stat -c %s "$out/xen.profraw")"
	other=$WORK/$llvm-$kind-$5/xen-syms
	refuses "$this: report refuses the xen-syms of another build" \
		"comes from another build: its build id is $id" "$BAREPROF" report "$other" "$out/xen.profraw"
	refuses "$this: pull refuses the xen-syms of another build" "comes from another build than .*: its own build id is $id" \
		"$BAREPROF" pull "$out/xen.capture" --elf "$other" -o "$out/wrong.profraw"
}

# build LINKER: builds Xen, and keeps the results.
build() {
	kept=$WORK/$llvm-$kind-$1
	XEN_LD=$1
	mkdir -p "$kept"
	# shellcheck disable=SC2086
	xen_config "$tree" "$llvm" EXPERT=y DEBUG=n LIVEPATCH=n COVERAGE=y $options && xen_make "$tree" "$llvm" &&
		cp "$tree/xen/xen" "$tree/xen/xen-syms" "$kept" && { [ "$1" != gnu ] || cp "$tree/xen/xen.efi" "$kept"; }
}

XEN_CPUS=1
for each in $XEN_BUILDS; do
	llvm=${each%/*}
	kind=${each#*/}
	# Reports need no debug info. GNU ld takes minutes to put it into xen.efi, so only one kind has it.
	options=
	[ "$kind" = coverage ] || options='CONDITION_COVERAGE=y DEBUG_INFO=n'
	tree=$WORK/xen-$llvm-$kind
	rm -rf "$tree"
	cp -a "$source" "$tree"
	check "clang $llvm, $kind: GNU ld links xen and xen.efi" build gnu
	check "clang $llvm, $kind: GNU ld prints no warning" quiet
	check "clang $llvm, $kind: lld links xen" build lld
	check "clang $llvm, $kind: lld prints no warning" quiet
	rm -rf "$tree"
	judge "GNU ld" gnu xen_boot xen lld
	judge "xen.efi" gnu xen_boot_efi xen.efi lld
	judge lld lld xen_boot xen gnu
done
