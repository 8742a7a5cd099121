#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_at_zero.sh: links images whose linker script has a stack or a heap after the coverage mapping, so that a linker
# puts the stack at address 0. `bareprof check` must find this section. The line that check proposes must give the
# section an address in the image. If an image has memory at address 0 on purpose, check must find nothing.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib/check.sh"

[ -n "$version" ] || { skip "memory after the coverage mapping: no clang with lld"; exit 0; }

# lld 14 to 16 order the sections that are not loaded in another way than later releases.
every_lld=$lld
for release in 14 ${BAREPROF_WIDE:+15 16 19}; do
	! command -v ld.lld-$release >/dev/null || [ $release = $version ] || every_lld="ld.lld-$release $every_lld"
done
PHDRS="PHDRS { code PT_LOAD FLAGS(5); memory PT_LOAD FLAGS(6); }"
MEMORY="MEMORY { BAREPROF_ROM : ORIGIN = 0, LENGTH = 1M BAREPROF_RAM : ORIGIN = 16M, LENGTH = 1M }"

# memory LINES: a new case. Its script has LINES after .bss. The fragment bareprof.ld places the sections of the
# profile. $headers, $start and $after_bss change the script.
memory() {
	new_case
	cat >"$case/script.ld" <<LD
ENTRY(entry) $headers
SECTIONS
{
	. = ${start:-0x100000};
	.text : { *(.text .text.*) *(.rodata*) } ${headers:+:code}
	. = ALIGN(4096);
	.data : { *(.data*) } ${headers:+:memory}
	.bss : { *(.bss*) } ${headers:+:memory}
	$1
	end = .;
}
LD
	cp "$ROOT/build/linker/${fragment:-bareprof}.ld" "$case/fragment.ld"
	echo "--build-id=sha1 -T fragment.ld" >"$case/ldflags"
	echo "char used[8] = {1}; char space[64] __attribute__((section(\".space\"), used));" >>"$case/a.c"
}

# rom LINES: the same for an image that runs from ROM. LINES come before all other sections of the script.
rom() {
	fragment=bareprof-rom memory ""
	cat >"$case/script.ld" <<LD
SECTIONS
{
	$1
	.text : { *(.text .text.*) *(.rodata*) } > BAREPROF_ROM
	.data : { *(.data*) } > BAREPROF_RAM AT> BAREPROF_ROM
	.bss : { *(.bss*) } > BAREPROF_RAM
	.space : { *(.space) } > BAREPROF_RAM
}
LD
	echo "$MEMORY" >"$case/memory.ld"
	echo "--build-id=sha1 -e entry -T memory.ld -T fragment.ld --defsym=bareprof_start=entry" >"$case/ldflags"
}

# placed SECTION...: each SECTION of $case/image is part of memory, and no two of them overlap.
placed() {
	readelf -SW "$case/image" | sed 's/^ *\[ *[0-9]*\] *//' >"$case/sections"
	python3 - "$case/sections" "$@" <<'PYTHON'
import sys
rows = [line.split() for line in open(sys.argv[1])]
memory = {r[0]: (int(r[2], 16), int(r[4], 16)) for r in rows if len(r) > 9 and "A" in r[6]}
spans = sorted(span for span in memory.values() if span[1])
assert all(name in memory and memory[name][0] >= 0x100000 for name in sys.argv[2:]), memory
assert all(a[0] + a[1] <= b[0] for a, b in zip(spans, spans[1:])), spans
PYTHON
}

# at_zero WHAT SEVERITY LINKER SECTION...: check must report one finding, which is section-at-zero with SEVERITY, and
# names the first SECTION. The proposed fix must name the last SECTION, and must give all of them addresses.
at_zero() {
	name="$1 ($3)"
	severity=$2
	echo $3 >"$case/ld"
	shift 3
	build_case || { fails "$name: does not build" "$case/log"; return; }
	"$BAREPROF" check --json "$case/image" >"$case/json"
	cp "$case/json" "$WORK/at_zero.json"
	if ! python3 - "$case/json" $severity "$@" >"$case/fix" 2>"$case/err" <<'PYTHON'
import json, sys
finding, = json.load(open(sys.argv[1]))["findings"]
assert (finding["severity"], finding["id"]) == (sys.argv[2], "section-at-zero"), finding
assert "section " + sys.argv[3] + " " in finding["text"], finding
fix, = finding["fixes"]
assert fix == {"where": "fragment", "line": "INSERT AFTER %s;" % sys.argv[-1]}, fix
print(fix["line"])
PYTHON
	then
		fails "$name: no $severity section-at-zero about $1, or another finding" "$case/err" "$case/json"
		return
	fi
	apply fragment "$(cat "$case/fix")"
	build_case || { fails "$name: does not build with what is proposed" "$case/log"; return; }
	check "$name: section-at-zero, fixed by $(cat "$case/fix")" placed "$@"
	sound "$name, fixed" "$case/image"
}

# sound WHAT IMAGE: check has no finding about the image.
sound() { check "$1: no finding" sh -c "'$BAREPROF' check '$2' | tee '$WORK/sound' | grep '^Nothing is missing' || ! cat '$WORK/sound'"; }

# fine WHAT LINKER: check must find nothing.
fine() {
	echo $2 >"$case/ld"
	build_case || { fails "$1 ($2): does not build" "$case/log"; return; }
	sound "$1 ($2)" "$case/image"
}

# The findings are an error section-at-zero for lld, and a warning section-at-zero for GNU ld.
for linker in $every_lld; do
	memory '.stack : ALIGN(16) { . += 0x4000; stack_top = .; } .heap (NOLOAD) : { . += 0x800; } .space : { *(.space) }'
	at_zero "a stack with a symbol, and a heap" error $linker .stack .heap
	headers=$PHDRS
	memory '.stacks (NOLOAD) : ALIGN(16) { . += 0x4000; } :memory'
	at_zero "a stack in a segment of nearly 2^64 bytes" error $linker .stacks
	headers=
done
headers=$PHDRS
memory '.stacks : { . += 0x4000; } :memory'
at_zero "a stack with content in a segment" error $lld .stacks
headers=
fragment=bareprof-lean
memory '.stacks (NOLOAD) : { . += 0x4000; }'
at_zero "a stack in a lean image" error $lld .stacks
fragment=
rom '.stack (NOLOAD) : { . += 0x1000; } > BAREPROF_RAM'
at_zero "a stack before all sections of an image in ROM" error $lld .stack
memory '. = ALIGN(64); .stacks (NOLOAD) : { . += 0x4000; } .heap ALIGN(64) (NOLOAD) : { . += 0x1000; }'
at_zero "a stack at an aligned dot" warning ld .stacks .heap
memory '.stacks . (NOLOAD) : { . += 0x4000; }'
at_zero "a stack at the dot" warning ld .stacks

# Images without this mistake, with memory or code at address 0.
for linker in $lld ld; do
	memory '.space : { *(.space) . += 0x4000; }'
	fine "a stack with an input section" $linker
	memory '. += 0x4000;'
	fine "a stack without a section" $linker
	start=SIZEOF_HEADERS
	memory '.space : { *(.space) }'
	fine "an image whose headers are at address 0" $linker
	echo "$coverage -fpic -fvisibility=hidden" >"$case/cflags"
	echo "$(cat "$case/ldflags") -pie" >"$case/ldflags"
	fine "a position-independent image at address 0" $linker
	start=
	rom ''
	fine "vectors and constants in ROM at address 0" $linker
	rom '.tightly (NOLOAD) : { *(.space) } > TIGHTLY'
	sed -i 's/ORIGIN = 0/ORIGIN = 1M/; s/{/& TIGHTLY : ORIGIN = 0, LENGTH = 64K/' "$case/memory.ld"
	fine "memory that belongs at address 0" $linker
done

# The location of the fix has a word of its own in the JSON. Other tests see the other properties.
python3 tests/host/lib/json_schema.py check "$WORK/at_zero.json" | grep "at_zero\.json"
