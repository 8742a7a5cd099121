#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# page.sh: runs the commands of ports/uboot/README.md literally, one by one. At the end, the source must be as before.
. "$(dirname "$0")/../../lib.sh"
. tests/docs/lib.sh
. tests/ports/uboot/lib.sh

PAGE=$WORK/page
examples ports/uboot/README.md "$PAGE"
uboot_source "$PAGE/u-boot" || exit 0
newcomer 19 clang
EXAMPLE_TIME=3000
try_examples
check "the report has over 4,000 functions" sh -c "'$BAREPROF' report '$PAGE/u-boot/u-boot' '$PAGE/u-boot/boot.profraw' | awk '/^TOTAL/ { exit !(\$5 > 4000 && \$5 - \$6 > 400) }'"
lines=$(sed -n 's/.* and \([0-9]*\) lines to seven files.*/\1/p' ports/uboot/README.md)
check "the page gives the number of lines: $lines" grep -q "; $lines lines were added" "$steps"/*.out

sed -i 's/ -ffixed-r9//' "$PAGE/u-boot/arch/arm/config.mk"
check "the source is as before, except the three details" sh -c "
	cd '$PAGE/u-boot' && ! ls lib/bareprof && cp -a '$UBOOT/source' '$WORK/before' &&
	sed -i 's/ -ffixed-r9//' '$WORK/before/arch/arm/config.mk' && sed -i 's/ --debug-prefix-map/ -fdebug-prefix-map/' '$WORK/before/Makefile' &&
	cd '$WORK/before' && find . -type f -exec sha256sum {} + >../sums && cd '$PAGE/u-boot' && sha256sum --quiet -c ../../sums"
