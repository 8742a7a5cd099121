#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hostile.sh - reads memory through stubs that lie, stop or damage packets, and from cores that are cut or incomplete. Each
# ends in one sentence, in bounded time, and with no file. A sound stub, with all that the protocol allows, gives the
# profile of a plain copy of the same memory.
. "$(dirname "$0")/../lib.sh"
cd "$WORK" || exit 1

llvm=$(newest_clang)
stub="python3 $ROOT/tests/outside/stub.py program"
"clang-$llvm" -O1 -fprofile-instr-generate -fcoverage-mapping -no-pie -Wl,--build-id=sha1 -fuse-ld=lld -o program \
	"$ROOT/tests/host/samples/program.c" "$ROOT/tests/host/samples/other.c" || { not_ok "the program is compiled"; exit 0; }
first=$(python3 "$ROOT/tests/outside/memory.py" program copy)
pull() { rm -f out && timeout 60 "$BAREPROF" pull --elf program -o out "$@"; }
# wrong WHAT PATTERN OPTION...: pull must fail with one line that matches PATTERN, and write nothing.
wrong() {
	refuses "$1" "$2" pull --from "$3" && [ ! -e out ] || not_ok "$1: wrote a file"
}

check "a plain copy of the memory" pull --from "ram:copy@$first"
cp out expected
"llvm-nm-$llvm" program >list
check "a list of symbols in place of the ELF file" sh -c \
	"'$BAREPROF' pull --from 'ram:copy@$first' --symbols list -o listed &&
	'$BAREPROF' convert --to text listed -o listed.text && '$BAREPROF' convert --to text expected -o expected.text &&
	cmp listed.text expected.text"
# listed WHAT PATTERN SED: a list that SED changes is refused.
listed() {
	sed "$3" list >list.wrong
	rm -f out
	refuses "a list of symbols, $1" "$2" "$BAREPROF" pull --from "ram:copy@$first" --symbols list.wrong -o out && [ ! -e out ] ||
		not_ok "a list of symbols, $1: wrote a file"
}
listed "without bounds" 'list.wrong: does not list the bounds' '/__start___llvm_prf_data/d'
listed "of another program" 'has other bounds than the program in memory' 's/^\(.*\)\(8\|0\) d __start___llvm_prf_cnts/\14 d __start___llvm_prf_cnts/'
listed "that is another file" 'is no list of symbols: line 1 is not ADDRESS' 's/.*/hello/'
check "has the counts of the memory" sh -c "llvm-profdata-$llvm show --all-functions --counts expected | grep -q 'Function count: 1$'"
for way in sound runs noise acknowledged checksum-once short old tiny packet running; do
	check "a stub, $way" sh -c "rm -f out && '$BAREPROF' pull --elf program -o out --from 'gdb:|$stub $way log.$way' && cmp out expected"
done
check "a target that was stopped stays stopped" sh -c "! grep -qx D log.sound"
check "a target that was running runs on" grep -qx D log.running
pull --from "gdb:|$stub sound log.leave" --leave running
check "--leave running" grep -qx D log.leave

no="does not speak gdb's remote protocol"
wrong "more bytes than requested" "gdb:.*: $no: it answered a request for [0-9]+ bytes with [0-9]+ digits" "gdb:|$stub long"
wrong "half a byte" "$no: it answered a request for [0-9]+ bytes with" "gdb:|$stub odd"
wrong "no digits" "$no: the content of memory is not hexadecimal" "gdb:|$stub letters"
wrong "no bytes" 'cannot read the [0-9]+ bytes at 0x[0-9a-f]+: the target has no memory there' "gdb:|$stub none"
wrong "no memory" 'cannot read the [0-9]+ bytes at 0x[0-9a-f]+: the target has no memory there' "gdb:|$stub nothing-there"
wrong "wrong checksums" "$no: the checksum of an answer was wrong three times" "gdb:|$stub checksum"
wrong "a packet without an end" "$no: a packet does not end" "gdb:|$stub endless"
wrong "text in place of packets" "$no: it did not acknowledge a packet" "gdb:|$stub chatter"
wrong "output without an end" "$no: it sends data without an end, but no answer" "gdb:|$stub output"
wrong "notifications without an end" "$no: it sends data without an end, but no answer" "gdb:|$stub notifications"
wrong "a connection that is closed" 'has ended; its own' "gdb:|$stub closes"
wrong "a program that has ended" 'has no target: the program has ended' "gdb:|$stub ended"
wrong "a stub that says nothing" 'does not answer as a stub of gdb: check the address' "gdb:|$stub silent"
wrong "a command that does not exist" 'has ended; its own messages tell why' "gdb:|no-such-command 2>sh.said"
wrong "no command" "has no command after '\|'" 'gdb:|'
wrong "no socket" 'cannot be reached' gdb:unix:no-such-socket

# monitor HOW OPTION...: pull reads a monitor with this fault, which is at the socket qmp.HOW.
monitor() {
	how=$1
	shift
	rm -f "qmp.$how" out
	python3 "$ROOT/tests/outside/monitor.py" program "qmp.$how" "log.qmp.$how" "$how" &
	for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "qmp.$how" ] || sleep 0.1; done
	"$@"
	wait $!
}
monitor sound check "a monitor of QEMU" sh -c "'$BAREPROF' pull --elf program -o out --from qmp:qmp.sound && cmp out expected"
check "a machine that was running runs on" sh -c "tail -n 1 log.qmp.sound | grep -qx cont"
monitor web wrong "a server that is no monitor" 'does not speak QMP: start QEMU with -qmp' qmp:qmp.web
monitor refuses wrong "a monitor that refuses" 'QEMU refuses: not now' qmp:qmp.refuses
monitor closes wrong "a monitor that closes the connection" 'has closed the connection' qmp:qmp.closes
monitor endless wrong "a monitor whose line does not end" 'does not speak QMP: a line does not end' qmp:qmp.endless
monitor events wrong "a monitor that only has events" 'does not speak QMP: no answer came' qmp:qmp.events
monitor short wrong "a monitor that saves too little" 'QEMU wrote 1 bytes too few to .*: is the disk full' qmp:qmp.short
monitor nothing wrong "a monitor that saves nothing" 'QEMU wrote no file .* here' qmp:qmp.nothing
check "after an error, the machine runs on" sh -c "tail -n 1 log.qmp.nothing | grep -qx cont"
[ -z "${BAREPROF_WIDE-}" ] ||
	wrong "much noise, then nothing" 'did not answer completely within 10 s' "gdb:|$stub burst"
[ -z "${BAREPROF_WIDE-}" ] ||
	monitor trickle wrong "a monitor that sends a byte each second" 'did not answer completely within 30 s' qmp:qmp.trickle

core() { python3 "$ROOT/tests/outside/memory.py" --core program "core.$1" "$1"; }
core sound
check "a core" sh -c "rm -f out && '$BAREPROF' pull --elf program -o out --from core:core.sound && cmp out expected"
for way in cut missing unsaved huge program segments twin other-twin overlap pieces paper; do core $way; done
check "a core that has all memory twice" sh -c \
	"rm -f out && '$BAREPROF' pull --elf program -o out --from core:core.twin && cmp out expected"
wrong "a core with two contents of the same memory" 'has two contents of the memory at 0x[0-9a-f]+, at the offsets [0-9]+ and [0-9]+' \
	core:core.other-twin
wrong "a core whose number of segments is elsewhere" 'core.segments: has no memory: none of its segments is loaded' core:core.segments
for way in overlap pieces paper; do
	check "a core with segments that are hostile: $way" sh -c \
		"rm -f out && timeout 10 '$BAREPROF' pull --elf program -o out --from core:core.$way && cmp out expected"
done
wrong "a core that was cut" 'core.cut: is cut off: the memory at 0x[0-9a-f]+ is at offset' core:core.cut
wrong "a core without some memory" 'core.missing: does not have the memory at 0x' core:core.missing
wrong "memory that was not saved" 'core.unsaved: does not have the memory at 0x[0-9a-f]+: it was left out' core:core.unsaved
wrong "a segment of a petabyte" 'core.huge: is cut off' core:core.huge
wrong "a program in place of a core" 'is an ELF file, but no core' core:core.program
wrong "a text in place of a core" 'is no ELF core; for a plain copy' "core:$ROOT/README.md"
wrong "a copy without its address" 'does not have the form ram:FILE@ADDRESS' ram:copy
wrong "a copy of other memory" 'does not have the memory at 0x' ram:copy@0x10

echo 'char to[64]; int main(int n, char **a) { __builtin_memcpy(to, a[0], n & 31u); return to[0] == 1; }' >sites.c
"clang-$llvm" -O1 -fprofile-generate -no-pie -Wl,--build-id=sha1 -fuse-ld=lld -o sites sites.c
first_site=$(python3 "$ROOT/tests/outside/memory.py" sites sites.copy)
python3 "$ROOT/tests/outside/memory.py" sites sites.wrong sites >log
check "lists of values" "$BAREPROF" pull --elf sites -o out --from "ram:sites.copy@$first_site"
refuses "records that claim too many lists" 'has records with more value sites than the ELF file sites: the memory was overwritten' \
	"$BAREPROF" pull --elf sites -o out --from "ram:sites.wrong@$first_site"

# A ring of 64 MiB, whose next ring is itself. Its slots are in memory that the copy has on paper.
cat >rings.c <<'END'
#include <bareprof/sample.h>
extern struct bareprof_ring ring;
struct bareprof_sampler sampler = {.range = 4096, .words = 1, .rings = &ring};
struct bareprof_ring ring = {&sampler, &ring, (uint32_t *)0x10000000, 0xffffff, 0, 0, 0};
int bareprof_ring_init(struct bareprof_ring *r, struct bareprof_sampler *s, uint32_t *slots, size_t n) { return !r + !s + !slots + !n; }
int main(void) { return 0; }
END
"clang-$llvm" -g -I"$ROOT/include" -fprofile-instr-generate -no-pie -Wl,--build-id=sha1 -fuse-ld=lld -o rings rings.c
first_ring=$(python3 "$ROOT/tests/outside/memory.py" rings rings.copy)
truncate -s 400M rings.copy
refuses "rings without an end" 'has a sampler at 0x[0-9a-f]+ with a number of bytes of rings above 1073741824, which is impossible' \
	timeout 20 "$BAREPROF" pull --elf rings --all rings.out --from "ram:rings.copy@$first_ring"

"clang-$llvm" -O2 -fprofile-instr-generate -no-pie -Wl,--build-id=sha1 -fuse-ld=lld -o other "$ROOT/tests/host/samples/program.c" \
	"$ROOT/tests/host/samples/other.c"
refuses "another program" 'has another build id at 0x[0-9a-f]+ than the ELF file other: give the ELF file of the program that is running' \
	"$BAREPROF" pull --elf other -o out --from "ram:copy@$first"
refuses "64 GiB on paper, 99 times" 'nor elsewhere in the [0-9]{2,3} KiB of memory that bareprof searched' \
	timeout 10 "$BAREPROF" pull --elf other -o out --from core:core.paper
refuses "no ELF file" 'needs --elf with the ELF file of the program' "$BAREPROF" pull -o out --from core:core.sound
refuses "a moved program that is not there" 'does not have the memory at 0x|another build id' pull --from core:core.sound --slide 0x1000
refuses "no number" '--slide x is not a number' pull --from core:core.sound --slide x

# A signal while the target stands still: the target must run on. (A shell lets its background jobs ignore SIGINT.)
slow() {
	"$BAREPROF" pull --elf program -o out --from "gdb:|$stub slow log.slow" --leave running 2>said &
	child=$!
	for _ in $(seq 100); do
		grep -q ^m log.slow 2>/dev/null && break
		sleep 0.05
	done
	kill -TERM $child
	wait $child
	[ $? -gt 128 ] && grep -qx D log.slow && [ ! -e out ]
}
rm -f out
check "a signal lets the target run on" slow
