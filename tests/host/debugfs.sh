#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# debugfs.sh: tests pull, reset and info with the option --from debugfs, and `make static`. The test makes a folder
# with the same files as the Linux port has in debugfs. tests/ports/linux/host has the tests that need a kernel, such
# as a reset during a read.
# shellcheck disable=SC2016
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}
emit=build/tests/bin/emit
place=$WORK/debug/bareprof
here=$WORK/here

# image NAME PROFRAW CAPTURE: makes the files that the kernel shows for one image.
image() {
	mkdir -p "$place/$1"
	cp "$2" "$place/$1/profraw"
	cp "$3" "$place/$1/capture"
	: >"$place/$1/reset"
	cat >"$place/$1/info" <<-END
		state: live
		kind: coverage, MC/DC
		raw version: 10
		build id: 0123456789012345
		functions: 40
		counters: 118
		profraw bytes: $(wc -c <"$2")
		kept loads: 0
		resets: 18446744073709551615
		phase of the moon: waxing: 3
		later number: 7
	END
}
# here COMMAND...: runs bareprof in a new, empty folder.
here() {
	rm -rf "$here"
	mkdir -p "$here"
	(cd "$here" && "$BAREPROF" "$@")
}
only() { [ "$(ls -A "$here")" = "$1" ]; }
# refused WHAT STATUS PATTERN ARGUMENT...: bareprof refuses these arguments with one line that matches PATTERN and
# exit code STATUS, and writes nothing.
refused() {
	what=$1
	status=$2
	pattern=$3
	shift 3
	refuses "$what" "$pattern" here "$@"
	here "$@" >/dev/null 2>&1
	check "$what: status $status" test $? -eq "$status"
	check "$what: nothing is left" only ""
}

# bareprof can read a profile as a stream or read the whole profile into memory. Both ways must give the same result.
# The profiles of this test are generated or recorded.
$emit raw >"$WORK/made.profraw"
cat "$WORK/made.profraw" "$WORK/made.profraw" >"$WORK/twice.profraw"
# shellcheck disable=SC2046
build/tests/bin/stream "$WORK/made.profraw" "$WORK/twice.profraw" \
	$(find "$vectors" -name '*.profraw' | sort)

# Makes captures of the counters of a program that the kernel loaded at another address than its link address.
clang=$(ls /usr/bin/clang-[1-9][0-9] 2>/dev/null | sort -V | tail -n 1)
$clang -O1 -fprofile-instr-generate -fcoverage-mapping -Wl,--build-id=sha1 tests/host/samples/program.c tests/host/samples/other.c \
	-o "$WORK/program" 2>"$WORK/clang.log"
LLVM_PROFILE_FILE=$WORK/program.profraw "$WORK/program" 3 >/dev/null
for n in 1 2; do
	python3 tests/capture/make.py "$WORK/program" "$WORK/program$n.capture" profraw="$WORK/program.profraw" \
		span=64 nonce=$n image=$n
done
cat "$WORK/program1.capture" "$WORK/program2.capture" >"$WORK/both.capture"

image ring "$WORK/made.profraw" "$WORK/program1.capture"
image vmlinux "$WORK/twice.profraw" "$WORK/both.capture"
mkdir "$place/no_image"
from=debugfs:$place

check "pull: all images" here pull --from "$from"
check "pull: all images, and no other file" only "ring.profraw
vmlinux.profraw"
check "pull: the profile of ring is unchanged" cmp "$here/ring.profraw" "$WORK/made.profraw"
check "pull: the profile of vmlinux is unchanged" cmp "$here/vmlinux.profraw" "$WORK/twice.profraw"
check "pull: a folder relative to the current one" sh -c "cd '$WORK/debug' && '$BAREPROF' pull --from debugfs:bareprof ring \
	-o '$WORK/below' && cmp '$WORK/below' '$WORK/made.profraw'"
check "pull --all" here pull --from "$from" --all sub/ vmlinux ring
check "pull --all: the profiles are in that folder" sh -c "cmp '$here/sub/ring.profraw' '$WORK/made.profraw' &&
	cmp '$here/sub/vmlinux.profraw' '$WORK/twice.profraw'"
check "pull NAME -o" here pull vmlinux --from "$from" -o one
check "pull NAME -o: the profile is in that file" cmp "$here/one" "$WORK/twice.profraw"
check "pull NAME -o -" sh -c "'$BAREPROF' pull --from '$from' ring -o - 2>'$WORK/said' | cmp - '$WORK/made.profraw'"
check "pull NAME -o -: messages go to standard error" grep -q '^bareprof: standard output: [0-9]* bytes$' "$WORK/said"
check "pull: a message about two profiles in one file" sh -c \
	"'$BAREPROF' pull --from '$from' vmlinux -o /dev/null 2>&1 | grep -q '/dev/null: [0-9]* bytes: 2 profiles, one after'"
check "pull: the file has the usual permissions" test "$(stat -c %a "$here/one")" = "$(printf '%o' $((0666 & ~0$(umask))))"

check "pull --capture" here pull --capture --from "$from" ring
check "pull --capture: the capture is unchanged" cmp "$here/ring.capture" "$WORK/program1.capture"
check "pull --capture -o -" sh -c "'$BAREPROF' pull --capture --from '$from' vmlinux -o - | cmp - '$WORK/both.capture'"
check "pull --capture --elf" here pull --capture --elf "$WORK/program" --from "$from"
check "pull --capture --elf: the profile" cmp "$here/ring.profraw" "$WORK/program.profraw"
check "pull --capture --elf: two profiles from two loads" sh -c \
	"cat '$WORK/program.profraw' '$WORK/program.profraw' | cmp - '$here/vmlinux.profraw'"
$emit file >"$place/ring/capture"
check "pull --capture: a module with values" here pull --capture --from "$from" ring
check "pull --capture: a module with values, unchanged" cmp "$here/ring.capture" "$place/ring/capture"
check "pull --capture --elf: a module with values" here pull --capture --elf "$WORK/program" --from "$from" ring
check "pull --capture --elf: a module with values, the profile" cmp "$here/ring.profraw" "$WORK/made.profraw"
cp "$WORK/program1.capture" "$place/ring/capture"
check "pull --capture --elf-dir" here pull --capture --elf-dir "$WORK" --from "$from" ring -o x
check "pull --capture --elf-dir: the profile" cmp "$here/x" "$WORK/program.profraw"
check "pull --capture: two loads" here pull --capture --from "$from" vmlinux
check "pull --capture: two loads in one file" cmp "$here/vmlinux.capture" "$WORK/both.capture"
check "pull --capture: merge of a file with two loads says that there are two" sh -c \
	"'$BAREPROF' merge --elf '$WORK/program' '$here/vmlinux.capture' -o '$here/x' 2>&1 | grep -q 'note: has 2 dumps: 2 were added'"
check "pull --capture: pull --all separates two loads, and merge adds them up" sh -c "cd '$here' &&
	'$BAREPROF' pull --all apart vmlinux.capture && [ \$(ls apart | wc -l) -eq 2 ] &&
	'$BAREPROF' merge --text --elf '$WORK/program' apart/* -o sum &&
	'$BAREPROF' merge --text '$WORK/program.profraw' '$WORK/program.profraw' -o twice && cmp sum twice"

# An image that has only a machine profile.
machine=$WORK/machine/bareprof
mkdir -p "$machine/fs"
python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<8Q", 0x1000950494dfb, 1, 64 << 32 | 8, 0, 5, 0, 4096, 4096) + b"\1\0\0\1\0\0\0\0")' >"$machine/fs/mipraw"
printf 'state: live\nmachine profile: coverage\nrecording functions: 5\nmipraw bytes: 72\n' >"$machine/fs/info"
check "machine profile: it is pulled" here pull --from "debugfs:$machine"
check "machine profile: it is a .mipraw" only fs.mipraw
check "machine profile: it is unchanged" cmp "$here/fs.mipraw" "$machine/fs/mipraw"
check "machine profile: the table has its functions" sh -c "'$BAREPROF' info --from 'debugfs:$machine' | grep -Eq '^fs  +live  +-  +5  '"
cp "$machine/fs/mipraw" "$WORK/whole.mipraw"
head -c 70 "$WORK/whole.mipraw" >"$machine/fs/mipraw"
refused "machine profile: an incomplete one" 1 'fs/mipraw: has 70 bytes, which do not fit its header' pull --from "debugfs:$machine"
cat "$WORK/whole.mipraw" "$WORK/whole.mipraw" >"$machine/fs/mipraw"
refused "machine profile: two in one file" 1 'fs/mipraw: has 144 bytes, which do not fit its header' pull --from "debugfs:$machine"

check "reset" here reset --from "$from" ring
check "reset: only this image was reset" sh -c "[ -s '$place/ring/reset' ] && [ ! -s '$place/vmlinux/reset' ]"
check "reset: all images, each with its name" sh -c "'$BAREPROF' reset --from '$from' 2>&1 | tr '\n' , | grep -qx 'bareprof: ring: was reset,bareprof: vmlinux: was reset,'"
check "reset: all images were reset" test -s "$place/vmlinux/reset"

here info --from "$from" >"$WORK/info"
check "info: the table" sh -c "[ \$(wc -l <'$WORK/info') -eq 3 ] && grep -Eq '^NAME  +STATE  +KIND  +FUNCTIONS  +COUNTERS  +PROFRAW BYTES  +KEPT LOADS  +RESETS\$' '$WORK/info' &&
	grep -Eq '^ring  +live  +coverage, MC/DC  +40  +118  +$(wc -c <"$WORK/made.profraw")  +0  +18446744073709551615\$' '$WORK/info'"
here info --json --from "$from" ring >"$WORK/info.json"
cat >"$WORK/info.wanted" <<END
{"schema": "bareprof-info-1", "backend": "debugfs", "location": "$place", "from": "debugfs", "place": "$place", "images": [{"name": "ring", "state": "live",
"kind": "coverage, MC/DC", "raw_version": 10, "build_id": "0123456789012345", "functions": 40, "counters": 118,
"profraw_bytes": $(wc -c <"$WORK/made.profraw"), "kept_loads": 0, "resets": 18446744073709551615,
"phase_of_the_moon": "waxing: 3", "later_number": 7}]}
END
check "info --json: all facts" python3 -c 'import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
sys.exit(a != b)' "$WORK/info.json" "$WORK/info.wanted"
mkdir -p "$WORK/broken/bareprof/bad"
printf 'state: broken\nerror: two \033compilers\n' >"$WORK/broken/bareprof/bad/info"
check "info: why an image is broken" sh -c "'$BAREPROF' info --from 'debugfs:$WORK/broken/bareprof' 2>&1 | grep -qx 'bareprof: bad: two ?compilers'"
mkdir -p "$WORK/empty/bareprof"
check "info: no image" sh -c "'$BAREPROF' info --json --from 'debugfs:$WORK/empty/bareprof' | grep -q '\"images\": \[\]'"

# Tests wrong arguments and wrong locations.
refused "an unknown backend" 2 "from takes debugfs, debugfs:DIR, xen, xen:DEVICE, and for pull gdb:HOST:PORT, .*, not 'xdebugfs'" pull --from xdebugfs
refused "--output without NAME" 2 'with --from, --output needs exactly one NAME' pull --from "$from" -o x
refused "--output with two names" 2 'with --from, --output needs exactly one NAME' pull --from "$from" ring vmlinux -o x
refused "--elf without --capture" 2 'elf-dir can be used with --from only if --capture is also given' pull --from "$from" --elf "$WORK/program"
refused "--capture of a file" 2 'capture needs --from; to pull from a file, leave out --capture: pull detects' pull --capture "$WORK/program1.capture"
for option in --list --partial "--dump 12345678" "--send x" "--until x" "--then x" "--timeout 1" "--log x" "--left-out x"; do
	# shellcheck disable=SC2086
	refused "$option with --from" 2 "^bareprof: ${option%% *} cannot be combined with --from$" pull --from "$from" $option
done
for command in reset info; do
	refused "$command without --from" 2 "$command needs --from" $command
done
refused "two files without --from" 2 '^bareprof: pull cannot take 2 operands; usage: bareprof pull' pull "$WORK/made.profraw" "$WORK/made.profraw"
refused "an unknown name" 3 "bareprof: has no image 'rings'; its images: ring, vmlinux\$" pull --from "$from" rings
refused "a folder that is not an image" 3 "has no image 'no_image'" pull --from "$from" no_image
refused "no Xen" 3 "^bareprof: $WORK/none: does not exist: either this machine does not run on Xen" info --from "xen:$WORK/none"
refused "--output without NAME, but Xen has only one image" 3 '^bareprof: /dev/null: is not the privcmd device' pull --from xen:/dev/null -o x
refused "no hypercalls" 3 '^bareprof: /dev/null: is not the privcmd device' pull --from xen:/dev/null
refused "no image to pull" 1 'has no images' pull --from "debugfs:$WORK/empty/bareprof"
refused "no image to reset" 1 'has no images' reset --from "debugfs:$WORK/empty/bareprof"
refused "no debugfs" 3 "is not a debugfs: run mount -t debugfs none $WORK/empty\$" pull --from "debugfs:$WORK/empty/x"
refused "a location that does not exist" 3 'CONFIG_DEBUG_FS' info --from "debugfs:$WORK/nothing/at/all"
if [ "$(id -u)" -eq 0 ]; then
	# The user `nobody` must be able to run the program, so it is copied.
	other="setpriv --reuid=65534 --clear-groups"
	cp "$BAREPROF" "$WORK/bareprof"
	[ -x /bin/true ] && $other test -x "$WORK/bareprof" || other=
else
	other=env
fi
if [ -n "$other" ]; then
	chmod 0400 "$place/ring/profraw"
	[ "$other" != env ] || chmod 0 "$place/ring/profraw"
	chmod 0 "$place/vmlinux/reset"
	refuses "a file that only root can read" 'ring/profraw: cannot be opened: Permission denied; run bareprof as root$' \
		$other "${WORK}/bareprof" pull --from "$from" ring -o /dev/null
	refuses "a reset that only root can do" 'vmlinux/reset: cannot be opened: Permission denied; run bareprof as root$' \
		$other "${WORK}/bareprof" reset --from "$from" vmlinux
	mkdir -m 0 "$WORK/closed"
	refuses "a folder that only root can read" 'closed/bareprof: cannot be opened: Permission denied; run bareprof as root$' \
		$other "${WORK}/bareprof" info --from "debugfs:$WORK/closed/bareprof"
	chmod 0644 "$place/ring/profraw" "$place/vmlinux/reset"
else
	not_ok "permissions: another user cannot run what is in $WORK"
fi

# Tests profiles that are incomplete or cannot be written.
size=$(wc -c <"$WORK/made.profraw")
bad() {
	refused "$1" 1 "$2" pull --from "$from" ring
	refuses "$1, to standard output" "$2.*; the [0-9]* bytes that went to standard output are not a profile|$2" \
		"$BAREPROF" pull --from "$from" ring -o -
}
for cut in 0 7 100 $((size / 2)) $((size - 8)) $((size - 1)); do
	head -c "$cut" "$WORK/made.profraw" >"$place/ring/profraw"
	bad "cut after $cut bytes" 'ring/profraw: is (cut short|empty|no raw)'
done
{ cat "$WORK/made.profraw" && echo "more, of no sense"; } >"$place/ring/profraw"
bad "more than a profile" "has bytes at offset $size that do not belong to a profile"
{ cat "$WORK/made.profraw" && head -c 100 "$WORK/made.profraw"; } >"$place/ring/profraw"
bad "a second profile that is cut short" 'is cut short'
cp "$WORK/program1.capture" "$place/ring/profraw"
bad "a capture instead of a profile" 'is not a raw profile'
rm "$place/ring/profraw"
bad "a file that is gone" 'ring/profraw: is gone: the module was unloaded'
mkdir "$place/ring/profraw"
refused "a folder" 3 'cannot be read: Is a directory' pull --from "$from" ring
check "an image that fails does not stop the others" sh -c \
	"cd '$here' && ! '$BAREPROF' pull --from '$from' && cmp vmlinux.profraw '$WORK/twice.profraw' && [ \$(ls | wc -l) -eq 1 ]"
rmdir "$place/ring/profraw"
head -c 200 "$WORK/program1.capture" >"$place/ring/capture"
refused "a capture that is cut short" 1 'ring/capture: the dump [0-9a-f]* is incomplete' pull --capture --from "$from" ring
cp "$WORK/made.profraw" "$place/ring/capture"
refused "a profile instead of a capture" 1 'ring/capture: contains no dump' pull --capture --from "$from" ring
cp "$WORK/program1.capture" "$place/ring/capture"
refused "--elf with another program" 1 'ring/capture: ' pull --capture --elf "$BAREPROF" --from "$from" ring
cp "$WORK/made.profraw" "$place/ring/profraw"
refuses "a full disk" '/dev/full: cannot be written: No space' "$BAREPROF" pull --from "$from" ring -o /dev/full
refuses "standard output on a full disk" 'standard output: cannot be written: No space' \
	sh -c "'$BAREPROF' pull --from '$from' ring -o - >/dev/full"
refused "a folder that does not exist" 3 'no/x: cannot be created' pull --from "$from" ring -o no/x
refuses "a disk that fills up" 'cannot be written: File too large; the output file was not created or changed' \
	sh -c "cd '$here' && trap '' XFSZ && ulimit -f 1 && '$BAREPROF' pull --from '$from' vmlinux"
check "a disk that fills up: nothing is left" only ""
printf precious >"$here/ring.profraw"
head -c 100 "$WORK/made.profraw" >"$place/ring/profraw"
(cd "$here" && "$BAREPROF" pull --from "$from" ring) 2>/dev/null
check "after an error the old file is unchanged" grep -qx precious "$here/ring.profraw"

# Tests errors that a kernel returns now and then. Here, a preloaded library (programs/errno.c) returns these errors in
# place of the system calls.
check "compiles the library that makes errors" gcc -D_GNU_SOURCE -Wall -Werror -shared -fPIC -o "$WORK/errno.so" tests/host/programs/errno.c -ldl
# with FILE ERRNO TIMES COMMAND...: runs bareprof. Its first TIMES attempts to open FILE fail with ERRNO.
with() {
	(
		export LD_PRELOAD="$WORK/errno.so" HOST_ERRNO_FILE="$1" HOST_ERRNO="$2" HOST_ERRNO_TIMES="$3"
		shift 3
		cd "$here" && exec "$BAREPROF" "$@"
	)
}
# fails WHAT STATUS PATTERN FILE ERRNO TIMES ARGUMENT...: runs bareprof like `with`. It must fail with exit code
# STATUS and a message that matches PATTERN, and must write nothing.
fails() {
	what=$1
	status=$2
	pattern=$3
	shift 3
	rm -f "$here"/*
	refuses "$what" "$pattern" with "$@"
	with "$@" 2>/dev/null
	check "$what: status $status" test $? -eq "$status"
	check "$what: nothing is left" only ""
}
rm -f "$here"/*
cp "$WORK/made.profraw" "$place/ring/profraw"
number() { python3 -c "import errno; print(errno.$1)"; }
busy=$(number EBUSY)
stale=$(number ESTALE)
check "busy for a while" with ring/profraw "$busy" 5 pull --from "$from" ring
check "busy for a while: the profile is complete" cmp "$here/ring.profraw" "$WORK/made.profraw"
check "a capture that is busy for a while" with ring/capture "$busy" 5 pull --from "$from" --capture ring
check "info that is busy for a while" with ring/info "$busy" 5 info --from "$from" ring
check "changed three times" with ring/profraw "$stale" 3 pull --from "$from" ring
check "changed three times: the profile is complete" cmp "$here/ring.profraw" "$WORK/made.profraw"
fails "always busy" 3 'ring/profraw: is busy: .*, for a second; try again' ring/profraw "$busy" 100 pull --from "$from" ring
fails "changed four times" 1 'ring/profraw: changed .*, four times in a row' ring/profraw "$stale" 4 pull --from "$from" ring
fails "no memory" 3 'ring/profraw: cannot be read: Cannot allocate' ring/profraw "$(number ENOMEM)" 9 pull --from "$from" ring
fails "a kernel in lockdown" 3 'ring/reset: cannot be opened: .*locked down' ring/reset "$(number EPERM)" 9 reset --from "$from" ring
fails "no records" 1 'has no profile: it is not instrumented, or .*; the kernel log may tell why' \
	ring/profraw "$(number ENODATA)" 9 pull --from "$from" ring
printf 'state: broken\nerror: made by two compilers\n' >"$place/ring/info"
fails "no records, and the kernel says why" 1 'has no profile: .*; the kernel reports: made by two compilers$' \
	ring/profraw "$(number ENODATA)" 9 pull --from "$from" ring
fails "a broken image, and the kernel says why" 1 'ring/capture: is broken: .*; the kernel reports: made by two compilers$' \
	ring/capture "$(number EINVAL)" 9 pull --capture --from "$from" ring

# Tests a slow profile. The output must get its final name only when it is complete. If a signal ends pull, no file may
# be left.
rm "$place/ring/profraw"
mkfifo "$place/ring/profraw"
rm -f "$here"/*
for end in whole TERM; do
	(
		exec >"$place/ring/profraw"
		head -c 1000 "$WORK/made.profraw"
		sleep 1
		tail -c +1001 "$WORK/made.profraw"
	) 2>/dev/null &
	writer=$!
	(cd "$here" && exec "$BAREPROF" pull --from "$from" ring) 2>/dev/null &
	puller=$!
	sleep 0.5
	check "a slow profile ($end): a temporary file" sh -c "ls '$here'/ring.profraw.* && [ ! -e '$here/ring.profraw' ]"
	[ $end = whole ] || kill -$end $puller
	wait $puller 2>/dev/null
	status=$?
	if [ $end = whole ]; then
		check "a slow profile: is complete in the end" cmp "$here/ring.profraw" "$WORK/made.profraw"
		rm -f "$here/ring.profraw"
	else
		check "a slow profile: the signal ends pull" test $status -gt 128
		check "a slow profile: no file is left over" only ""
	fi
	wait $writer
done
rm "$place/ring/profraw"

# Tests a profile that is larger than the memory: pull has only 64 MB of address space.
[ -n "$BAREPROF_WIDE" ] && counters=29 || counters=26
check "$((8 << (counters - 20))) MiB of counters" python3 - "$place/ring/profraw" $counters <<'END_OF_PYTHON'
import struct, sys
counters = 1 << int(sys.argv[2])
# The words of a header of raw version 10, in this order: magic, version, size of build ids, number of records,
# padding, number of counters, padding, bytes of bitmap, padding, size of names, three deltas, number of vtables, size
# of vtable names, last value kind.
words = [0xff6c70726f667281, 10, 0, 1, 0, counters, 0, 0, 0, 8, 0, 0, 0, 0, 0, 2]
record = struct.pack("<QQQQQQIHHHI", 1, 2, 0, 0, 0, 0, counters - 1, 0, 0, 0, 0)
record += bytes(-len(record) % 8)
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<16Q", *words) + record)
    out.seek(8 * counters, 1)
    out.write(b"namename")
END_OF_PYTHON
size=$(stat -c %s "$place/ring/profraw")
check "a profile larger than memory" sh -c "ulimit -v 65536 && '$BAREPROF' pull --from '$from' ring -o /dev/null"
truncate -s -8 "$place/ring/profraw"
refuses "a profile larger than memory that lacks 8 bytes" "is cut short or has a damaged header: it has $((size - 8)) bytes and should have at least $size" \
	"$BAREPROF" pull --from "$from" ring -o /dev/null
rm "$place/ring/profraw"

# The statically linked bareprof must run in a root folder that contains nothing else.
check "make static" make -s static
check "static: needs no shared library" sh -c "! readelf -d build/static/bareprof | grep NEEDED && ! readelf -l build/static/bareprof | grep INTERP"
if [ "$(id -u)" -eq 0 ]; then
	mkdir -p "$WORK/root/sys"
	cp -r "$WORK/debug" "$WORK/root/sys/debug"
	cp build/static/bareprof "$WORK/root"
	check "static: runs in a root folder of its own" sh -c "chroot '$WORK/root' /bareprof pull --from debugfs:/sys/debug/bareprof vmlinux -o - |
		cmp - '$WORK/twice.profraw'"
else
	skip "static: runs in a root folder of its own: chroot is for root"
fi
