#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# malformed.sh - reads damaged and hostile coverage mappings (malformed.py).
. "$(dirname "$0")/../lib.sh"

python3 tests/coverage/malformed.py "$BAREPROF" "$WORK" 2>"$WORK/err" || fails "all cases were tested" "$WORK/err"
