#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# modules: tests modules on the stock kernel of Debian, which gcc compiled. The modules are built by two clangs and
# two linkers, and loaded and unloaded in a guest (guest.sh). LLVM's tools check their profiles. Comments in the
# modules say how many times lines must run.
. "$(dirname "$0")/../../../lib.sh"
. tests/ports/linux/lib.sh

NEW=22
OLD=19
linux_stock || exit
PORT=$WORK/port
GUEST=$WORK/root
linux_root "$GUEST"
cp tests/ports/linux/guest.sh "$GUEST/test/run"

check "the port is made as a folder" make -s drop-in-linux DIR="$PORT"
check "bareprof.ko builds with the compiler of the kernel" make -s -C "$PORT" KDIR="$LINUX_HEADERS"
check "this compiler is gcc" sh -c "readelf -p .comment '$PORT/bareprof.ko' | grep -q GCC"
cp "$PORT/bareprof.ko" "$GUEST/test"

# modules FOLDER NAMES WORD...: builds the modules NAMES in their own FOLDER, and copies them to the guest. The WORDs
# are arguments of make.
modules() {
	modules_at=$WORK/$1
	rm -rf "$modules_at"
	cp -R tests/ports/linux/modules "$modules_at"
	names=$2
	mkdir -p "$GUEST/test/$1"
	shift 2
	make -s -C "$modules_at" PORT="$PORT" KDIR="$LINUX_HEADERS" MODULES="$names" "$@" >"$modules_at/log" 2>&1 || {
		grep -v '^WARNING: modpost' "$modules_at/log" | tail -n 20
		return 1
	}
	for name in $names; do
		cp "$modules_at/$name.ko" "$GUEST/test/${modules_at##*/}" || return 1
	done
}
check "modules build with clang-$OLD and GNU ld" modules old "shapes single" CC=clang-$OLD
check "modules build with clang-$NEW and lld" modules new "shapes single" LLVM=-$NEW
check "a module builds with clang-16" modules oldest single CC=clang-16
check "a module with MC/DC builds" modules mcdc logic CC=clang-$NEW BAREPROF_KIND=mcdc
check "a module with byte counters builds" modules bytes single CC=clang-$NEW BAREPROF_KIND=bytes
check "a module with values builds" modules values calls CC=clang-$NEW BAREPROF_KIND=values
check "they were compiled by these clangs" sh -c "
	readelf -p .comment '$WORK/old/shapes.ko' | grep -q 'clang version $OLD' &&
	readelf -p .comment '$WORK/new/shapes.ko' | grep -q 'clang version $NEW'"

# The next builds contain mistakes that no tool reports. In lost.mk, the option --force-group-allocation is missing.
# Without this option, GNU ld does not merge sections that are members of groups.
sed 's/--force-group-allocation/--no-such-option/' "$PORT/module.mk" >"$PORT/lost.mk"
check "a module builds without the option for groups" modules lost logic CC=clang-$NEW module=lost.mk
cat >"$WORK/mixed-cc" <<'END_OF_CC'
#!/bin/sh
case " $* " in
*shapes_area.c*) exec clang-16 "$@" -Wno-unknown-warning-option ;;
*) exec clang-22 "$@" ;;
esac
END_OF_CC
chmod 755 "$WORK/mixed-cc"
check "a module builds with two clangs" modules mixed shapes CC="$WORK/mixed-cc"
check "a module builds whose files do not count" modules none single CC=clang-$NEW BAREPROF_ALL=n
check "a module builds without bareprof" modules plain single BAREPROF=n
check "gcc compiled it" sh -c "readelf -p .comment '$WORK/plain/single.ko' | grep -q GCC"

linux_initramfs "$GUEST" "$WORK/initramfs"
# boot OUT WORD...: boots the guest and prints its results. They are valid only if the guest's script reached its end.
boot() {
	out=$1
	shift
	check "the guest's kernel does not complain${*:+, $*}" linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$out" "$@"
	cat "$out/results"
	grep -q '^ok - the script reached its end$' "$out/results" || not_ok "the guest's script reached its end"
}
[ -z "${BAREPROF_WIDE-}" ] || boot "$WORK/off" debugfs=off
OUT=$WORK/out
boot "$OUT"

# counts NAME BUILD/MODULE: LLVM must read the same counts from the raw profile as from the capture.
counts() {
	elf=$WORK/$2.ko
	llvm=$NEW
	case $2 in
	old/*) llvm=$OLD ;;
	oldest/*) llvm=16 ;;
	esac
	"llvm-profdata-$llvm" merge "$OUT/$1.profraw" -o "$OUT/$1.profdata" &&
		"$BAREPROF" pull --elf "$elf" "$OUT/$1.capture" -o "$OUT/$1.pulled" &&
		"llvm-profdata-$llvm" merge "$OUT/$1.pulled" -o "$OUT/$1.again" &&
		cmp "$OUT/$1.profdata" "$OUT/$1.again"
}

# lines NAME BUILD/MODULE FACTOR: each line with a count in its comment must have run FACTOR times that count.
lines() {
	"llvm-cov-$llvm" show "$WORK/$2.ko" -instr-profile "$OUT/$1.profdata" >"$OUT/$1.lines" &&
		awk -v factor="$3" '
		match($0, /\/\* [0-9]+ times \*\//) {
			split($0, column, "|")
			want = substr($0, RSTART + 3) * factor
			if (column[2] + 0 != want || column[2] !~ /[0-9]/) {
				print "not " want ": " $0
				wrong = 1
			}
			lines++
		}
		END { exit wrong || lines < 3 }' "$OUT/$1.lines"
}
judge() {
	check "$1: raw profile and capture have the same counts" counts "$1" "$2"
	check "$1: lines ran as often as their comments say, times $3" lines "$1" "$2" "$3"
}
judge old-shapes old/shapes 1
judge old-single old/single 1
judge gone old/shapes 1
judge twice old/shapes 2
judge reset old/shapes 0
judge new-shapes new/shapes 1
judge new-single new/single 1
judge oldest oldest/single 1
check "two builds: the raw profile has the counts of both" sh -c "llvm-profdata-$NEW merge '$OUT/other.profraw' -o '$OUT/other.profdata' &&
	llvm-profdata-$NEW show --counts --function=area '$OUT/other.profdata' | grep -q 'Function count: 14'"
for build in new old; do
	check "two builds: the file has a capture of each, $build" sh -c "
		'$BAREPROF' pull --list '$OUT/other.capture' >'$OUT/other.list' &&
		'$BAREPROF' pull --elf '$WORK/$build/shapes.ko' --dump \"\$(sed -n 's/ *image $(test $build = new && echo 0 || echo 2) .*//p' '$OUT/other.list')\" '$OUT/other.capture' -o '$OUT/other.$build'"
done
check "the exit function of an unloaded module was counted" sh -c "
	grep -q '  1|.*stopped' '$OUT/gone.lines' && grep -q '  0|.*stopped' '$OUT/old-shapes.lines'"
check "unused functions in headers have no records" sh -c "
	test \"\$(llvm-profdata-$OLD show --all-functions '$OUT/old-shapes.profdata' | grep -c 'Hash: ')\" = 6"

check "bytes: raw profile and capture have the same counts" counts bytes bytes/single
check "bytes: the right lines ran" sh -c "llvm-cov-$NEW show '$WORK/bytes/single.ko' -instr-profile '$OUT/bytes.profdata' >'$OUT/bytes.lines' &&
	grep -q ' 1|.*odd++' '$OUT/bytes.lines' && grep -q ' 0|.*odd--' '$OUT/bytes.lines'"

check "MC/DC: raw profile and capture have the same counts" counts logic mcdc/logic
check "MC/DC: one of three conditions is not covered" sh -c "llvm-cov-$NEW show --show-mcdc '$WORK/mcdc/logic.ko' -instr-profile '$OUT/logic.profdata' >'$OUT/logic.lines' &&
	grep -q 'MC/DC Coverage for Decision: 66.67%' '$OUT/logic.lines'"

check "a module whose init fails is counted, and added to the kept loads" sh -c "llvm-profdata-$NEW show --counts --function=single_start '$OUT/failed.profraw' |
	grep -q 'Function count: 2'"

# The values are targets of calls and sizes of copies. For a module that was loaded twice, the profile must have the sum
# of the values of the two loads.
for name in values values-twice; do
	times=$(test $name = values && echo 1 || echo 2)
	check "$name: LLVM reads the raw profile" "llvm-profdata-$NEW" merge "$OUT/$name.profraw" -o "$OUT/$name.profdata"
	check "$name: the capture has the same values" sh -c "rm -rf '$OUT/all' &&
		'$BAREPROF' pull --all '$OUT/all' '$OUT/$name.capture' && cat '$OUT'/all/*.profraw >'$OUT/$name.pulled' &&
		llvm-profdata-$NEW merge '$OUT/$name.pulled' -o '$OUT/$name.again' && cmp '$OUT/$name.profdata' '$OUT/$name.again'"
	"llvm-profdata-$NEW" show --all-functions --ic-targets --memop-sizes "$OUT/$name.profdata" | tr -s ' \t' ' ' >"$OUT/$name.text"
	for target in "often, $((6 * times))" "seldom, $((2 * times))"; do
		check "$name: target $target" grep -q "^ \[ 0, .*calls.c[:;]$target \]" "$OUT/$name.text"
	done
	for size in "5, $((6 * times))" "16, $((2 * times))"; do
		check "$name: size $size" grep -q "^ \[ 0, $size \]" "$OUT/$name.text"
	done
done
