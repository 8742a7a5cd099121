# SPDX-License-Identifier: BSD-2-Clause
# guest.sh - runs in the guest of modules/test.sh. It prints lines with ok or not ok to /out/results, and stores
# profiles in /out.
PROFILES=/sys/kernel/debug/bareprof
exec >/out/log 2>&1
ok() { echo "ok - $*" >>/out/results; }
not_ok() {
	echo "not ok - $*" >>/out/results
	sed 's/^/    /' /out/said >>/out/results
}

# holds WHAT COMMAND...: COMMAND must succeed.
#
# fails WHAT PATTERN COMMAND...: COMMAND must fail with a message that matches PATTERN.
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
# work MODULE NUMBER...: lets MODULE work with each of these numbers.
work() {
	module=$1
	shift
	for n; do echo "$n" >"/sys/module/$module/parameters/work" || return 1; done
}
# info NAME KEY: prints the value of KEY in the info file of the module NAME.
info() { sed -n "s/^$2: //p" $PROFILES/"$1"/info; }
is() { test "$(info "$1" "$2")" = "$3" || { cat $PROFILES/"$1"/info; false; }; }
get() { cat $PROFILES/"$1"/"$2"; }
reset() { echo 1 >$PROFILES/"$1"/reset; }
# save NAME AS: stores profraw, capture and info of the module as /out/AS.*.
save() { get "$1" profraw >"/out/$2.profraw" && get "$1" capture >"/out/$2.capture" && get "$1" info >"/out/$2.info"; }
logged() { dmesg | grep -Eq "$1" || { dmesg | tail; false; }; }

# gone NAME: succeeds if the directory of the module NAME is gone. A work queue removes it, so this function waits up
# to a second.
gone() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		test ! -e "$PROFILES/$1" && return
		sleep 0.1
	done
	return 1
}

# Without debugfs, neither bareprof.ko nor a module can be loaded. The second boot tests only this.
if grep -q debugfs=off /proc/cmdline; then
	fails "debugfs=off: bareprof.ko is not loaded" "Operation not permitted" insmod bareprof.ko
	holds "debugfs=off: the log says why" logged "bareprof: debugfs is not available, so profiles cannot be read: "
	fails "debugfs=off: a module is not loaded, either" "unknown symbol" insmod old/shapes.ko
	ok "the script reached its end"
	exit
fi

# No module can be loaded before bareprof.ko, the core of the port.
fails "no module is loaded before bareprof.ko" "unknown symbol" insmod old/shapes.ko
holds "bareprof.ko is loaded" insmod bareprof.ko
holds "the directory is still empty" test "$(ls $PROFILES | wc -l)" = 0

# Two modules are loaded at the same time.
holds "a module of several files is loaded" insmod old/shapes.ko
holds "a module of a single file is loaded" insmod old/single.ko
holds "the first works" work shapes 4 0
holds "the second works" work single 7 8
holds "there are two directories" test "$(ls $PROFILES | tr '\n' ' ')" = "shapes single "
holds "a directory has five files" test "$(ls $PROFILES/shapes | tr '\n' ' ')" = "capture info mipraw profraw reset "
holds "the files have the right modes" test "$(stat -c %a $PROFILES/shapes/* | tr '\n' ' ')" = "400 400 400 400 200 "
fails "bareprof.ko cannot be unloaded while modules need it" "Resource temporarily" rmmod bareprof
holds "the profiles of shapes are read" save shapes old-shapes
holds "the profiles of single are read" save single old-single
holds "info: state" is shapes state live
holds "info: kind" is shapes kind coverage
holds "info: raw version" is shapes "raw version" 10
holds "info: functions" is shapes functions 6
holds "info: size" is shapes "profraw bytes" "$(stat -c %s /out/old-shapes.profraw)"
holds "info: a build id" test "$(info shapes "build id" | wc -c)" = 41
holds "info: no loads are kept" is shapes "kept loads" 0

# A profile is read in windows, and by two readers at the same time.
dd if=$PROFILES/shapes/profraw bs=7 of=/out/sevens
holds "a profile is read in windows of 7 bytes" cmp /out/sevens /out/old-shapes.profraw
dd if=$PROFILES/shapes/profraw bs=8 skip=3 of=/out/skipped
tail -c +25 /out/old-shapes.profraw >/out/tail
holds "a profile is read from the middle" cmp /out/skipped /out/tail
dd if=$PROFILES/shapes/capture bs=5 of=/out/fives
holds "a capture is read in windows of 5 bytes" cmp /out/fives /out/old-shapes.capture
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/profraw
dd bs=100 count=1 <&3 >/out/third
dd bs=64 count=2 <&4 >/out/fourth
cat <&3 >>/out/third
cat <&4 >>/out/fourth
exec 3<&- 4<&-
holds "one of two readers gets the profile" cmp /out/third /out/old-shapes.profraw
holds "the other reader gets it, too" cmp /out/fourth /out/old-shapes.profraw

# Only root may read profiles.
mkdir -p /etc
echo "nobody:x:65534:65534::/:/bin/sh" >/etc/passwd
fails "another user has no permission" "Permission denied" su -s /bin/sh nobody -c "cat $PROFILES/shapes/profraw"

# A module is unloaded, and then loaded again.
holds "a module is unloaded" rmmod shapes
holds "info: the module is gone" is shapes state gone
holds "info: one load is kept" is shapes "kept loads" 1
holds "its profile can still be read" save shapes gone
holds "the module is loaded again" insmod old/shapes.ko
holds "it works again" work shapes 4 0
holds "info: the module is live again" is shapes state live
holds "its counts continue" save shapes twice

# A reset makes files that are open stale.
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/capture
dd bs=100 count=1 <&3 >/out/said
dd bs=10 count=1 <&4 >/out/said
holds "a profile is reset" reset shapes
fails "a profraw that was opened before is stale" "Stale file" cat <&3
fails "a capture that was opened before is stale" "Stale file" cat <&4
exec 3<&- 4<&-
holds "all counters are zero" save shapes reset
holds "info: one reset" is shapes resets 1

# A module is unloaded while its files are open. After a reset, its directory is removed.
exec 3<$PROFILES/shapes/profraw 4<$PROFILES/shapes/capture 5<$PROFILES/shapes/profraw 6<$PROFILES/shapes/info
dd bs=100 count=1 <&3 >/out/said
dd bs=10 count=1 <&4 >/out/said
holds "a module is unloaded while files are open" rmmod shapes
fails "an open profraw is stale" "Stale file" cat <&3
fails "an open capture is stale" "Stale file" cat <&4
holds "the profile of the unloaded module is reset" reset shapes
holds "its directory goes away" gone shapes
fails "a profraw whose directory is gone cannot be read" "Stale file|Input/output" cat <&3
fails "a capture whose directory is gone cannot be read" "Stale file|Input/output" cat <&4
fails "a profraw that was open but not read cannot be read after its directory is gone" "Stale file|Input/output" cat <&5
fails "an info file whose directory is gone cannot be read" "Input/output" cat <&6
exec 3<&- 4<&- 5<&- 6<&-

# Modules from the other compiler and linker are loaded. Then another build of a module is loaded, while the counts of
# the first build are kept.
rmmod single
reset single
holds "the other compiler: a module of several files is loaded" insmod new/shapes.ko
holds "the other compiler: a module of a single file is loaded" insmod new/single.ko
holds "the other compiler: the first works" work shapes 4 0
holds "the other compiler: the second works" work single 7 8
holds "the other compiler: the profiles of shapes are read" save shapes new-shapes
holds "the other compiler: the profiles of single are read" save single new-single
rmmod shapes
insmod old/shapes.ko
work shapes 4 0
holds "two builds: the profile is read" save shapes other
holds "two builds: one load is kept" is shapes "kept loads" 1
rmmod shapes
rmmod single
reset shapes
reset single

# Clang 16 is the oldest release that compiles with these kernel headers. It writes records with an older layout.
holds "clang 16: a module is loaded" insmod oldest/single.ko
holds "clang 16: it works" work single 7 8
holds "clang 16: its profile is read" save single oldest
holds "clang 16: raw version" is single "raw version" 8
rmmod single
reset single

# Modules with other kinds of instrumentation are loaded.
holds "bytes: a module is loaded" insmod bytes/single.ko
work single 7
holds "bytes: its profiles are read" save single bytes
holds "bytes: kind" is single kind "coverage, byte counters"
rmmod single
reset single
holds "MC/DC: a module is loaded" insmod mcdc/logic.ko
work logic 0 1 3
holds "MC/DC: its profiles are read" save logic logic
holds "MC/DC: kind" is logic kind "coverage, MC/DC"
holds "values: a module is loaded" insmod values/calls.ko
work calls 8
holds "values: its profiles are read" save calls values
holds "values: kind" is calls kind "IR, values"
holds "values: none are dropped" is calls "values dropped" 0
rmmod calls
insmod values/calls.ko
work calls 8
holds "values: the profiles of two loads are read" save calls values-twice

# Broken modules are loaded, and the messages about them are checked.
rmmod logic
reset logic
holds "lost sections: the module is loaded" insmod lost/logic.ko
fails "lost sections: there is no profile" "No data available" get logic profraw
fails "lost sections: there is no capture" "No data available" get logic capture
holds "lost sections: info calls it broken" is logic state broken
holds "lost sections: info has the reason" is logic error "no counters: nothing is instrumented, or the link lost the sections"
holds "lost sections: the log has the reason" logged "bareprof: logic: no counters"
holds "lost sections: the module works" work logic 7
rmmod logic
holds "lost sections: nothing is kept of it" gone logic
holds "two compilers: the module is loaded" insmod mixed/shapes.ko
fails "two compilers: there is no profile" "Invalid argument" get shapes profraw
fails "two compilers: there is no capture" "Invalid argument" get shapes capture
holds "two compilers: info calls it broken" is shapes state broken
holds "two compilers: info has the reason" grep -q "^error: .*one clang" $PROFILES/shapes/info
holds "two compilers: the log has the reason" logged "bareprof: shapes: .*one clang"
rmmod shapes
# If the init function of a module fails, busybox's insmod tries a second time. So the function is counted twice.
fails "init fails: the module is not loaded" "Input/output" insmod new/single.ko fail=1
holds "init fails: its profile is read" save single failed
holds "init fails: info calls it gone" is single state gone
reset single
holds "nothing is instrumented: the module is loaded" insmod none/single.ko
fails "nothing is instrumented: there is no profile" "No data available" get single profraw
holds "nothing is instrumented: info calls it broken" is single state broken
rmmod single
holds "a module without bareprof is loaded" insmod plain/single.ko
holds "a module without bareprof has no directory" gone single
rmmod single

# A module is loaded, works, is read and is reset, all at the same time, until it has been loaded LOADS times.
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
holds "a module is loaded and unloaded often, while all else happens: $(wc -l </tmp/loads)" test "$(wc -l </tmp/loads)" -ge $LOADS
holds "after that: a module is loaded" insmod old/shapes.ko
holds "after that: its profile is reset" reset shapes
work shapes 4
holds "after that: its profile is read" get shapes profraw

# bareprof.ko can be unloaded only when no module and no open file needs it.
exec 3<$PROFILES/shapes/profraw
rmmod shapes
rmmod calls
fails "bareprof.ko cannot be unloaded while a file is open" "Resource temporarily" rmmod bareprof
exec 3<&-
holds "bareprof.ko is unloaded" rmmod bareprof
holds "its directory is gone" test ! -e $PROFILES
holds "bareprof.ko is loaded again" insmod bareprof.ko
holds "a module is loaded after it" insmod old/single.ko
work single 7
holds "that module counts" get single profraw
ok "the script reached its end"
