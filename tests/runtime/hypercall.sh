#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hypercall.sh - a guest pulls the profile of its hypervisor. The script first tests the dispatcher alone, then
# hypervisors in QEMU. The windows that the guest reads must have the same bytes as the hypervisor's own dump of the
# same snapshot, and no call may give a guest any other bytes. With BAREPROF_WIDE=1, all clangs and kinds are tested,
# with more random calls.
. "$(dirname "$0")/../lib.sh"

NEWEST=$(newest_clang)
CFLAGS=$(make -s --no-print-directory -f runtime/runtime.mk -f tests/runtime/runtime.mk print-cflags)
SOURCES="tests/runtime/unit/hypercall.c tests/runtime/unit/host.c runtime/copy.c"
for part in hypercall snapshot image_walk image reset profraw read capture_blocks capture capture_counters counter_codec crc32c; do
	SOURCES="$SOURCES runtime/$part.c"
done

# unit TARGET: builds the tests of the dispatcher for TARGET and runs them.
unit() {
	# shellcheck disable=SC2086
	if "clang-$NEWEST" --target="$1" -c tests/runtime/unit/images.S -o "$WORK/images.o" >"$WORK/log" 2>&1 &&
		"clang-$NEWEST" --target="$1" $CFLAGS -O2 -g -fno-stack-protector -fno-pic -static -nostdlib -fuse-ld=lld \
			-include tests/runtime/unit/promises_yield.h $SOURCES "$WORK/images.o" -o "$WORK/$1" >"$WORK/log" 2>&1; then
		"$WORK/$1" >"$WORK/$1.said"
		[ $? -le 1 ] || not_ok "$1 ended in a crash"
		grep '^not ok' "$WORK/$1.said"
		sed -n 's/^ok - \([^:]*\).*/\1/p' "$WORK/$1.said" | sort | uniq -c | while read -r n what; do ok "$what ($n times)"; done
	else
		not_ok "$1: hypercall.c does not build"
		sed 's/^/    /' "$WORK/log"
	fi
}

# run: boots the hypervisor. The console's output of each step goes to the file $said/STEP.
run() {
	mkdir -p "$said"
	BAREPROF_BOARDS=qemu/hyper "$BAREPROF" run --board "$arch" --timeout 60 --log "$said.log" -o "$said.profraw" \
		"$out/kernel.elf" </dev/null || return
	python3 - "$said.log" "$said" <<'PYTHON'
import sys
for step in (b"\n" + open(sys.argv[1], "rb").read()).split(b"\n== ")[1:]:
    name, _, text = step.partition(b"\r\n")
    open(f"{sys.argv[2]}/{name.decode()}", "wb").write(text + b"\n")
with open(f"{sys.argv[2]}/pulled.profraw", "wb") as f:
    for line in open(f"{sys.argv[2]}/windows"):
        words = line.split()
        if words[:1] == ["window"]:
            assert int(words[1]) == f.tell()
            f.write(bytes.fromhex(words[2]))
PYTHON
}

# same: succeeds if three profiles are equal: the guest's windows, the hypervisor's dump, and the profile that
# bareprof makes from the guest's blocks.
same() {
	"$BAREPROF" pull "$said/whole" -o "$said/whole.profraw" && cmp "$said/pulled.profraw" "$said/whole.profraw" &&
		cmp "$said/blocks" "$said/counters" &&
		"$BAREPROF" pull --elf "$out/kernel.elf" "$said/blocks" -o "$said/blocks.profraw" &&
		cmp "$said/pulled.profraw" "$said/blocks.profraw"
}

# read_by_llvm: succeeds if the guest read enough windows, and the profile has counts of the hypervisor's code that
# serves the guest.
read_by_llvm() {
	"llvm-profdata-$llvm" merge "$said/pulled.profraw" -o "$said/pulled.profdata" &&
		"llvm-profdata-$llvm" show --function=tables_writable --counts "$said/pulled.profdata" | grep -Eq '(Function count|Block counts): \[?([0-9]+, )*[1-9]' &&
		[ "$(grep -c '^window' "$said/windows")" -ge "$windows" ]
}

# hypervisor ARCH LLVM KIND TRIES CASES: builds a hypervisor, boots it and checks what its guest reads.
hypervisor() {
	arch=$1 llvm=$2 kind=$3
	# Only the profiles of coverage and mcdc are large enough for two windows.
	case $kind in coverage | mcdc) windows=2 ;; *) windows=1 ;; esac
	name="$arch, clang $llvm, $kind"
	out=$WORK/$arch-$llvm-$kind
	said=$out/said
	if ! command -v "clang-$llvm" "ld.lld-$llvm" "llvm-profdata-$llvm" "llvm-objcopy-$llvm" >/dev/null; then
		skip "$name: clang, lld and LLVM of this version are not installed"
		return
	fi
	rm -f "$out/kernel.elf"
	check "$name: the hypervisor builds" make -s -j2 -f qemu/hyper/hyper.mk ARCH="$arch" LLVM="$llvm" KIND="$kind" TRIES="$4" OUT="$out"
	[ -e "$out/kernel.elf" ] || return
	check "$name: it runs, and its guest" run
	if [ ! -e "$said/end" ]; then
		not_ok "$name: the guest did not come to its end"
		tail -n 5 "$said.log" | cut -c 1-200 | sed 's/^/    /'
	fi
	check "$name: windows put together are the hypervisor's own dump, and so are blocks" same
	check "$name: LLVM reads it" read_by_llvm
	tr -d '\r' <"$said.log" | grep '^not ok' | sed "s/^not ok - /&$name: /"
	held=$(tr -d '\r' <"$said.log" | grep -c '^ok - hostile guest')
	if [ "$held" -ge "$5" ]; then
		ok "$name: $held things that a guest asked for, and $4 random ones with each kind of functions"
	else
		not_ok "$name: only $held things that a guest asked for, should be $5"
	fi
}

unit x86_64-linux-gnu
unit i386-linux-gnu
hypervisor aarch64 "$NEWEST" coverage 10000 183
hypervisor armv7a "$NEWEST" coverage 10000 94
hypervisor x86_64 "$NEWEST" coverage 10000 185
if [ "${BAREPROF_WIDE-}" ]; then
	for llvm in $(clang_releases); do
		for kind in coverage mcdc bytes irpgo; do
			# Older releases of clang do not have MC/DC or byte counters.
			case $kind-$llvm in mcdc-1[3-7] | bytes-1[3-8]) continue ;; esac
			hypervisor aarch64 "$llvm" $kind 30000 183
			hypervisor armv7a "$llvm" $kind 30000 94
			hypervisor x86_64 "$llvm" $kind 30000 185
		done
	done
fi
