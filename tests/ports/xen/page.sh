#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# page.sh: runs the commands of ports/xen/README.md literally, one by one. A guest in QEMU takes the place of dom0.
# Each ssh command boots this guest.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh

LLVM=22
PAGE=$WORK/page
xen_source && xen_dom0 || exit 0
check "the static program builds" make -s static
examples ports/xen/README.md "$PAGE"
check "the source is unpacked" xen_unpack "$PAGE/xen"
(cd "$PAGE/xen" && find . -type f -exec sha256sum {} +) >"$WORK/sums"

newcomer $LLVM clang clang++ ld.lld
cat >"$WORK/bin/ssh" <<END_OF_SSH
#!/bin/sh
# ssh root@dom0 COMMAND...: boots the hypervisor and runs the command in dom0.
[ "\$1" = root@dom0 ] && shift || exit 255
ROOT=$ROOT WORK=$WORK XEN_DOM0=$XEN_DOM0 XEN_PRIVCMD=$XEN_PRIVCMD
cd "\$ROOT"
. tests/ports/linux/lib.sh
. tests/ports/xen/lib.sh
rm -rf "\$WORK/root"
xen_root "\$WORK/root"
cp build/static/bareprof "\$WORK/root/bin/"
echo "insmod ./xen-privcmd.ko; \$* >/out/stdout 2>/out/stderr; echo \\\$? >/out/status" >"\$WORK/root/test/run"
linux_initramfs "\$WORK/root" "\$WORK/initramfs"
xen_boot "$PAGE/xen/xen/xen" "\$WORK/initramfs" "\$WORK/out" >&2 || exit 255
cat "\$WORK/out/stdout"
cat "\$WORK/out/stderr" >&2
exit "\$(cat "\$WORK/out/status")"
END_OF_SSH
chmod 755 "$WORK/bin/ssh"

EXAMPLE_TIME=3000
try_examples

check "the report has over 4,000 functions" sh -c "'$BAREPROF' report --allow-torn '$PAGE/xen/xen/xen-syms' '$PAGE/xen/xen.profraw' | awk '/^TOTAL/ { exit !(\$5 > 4000 && \$5 - \$6 > 1000) }'"
check "the HTML report is written" test -s "$PAGE/xen/html/index.html"
check "the profile made of the capture has the same size" test "$(stat -c %s "$PAGE/xen/again.profraw")" = "$(stat -c %s "$PAGE/xen/xen.profraw")"
# The source must be the same as before, but files that the build made may stay in the tree.
check "bareprof is uninstalled, and the source is as before" sh -c "cd '$PAGE/xen' && ! ls xen/common/coverage/bareprof && sha256sum --quiet -c '$WORK/sums'"
