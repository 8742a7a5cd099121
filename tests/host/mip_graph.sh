#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_graph.sh - tests `bareprof mip graph` and the mode "calls,sample=N": its options, its outputs, and that damaged
# samples are refused. tests/mip/graph.sh compares the numbers with those of QEMU.
. "$(dirname "$0")/../lib.sh"

# body NAME STEPS SLOTS WRAP...: builds body G for this machine and runs it.
body() {
	name=$1
	define="-DBAREPROF_MIP -DBAREPROF_MIP_SAMPLES_MODE -DGRAPH_ROUNDS=1 -DGRAPH_STEPS=$2 -DGRAPH_SLOTS=$3"
	shift 3
	BODY_SOURCES="$WORK" BODY_WRAP="$*" BODY_EXTRA="$WORK/drop/bareprof.c" BODY_LINK="-Wl,-T,$WORK/drop/mip.ld -Wl,--gc-sections" \
		BODY_CFLAGS="-I$WORK/drop $define" sh tests/mip/body/build.sh g x86_64 gcc "$WORK/$name" -fno-optimize-sibling-calls &&
		"$WORK/$name/body" 3>"$WORK/$name.mipraw" >"$WORK/$name.out" &&
		"$BAREPROF" mip merge --elf "$WORK/$name/body" -o "$WORK/$name.mip" "$WORK/$name.mipraw" 2>"$WORK/$name.said"
}

# patched OUT PYTHON: writes a copy of the raw profile. PYTHON may change data; ring is the offset of the ring.
patched() {
	python3 - "$WORK/all.mipraw" "$WORK/$1" "$2" <<'PYTHON'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
words = list(struct.unpack("<12Q", data[:96]))
pad = lambda size: -size % 8
ring = 96 + sum(size + pad(size) for size in (words[3], words[4], words[5], words[8]))
exec(sys.argv[3])
data[:96] = struct.pack("<12Q", *words)
open(sys.argv[2], "wb").write(data)
PYTHON
}

merged() { "$BAREPROF" mip merge --elf "$WORK/all/body" -o "$WORK/out.mip" "$WORK/$1"; }

# refused NAME PATTERN PYTHON: the changed raw profile is refused with a message that matches PATTERN.
refused() {
	rm -f "$WORK/out.mip"
	patched "$1.mipraw" "$3" && ! merged "$1.mipraw" 2>"$WORK/said" && [ ! -e "$WORK/out.mip" ] && grep -q "$2" "$WORK/said" ||
		{ cat "$WORK/said"; return 1; }
}

# told NAME PATTERN PYTHON: the changed raw profile is accepted, with a note that matches PATTERN.
told() {
	patched "$1.mipraw" "$3" && merged "$1.mipraw" 2>"$WORK/said" && grep -q "$2" "$WORK/said" || { cat "$WORK/said"; return 1; }
}

make -s drop-in DIR="$WORK/drop" >"$WORK/drop.log" 2>&1 || fails "the drop-in is made" "$WORK/drop.log"
mip="$BAREPROF mip cc"
check "each call is a sample" body all 50 2048 "$mip --mode calls,sample=1"
check "a full ring keeps the last samples" body full 50 64 "$mip --mode calls,sample=1"
check "merge tells how many were replaced" grep -q 'samples were replaced by later ones, because the ring was full' "$WORK/full.said"
check "the environment gives the mode" env "BAREPROF_MIP=--mode=calls,sample=2" sh -c "$mip gcc -c -O1 tests/mip/body/graph.c -o '$WORK/e.o'"
period() { objdump -s -j .rodata.__bareprof_mip_period "$WORK/e.o" | grep -q '^ 0000 1e '; }
check "...with its N" period

graph() { "$BAREPROF" mip graph "$WORK/all.mip" "$@"; }
table() {
	graph >"$WORK/table" && grep -Eq '^ +100 +0 +100  turns -> turn$' "$WORK/table" &&
		grep -Eq '^ +[0-9]+ +0 +[0-9]+  dispatch -> third$' "$WORK/table" && grep -Eq '^ +[0-9]+ +0 +[0-9]+  fall -> fall$' "$WORK/table"
}
check "the table has direct, indirect and recursive calls" table
unknown() { graph --function '^graph_work$' | grep -Eq ' 1  \(not known\) -> graph_work$'; }
check "a caller that is not in the map is not known" unknown
named() { graph --elf "$WORK/all/body" --function '^graph_work$' | grep -Eq ' 1  body_(main|start) -> graph_work$'; }
check "--elf names the caller" named
sites() { [ "$(graph --sites --function '^turn$' | grep -Ec 'turns -> turn \(returns to 0x[0-9a-f]+\)$')" = 2 ]; }
check "--sites has an edge for each call site" sites
top() { [ "$(graph --top 3 | wc -l)" = 5 ]; }
check "--top limits the edges" top
schema() {
	graph --json >"$WORK/json" && python3 - "$WORK/json" <<'PYTHON'
import json, sys, jsonschema
graph = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator(json.load(open("docs/mip-graph.schema.json"))).validate(graph)
assert graph["samples"] == sum(edge["samples"] for edge in graph["edges"]) == sum(edge["calls"] for edge in graph["edges"])
PYTHON
}
check "the JSON fits its schema" schema
dot() { graph --dot | awk 'NR == 1 { ok = /^digraph calls {$/ } / -> / { n += /^\tn[0-9]+ -> n[0-9]+ \[label="[0-9]+", penwidth=[0-9.]+\];$/ } END { exit !(ok && n > 10 && /^}$/) }'; }
check "--dot prints a graph" dot
show() { "$BAREPROF" mip show --json "$WORK/all.mip" | python3 -c '
import json, sys
shown = {f["name"]: f for f in json.load(sys.stdin)["functions"]}
assert shown["turn"]["calls"] == 100 and shown["turn"]["kinds"] == ["order", "count", "returns"] and shown["turn"]["ran"]'; }
check "show prints the exact calls" show
twice() { "$BAREPROF" mip merge -p "$WORK/all.mip" -o "$WORK/two.mip" "$WORK/all.mip" "$WORK/all.mipraw" && "$BAREPROF" mip graph "$WORK/two.mip" --function '^turn$' | grep -Eq ' 300 +0 +300  turns -> turn$'; }
check "samples of several profiles add up" twice
old() { "$BAREPROF" mip convert --to mip:8 -o "$WORK/8.mip" "$WORK/all.mip" && "$BAREPROF" mip show --json "$WORK/8.mip" | grep -q '"calls": 100'; }
check "version 8 keeps the calls" old

check "a callee that is no entry is refused" refused inside 'damaged sample in slot 3: .* at offset 4' 'struct.pack_into("<I", data, ring + 8 + 3 * 8, 5)'
check "a callee outside of the section is left out" told outside '2 samples are not of functions of this image' \
	'struct.pack_into("<I", data, ring + 8, 0xffffffff); struct.pack_into("<I", data, ring + 16, words[5] + 1)'
check "a ring that is no power of two is refused" refused size 'has a ring of samples with 32 bytes' 'del data[ring + 32:]; words[10] = 32'
check "a ring without slots is refused" refused none 'has a ring of samples with 8 bytes' 'del data[ring + 8:]; words[10] = 8'
check "an entry that was not set is refused" refused zero 'impossible call entry' 'at = 96 + words[3] + pad(words[3]) + words[4] + pad(words[4]); data[at:at + 16] = bytes(16)'
anywhere() {
	patched any.mipraw 'for i in range(2048): struct.pack_into("<I", data, ring + 12 + 8 * i, (0x12345 * i + 0x7fffffff) & 0xffffffff)' &&
		merged any.mipraw && "$BAREPROF" mip graph "$WORK/out.mip" --elf "$WORK/all/body" >"$WORK/table" &&
		awk '/ -> / && !/\(not known\)/ { n++ } END { exit n > 20 }' "$WORK/table"
}
check "call sites anywhere belong to no neighbor" anywhere

# usage PATTERN WORD...: the command is refused with a message that matches PATTERN.
usage() {
	pattern=$1
	shift
	! "$BAREPROF" mip "$@" 2>"$WORK/said" && grep -q -- "$pattern" "$WORK/said" || { cat "$WORK/said"; return 1; }
}
for n in 0 3 131072 -1 x ''; do
	check "sample=$n is refused" usage 'sample=N takes a power of two from 1 to 65536' cc --mode "calls,sample=$n" gcc -c x.c
done
check "samples without calls are refused" usage "works only together with calls" cc --mode sample=4 gcc -c x.c
check "two modes are refused" usage "cannot be combined" cc --mode coverage,calls gcc -c x.c
check "an unknown mode is refused" usage "not 'edges'" cc --mode edges gcc -c x.c
"$BAREPROF" mip create -o "$WORK/empty.mip" "$WORK/all/body"
check "a profile without raw profiles is refused" usage 'has no raw profile yet' graph "$WORK/empty.mip"
no_ring() {
	patched no-ring.mipraw 'words[1] &= ~16; words[10] = 0; del data[ring:]' && merged no-ring.mipraw &&
		usage 'has no samples: define a ring' graph "$WORK/out.mip"
}
check "a profile without samples is refused" no_ring
check "--json and --dot are refused together" usage 'cannot be combined' graph --json --dot "$WORK/all.mip"
check "a function that is not there is refused" usage 'none with a function that matches' graph --function nowhere "$WORK/all.mip"
