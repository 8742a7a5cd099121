#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# malformed.sh - reads damaged, hostile and unusual sections of pseudo probes (malformed.py).
. "$(dirname "$0")/../lib.sh"

python3 tests/probes/malformed.py "$BAREPROF" "$WORK" 2>"$WORK/err" || fails "all cases were tested" "$WORK/err"
