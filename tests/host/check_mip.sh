#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check_mip.sh: tests the findings of `bareprof check` about machine profiles. The images come from assembly that
# tests/mip/make.py writes. A sound image has no finding.
. "$(dirname "$0")/../lib.sh"

w=$WORK
python3 tests/mip/make.py batch <<END
asm aarch64 20 out=$w/sound.s
asm aarch64 9 mode=left-out out=$w/left-out.s
script 0x40000000 out=$w/script.ld
END
printf '.globl entry\n.text\nentry: ret\n' >"$w/empty.s"
# link NAME OBJECT [SED]: links the image NAME.elf from OBJECT.o. SED changes the linker script.
link() {
	sed "${3-}" "$w/script.ld" >"$w/$1.ld"
	"ld.lld-$(newest_clang)" ${id---build-id=sha1} -e 0 -T "$w/$1.ld" -o "$w/$1.elf" "$w/$2.o" || not_ok "image $1"
}
sed '/__llvm_mipmap/s/"o"/"ao"/' "$w/sound.s" >"$w/loaded.s"
for object in sound left-out empty loaded; do
	"clang-$(newest_clang)" --target=aarch64-none-elf -c "$w/$object.s" -o "$w/$object.o" || not_ok "object $object"
done
link sound sound
link loaded loaded 's/__llvm_mipmap 0 (INFO)/__llvm_mipmap/'
link no-map sound 's/__llvm_mipmap 0 (INFO)/\/DISCARD\//'
link none empty
link left-out left-out
link unbounded sound 's/__st[a-z]*_bareprof_mip_[a-z]* = \.;//g'
id=--build-id=none link no-id sound
# In the damaged image, the first record that is not left out has a raw byte outside of its section.
cp "$w/sound.elf" "$w/damaged.elf"
python3 - "$w/damaged.elf" <<'END'
import struct, sys
sys.path[:0] = ["tests/capture", "tests/mip"]
from elf import Elf
at = Elf(sys.argv[1]).section("__llvm_mipmap").offset
with open(sys.argv[1], "r+b") as file:
    while True:
        file.seek(at)
        record = file.read(24)
        if record[12]:
            break
        at += struct.unpack_from("<I", record, 8)[0]
    file.seek(at + 16)
    file.write(struct.pack("<Q", struct.unpack_from("<Q", record, 16)[0] + 4096))
END

# Functions with samples, with a ring and without one. The functions for samples are not linked.
echo 'int data = 1; int f(int n) { return n + data; }' >"$w/samples.c"
printf '#include <bareprof/mip.h>\nBAREPROF_MIP_RING(16);\n' >"$w/ring.c"
make -s linker
"$BAREPROF" mip cc --mode calls,sample=4 "clang-$(newest_clang)" --target=aarch64-none-elf -O2 -c "$w/samples.c" -o "$w/samples.o" &&
	"clang-$(newest_clang)" --target=aarch64-none-elf -ffreestanding -Iinclude -c "$w/ring.c" -o "$w/ring.o" || not_ok "samples.o"
for with in '' "$w/ring.o"; do
	"ld.lld-$(newest_clang)" --build-id=sha1 -e f --unresolved-symbols=ignore-all -T build/linker/mip.ld -o "$w/${with:+with-}ring.elf" "$w/samples.o" $with ||
		not_ok "ring.elf"
done

# Images with blocks, or with samples, and a runtime for them or without them. "blocks" has no map, because its
# functions are in the table of blocks.
"$BAREPROF" mip cc --mode blocks "clang-$(newest_clang)" --target=aarch64-none-elf -O2 -c "$w/samples.c" -o "$w/blocks.o" || not_ok "blocks.o"
for option in SMALL BLOCKS_MODE; do
	for file in mip_self mip_small; do
		"clang-$(newest_clang)" --target=aarch64-none-elf -O1 -ffreestanding -ffunction-sections -Iinclude "-DBAREPROF_MIP_$option" -c "runtime/$file.c" \
			-o "$w/$file-$option.o" || not_ok "$file-$option.o"
	done
done
# served NAME OBJECT RUNTIME: links the image NAME.elf. Of the runtime, only the tables of bounds stay.
served() {
	"ld.lld-$(newest_clang)" --build-id=sha1 -e f -u data --gc-sections -u bareprof_mip_bounds -u bareprof_mip_small_bounds --unresolved-symbols=ignore-all -T build/linker/mip.ld -o "$w/$1.elf" "$w/$2.o" $3 || not_ok "$1.elf"
}
served blocks blocks "$w/mip_self-BLOCKS_MODE.o $w/mip_small-BLOCKS_MODE.o"
served blocks-small blocks "$w/mip_small-BLOCKS_MODE.o"
served not-served blocks "$w/mip_self-SMALL.o"
served not-served-small blocks "$w/mip_small-SMALL.o"
served ring-not-served samples "$w/ring.o $w/mip_self-SMALL.o"

# finds NAME STATUS SEVERITY ID TEXT: check of NAME.elf ends with STATUS and has exactly this finding.
finds() {
	"$BAREPROF" check --json "$w/$1.elf" >"$w/$1.json"
	printf '%s\t' "$?" "$@" >>"$w/findings"
	echo >>"$w/findings"
}
sound() { "$BAREPROF" check "$1" >"$w/said" && cat "$w/said" && grep -qx 'Nothing is missing.' "$w/said"; }
check "a sound image has no finding" sound "$w/sound.elf"
check "with a ring, functions with samples have no finding" sound "$w/with-ring.elf"
for name in blocks blocks-small; do check "a runtime that serves blocks: $name" sound "$w/$name.elf"; done
"$BAREPROF" check "$w/with-ring.elf" >"$w/said"
check "check prints the functions of the machine profile" grep -Eq '^machine: +[0-9]+ functions, [0-9]+ left out; coverage' "$w/said"
finds loaded 7 warning mip-map-loaded "is loaded with the image and takes [0-9]+ bytes.* -T mip.ld"
finds no-map 1 error mip-no-map "has [0-9]+ raw bytes of a machine profile, but no map.* -T mip.ld"
finds ring 7 warning mip-no-ring "1 function takes samples .* BAREPROF_MIP_RING"
finds not-served 1 error mip-not-served "has 1 block bytes, but its runtime .* -DBAREPROF_MIP_BLOCKS_MODE"
finds not-served-small 1 error mip-not-served "has 1 block bytes, but its runtime .* -DBAREPROF_MIP_BLOCKS_MODE"
finds ring-not-served 1 error mip-not-served "bytes of samples, but its runtime .* -DBAREPROF_MIP_SAMPLES_MODE"
finds none 1 error mip-no-functions "none of its code was compiled for them.* bareprof mip cc"
finds left-out 1 error mip-no-functions "all functions in its map are left out"
finds damaged 1 error mip-map-damaged "has a record for the function '.*' whose raw bytes are at offset [0-9]+, outside of"
finds no-id 7 warning no-build-id "the image has no build id.* --build-id=sha1"
python3 - "$w" "$w/findings" <<'END'
import json, re, sys
for line in open(sys.argv[2]):
    status, name, expected, severity, id, text = line.rstrip("\t\n").split("\t")
    found = json.load(open(f"{sys.argv[1]}/{name}.json"))["findings"]
    lines = [" ".join([one["severity"], one["id"], one["text"], *(fix["line"] for fix in one["fixes"])]) for one in found]
    good = status == expected and len(lines) == 1 and re.match(f"{severity} {id} .*{text}", lines[0])
    print(f"ok - {name}: {id}" if good else f"not ok - {name}: status {status}, findings {lines}")
END
"$BAREPROF" check "$w/unbounded.elf" >"$w/said"
check "unbounded: bounds-undefined for both raw sections" sh -c "[ \"\$(grep -c '^error: __start_bareprof_mip_.* are not defined' '$w/said')\" = 2 ]"
"$BAREPROF" check --json "$w/sound.elf" >"$w/sound.json"
python3 tests/host/lib/json_schema.py check "$w"/*.json | grep -v 'each property was seen'
check "the JSON of a sound image describes the machine profile" grep -q '"machine_profile": {' "$w/sound.json"
for finding in mip-map-damaged mip-map-loaded mip-no-functions mip-no-map mip-no-ring mip-not-served; do
	check "--explain $finding" sh -c "'$BAREPROF' check --explain $finding | grep -q '^Remedy:'"
done
