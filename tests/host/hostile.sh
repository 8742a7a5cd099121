#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hostile.sh: the hostile inputs of hostile.c, over made profiles and over all
# recorded ones.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}

find "$vectors" -name '*.profraw' | sort | xargs build/tests/bin/hostile
