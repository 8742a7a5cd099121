# SPDX-License-Identifier: BSD-2-Clause
# guest.sh - what linux_modules.sh does in the guest: says ok or not ok in /out/results,
# and leaves profiles in /out.
PROFILES=/sys/kernel/debug/bareprof
exec >/out/log 2>&1
ok() { echo "ok - $*" >>/out/results; }
not_ok() {
	echo "not ok - $*" >>/out/results
	sed 's/^/    /' /out/said >>/out/results
}

# holds WHAT COMMAND...; fails WHAT PATTERN COMMAND...: it fails, with such words.
holds() {
	what=$1
	shift
	if "$@" >/out/said 2>&1; then ok "$what"; else not_ok "$what"; fi
}
fails() {
	what=$1
	words=$2
	shift 2
	if ! "$@" >/out/said 2>&1 && grep -Eq "$words" /out/said; then ok "$what"; else not_ok "$what"; fi
}
# work MODULE NUMBER...
work() {
	module=$1
	shift
	for n; do echo "$n" >"/sys/module/$module/parameters/work" || return 1; done
}
# info NAME KEY: what it says.
info() { sed -n "s/^$2: //p" $PROFILES/"$1"/info; }
is() { test "$(info "$1" "$2")" = "$3" || { cat $PROFILES/"$1"/info; false; }; }
get() { cat $PROFILES/"$1"/"$2"; }
reset() { echo 1 >$PROFILES/"$1"/reset; }
# save NAME AS
save() { get "$1" profraw >"/out/$2.profraw" && get "$1" capture >"/out/$2.capture" && get "$1" info >"/out/$2.info"; }
logged() { dmesg | grep -Eq "$1" || { dmesg | tail; false; }; }

# gone NAME: its directory is removed a little later, by a work queue.
gone() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		test ! -e "$PROFILES/$1" && return
		sleep 0.1
	done
	return 1
}

# Nothing without debugfs, which is all that the second boot asks about.
if grep -q debugfs=off /proc/cmdline; then
	fails "debugfs=off: bareprof.ko is not loaded" "Operation not permitted" insmod bareprof.ko
	holds "debugfs=off: the log says why" logged "bareprof: debugfs is not available, so profiles cannot be read: "
	fails "debugfs=off: nor is a module" "unknown symbol" insmod old/shapes.ko
	ok "the end"
	exit
fi

# Nothing without the core.
fails "no module is loaded before bareprof.ko" "unknown symbol" insmod old/shapes.ko
holds "bareprof.ko is loaded" insmod bareprof.ko
holds "there is nothing yet" test "$(ls $PROFILES | wc -l)" = 0

# Two modules at once.
holds "a module of several files" insmod old/shapes.ko
holds "a module of a single file" insmod old/single.ko
holds "they work" work shapes 4 0
holds "both" work single 7 8
holds "two directories" test "$(ls $PROFILES | tr '\n' ' ')" = "shapes single "
holds "files" test "$(ls $PROFILES/shapes | tr '\n' ' ')" = "capture info profraw reset "
holds "modes of files" test "$(stat -c %a $PROFILES/shapes/* | tr '\n' ' ')" = "400 400 400 200 "
fails "bareprof.ko stays while they are there" "Resource temporarily" rmmod bareprof
holds "profiles of shapes" save shapes old-shapes
holds "profiles of single" save single old-single
holds "info: state" is shapes state live
holds "info: kind" is shapes kind coverage
holds "info: raw version" is shapes "raw version" 10
holds "info: functions" is shapes functions 6
holds "info: size" is shapes "profraw bytes" "$(stat -c %s /out/old-shapes.profraw)"
holds "info: a build id" test "$(info shapes "build id" | wc -c)" = 41
holds "info: no loads that were" is shapes "kept loads" 0

# Windows, and two who read at once.
dd if=$PROFILES/shapes/profraw bs=7 of=/out/sevens
holds "read in windows of 7 bytes" cmp /out/sevens /out/old-shapes.profraw
dd if=$PROFILES/shapes/profraw bs=8 skip=3 of=/out/skipped
tail -c +25 /out/old-shapes.profraw >/out/tail
holds "read from the middle" cmp /out/skipped /out/tail
dd if=$PROFILES/shapes/capture bs=5 of=/out/fives
holds "a capture in windows of 5 bytes" cmp /out/fives /out/old-shapes.capture
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/profraw
dd bs=100 count=1 <&3 >/out/third
dd bs=64 count=2 <&4 >/out/fourth
cat <&3 >>/out/third
cat <&4 >>/out/fourth
exec 3<&- 4<&-
holds "one reader" cmp /out/third /out/old-shapes.profraw
holds "and another at the same time" cmp /out/fourth /out/old-shapes.profraw

# Who may not read.
mkdir -p /etc
echo "nobody:x:65534:65534::/:/bin/sh" >/etc/passwd
fails "no permission" "Permission denied" su -s /bin/sh nobody -c "cat $PROFILES/shapes/profraw"

# It goes, and comes again.
holds "unload" rmmod shapes
holds "info: it has gone" is shapes state gone
holds "info: a load that was" is shapes "kept loads" 1
holds "its profile stays" save shapes gone
holds "load it again" insmod old/shapes.ko
holds "work again" work shapes 4 0
holds "info: it is there again" is shapes state live
holds "counts go on" save shapes twice

# Reset, also of what was opened before.
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/capture
dd bs=100 count=1 <&3 >/out/said
dd bs=10 count=1 <&4 >/out/said
holds "reset" reset shapes
fails "a profraw that was open" "Stale file" cat <&3
fails "a capture that was open" "Stale file" cat <&4
exec 3<&- 4<&-
holds "all is zero" save shapes reset
holds "info: resets" is shapes resets 1

# It goes while it is read, and then the directory too.
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/capture 5<$PROFILES/shapes/profraw 6<$PROFILES/shapes/info
dd bs=100 count=1 <&3 >/out/said
dd bs=10 count=1 <&4 >/out/said
holds "unload while it is read" rmmod shapes
fails "a profraw of before" "Stale file" cat <&3
fails "a capture of before" "Stale file" cat <&4
holds "reset what has gone" reset shapes
holds "has no directory any more" gone shapes
fails "a profraw without a directory" "Stale file|Input/output" cat <&3
fails "a capture without a directory" "Stale file|Input/output" cat <&4
fails "a profraw of which nothing was read" "Stale file|Input/output" cat <&5
fails "info without a directory" "Input/output" cat <&6
exec 3<&- 4<&- 5<&- 6<&-

# The other compiler and linker; and then on top of one the other.
rmmod single
reset single
holds "of the other compiler: several files" insmod new/shapes.ko
holds "of the other compiler: a single file" insmod new/single.ko
holds "it works" work shapes 4 0
holds "the other as well" work single 7 8
holds "their profiles" save shapes new-shapes
holds "and single" save single new-single
rmmod shapes
insmod old/shapes.ko
work shapes 4 0
holds "a module of another build on top" save shapes other
holds "info: its profile is of both" is shapes "kept loads" 1
rmmod shapes
rmmod single
reset shapes
reset single

# The oldest layout that a clang for these headers writes.
holds "clang 16" insmod oldest/single.ko
holds "clang 16: it works" work single 7 8
holds "clang 16: its profile" save single oldest
holds "clang 16: raw version" is single "raw version" 8
rmmod single
reset single

# Other kinds.
holds "bytes" insmod bytes/single.ko
work single 7
holds "bytes: profiles" save single bytes
holds "bytes: kind" is single kind "coverage, byte counters"
rmmod single
reset single
holds "MC/DC" insmod mcdc/logic.ko
work logic 0 1 3
holds "MC/DC: profiles" save logic logic
holds "MC/DC: kind" is logic kind "coverage, MC/DC"
holds "values" insmod values/calls.ko
work calls 8
holds "values: profiles" save calls values
holds "values: kind" is calls kind "IR, values"
holds "values: none were dropped" is calls "values dropped" 0
rmmod calls
insmod values/calls.ko
work calls 8
holds "values: of both loads" save calls values-twice

# What is wrong with a module, and where it says so.
rmmod logic
reset logic
holds "sections were lost: it is loaded" insmod lost/logic.ko
fails "sections were lost: no profile" "No data available" get logic profraw
fails "sections were lost: no capture" "No data available" get logic capture
holds "sections were lost: info" is logic state broken
holds "sections were lost: a sentence" is logic error "no counters: nothing is instrumented, or the link lost the sections"
holds "sections were lost: in the log" logged "bareprof: logic: no counters"
holds "sections were lost: it works" work logic 7
rmmod logic
holds "sections were lost: nothing stays of it" gone logic
holds "two compilers: it is loaded" insmod mixed/shapes.ko
fails "two compilers: no profile" "Invalid argument" get shapes profraw
fails "two compilers: no capture" "Invalid argument" get shapes capture
holds "two compilers: info" is shapes state broken
holds "two compilers: a sentence" grep -q "^error: .*one clang" $PROFILES/shapes/info
holds "two compilers: in the log" logged "bareprof: shapes: .*one clang"
rmmod shapes
# busybox tries twice.
fails "a module that fails to begin" "Input/output" insmod new/single.ko fail=1
holds "a module that fails to begin: its profile" save single failed
holds "a module that fails to begin: has gone" is single state gone
reset single
holds "nothing counts: it is loaded" insmod none/single.ko
fails "nothing counts: no profile" "No data available" get single profraw
holds "nothing counts: info" is single state broken
rmmod single
holds "not for us: it is loaded" insmod plain/single.ko
holds "not for us: no directory" gone single
rmmod single

# Everything at once, until the module was there often enough.
LOADS=8
until_then() { while test ! -e /tmp/stop; do "$@"; done >/dev/null 2>&1; }
again() { insmod new/shapes.ko && work shapes 4 0 && rmmod shapes && echo >>/tmp/loads; }
insmod new/single.ko
: >/tmp/loads
until_then again &
until_then get shapes profraw &
until_then get shapes capture &
until_then get shapes info &
until_then reset shapes &
until_then get single profraw &
until_then work single 7 &
for i in $(seq 120); do
	test "$(wc -l </tmp/loads)" -ge $LOADS && break
	sleep 0.5
done
touch /tmp/stop
wait
rmmod shapes
rmmod single
holds "it was loaded and unloaded often: $(wc -l </tmp/loads)" test "$(wc -l </tmp/loads)" -ge $LOADS
holds "after all that: a module" insmod old/shapes.ko
holds "after all that: reset" reset shapes
work shapes 4
holds "after all that: its profile" get shapes profraw

# The core goes when nobody needs it.
exec 3<$PROFILES/shapes/profraw
rmmod shapes
rmmod calls
fails "bareprof.ko stays while a file is open" "Resource temporarily" rmmod bareprof
exec 3<&-
holds "bareprof.ko goes" rmmod bareprof
holds "with its directory" test ! -e $PROFILES
holds "and comes back" insmod bareprof.ko
holds "for a module" insmod old/single.ko
work single 7
holds "that counts" get single profraw
ok "the end"
