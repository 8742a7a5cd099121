#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hostile.sh: the hostile inputs of hostile.c, over made profiles and,
# where they are at hand, over all real ones.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-../shared/vectors}

[ -d "$vectors" ] || skip "real profiles damaged: no vectors, set BAREPROF_VECTORS"
find "$vectors" -name '*.profraw' 2>/dev/null | sort | xargs build/tests/bin/hostile
