#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# host: tests the static host program on Debian's own kernel, with the files that the port has in debugfs. It tests
# `bareprof pull`, `reset` and `info --from debugfs`, also while counters are reset and modules are loaded and
# unloaded during a read (host/run).
. "$(dirname "$0")/../../../lib.sh"
. tests/ports/linux/lib.sh
. tests/docs/lib.sh

unset BAREPROF_KIND MAKEFLAGS MAKEOVERRIDES
linux_stock || exit 0
export HOME="$WORK/home"
export KDIR="$LINUX_HEADERS"
mkdir -p "$HOME"
ln -s "$ROOT" "$HOME/bareprof"
port=$HOME/bareprof-linux
root=$WORK/root
out=$WORK/out

# module NAME KIND: builds a module for the guest.
module() {
	mkdir -p "$WORK/$1"
	cp tests/ports/linux/host/Makefile "tests/ports/linux/host/$1.c" "$WORK/$1"
	make -s -C "$WORK/$1" MODULE="$1" PORT="$port" BAREPROF_KIND="$2" &&
		strip -g -o "$root/test/$1.ko" "$WORK/$1/$1.ko"
}

linux_root "$root"
check "the static program builds" make -s static
examples ports/linux/README.md "$WORK/page"
check "the port is made as a folder, and bareprof.ko builds" linux_core "$(grep -l drop-in-linux "$steps"/*.run)"
check "host_cov.ko builds" module host_cov coverage
check "host_val.ko builds" module host_val values
check "host_big.ko builds" module host_big irpgo
check "host_broken.ko builds" module host_broken irpgo
cp build/static/bareprof "$port/bareprof.ko" tests/ports/linux/host/run "$root/test"
linux_initramfs "$root" "$WORK/initramfs"
check "the guest boots, and its kernel does not complain" linux_boot "$LINUX_KERNEL" "$WORK/initramfs" "$out"
if [ ! -s "$out/said" ]; then
	grep -a 'ok - guest' "$out/console.log"
	not_ok "the guest returned no results"
	exit 0
fi
cat "$out/said"

# counts FILE...: prints the sum of the profiles as text. The text has every counter.
counts() { "$BAREPROF" merge --text -o - "$@"; }
same() { counts "$1" >"$WORK/a" && counts "$2" >"$WORK/b" && cmp "$WORK/a" "$WORK/b"; }
# function FILE NAME: prints the counters of the function NAME.
function() { "$BAREPROF" show --counts --function "$2" "$1" | grep -A 20 "$2"; }

cat "$out/info"
check "info: three live modules" test "$(grep -c '^host_[a-z]* *live ' "$out/info")" -eq 3
check "info --json: its numbers are those of the profiles, and docs/JSON.md describes each key" python3 -c '
import json, os, re, subprocess, sys
out, bareprof = sys.argv[1:]
described = open("docs/JSON.md").read().partition("## `bareprof info`")[2].partition("## `bareprof check`")[0]
described = set(re.findall("`([a-z_]+)`", " ".join(re.findall(r"^\|(.*?)\|", described, re.M))))
images = json.load(open(out + "/info.json"))["images"]
assert [image["name"] for image in images] == ["host_big", "host_cov", "host_val"], images
for image in images:
    assert set(image) <= described, set(image) - described
    path = "%s/all/%s.profraw" % (out, image["name"])
    shown = json.loads(subprocess.check_output([bareprof, "show", "--json", path]))
    raw = shown["raw_profiles"][0]
    assert image["profraw_bytes"] == os.path.getsize(path), (image, path)
    assert image["functions"] == raw["records"], (image, raw)
    assert image["counters"] == raw["counters"], (image, raw)
    assert image["raw_version"] == raw["raw_version"], (image, raw)
    assert [image["build_id"]] == raw["build_ids"], (image, raw)
    assert image["state"] == "live" and image["resets"] == 0, image
' "$out" "$BAREPROF"
for name in host_cov host_val host_big; do
	check "$name: its capture and the .ko make a profile" sh -c \
		"'$BAREPROF' pull '$out/all/$name.capture' --elf '$root/test/$name.ko' -o '$WORK/$name.profraw'"
	check "$name: it has the same counts" same "$WORK/$name.profraw" "$out/all/$name.profraw"
done
check "host_cov: the profile made of a capture in the guest has the same counts" same "$out/capture.profraw" "$out/one.profraw"

# lines FILE LINE: prints the count of a line of host_cov.c. The guest wrote 7 numbers to the module, and 3 of them
# were odd.
lcov() { "$BAREPROF" report "$root/test/host_cov.ko" "$1" --lcov "$2" >/dev/null; }
lines() { awk -F '[:,]' -v line="$2" '$1 == "DA" && $2 == line { print $3 }' "$1"; }
odd=$(grep -n 'odd++' tests/ports/linux/host/host_cov.c | cut -d : -f 1)
even=$(grep -n 'even++' tests/ports/linux/host/host_cov.c | cut -d : -f 1)
check "host_cov: a report is made" lcov "$out/one.profraw" "$WORK/one.info"
check "host_cov: 3 odd, 4 even" test "$(lines "$WORK/one.info" "$odd") $(lines "$WORK/one.info" "$even")" = "3 4"
check "host_cov: a report after the reset is made" lcov "$out/reset.profraw" "$WORK/reset.info"
check "host_cov: 0 odd, 0 even after the reset" test "$(lines "$WORK/reset.info" "$odd") $(lines "$WORK/reset.info" "$even")" = "0 0"
check "host_cov: reports before and after the watched changes are made" sh -c \
	"for name in poked poked_again; do '$BAREPROF' report '$root/test/host_cov.ko' '$out/'\$name.profraw --lcov '$WORK/'\$name.info >/dev/null || exit; done"
check "host_cov: --watch shows the difference of the profiles" python3 tests/host/lib/watch_compare.py "$out/looks" \
	"$WORK/reset.info" "$WORK/poked.info" - "$WORK/poked_again.info"
check "host_cov: a script could have seen the new function and lines" grep -q '"kind": "new".*"ranges"' "$out/looks"
check "host_cov: a report of two loads is made" lcov "$out/loads/host_cov.profraw" "$WORK/loads.info"
check "host_cov: 1 odd, 1 even in two loads" \
	test "$(lines "$WORK/loads.info" "$odd") $(lines "$WORK/loads.info" "$even")" = "1 1"
for name in cov val; do
	check "host_$name: captures of two loads have the same counts" same "$out/loads/$name.profraw" "$out/loads/host_$name.profraw"
done
check "host_val: the profile of two loads has both targets" sh -c \
	"'$BAREPROF' show --values --function set_number '$out/loads/host_val.profraw' | grep -c 'first\|second' | grep -qx 2"
