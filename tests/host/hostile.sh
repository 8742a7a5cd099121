#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hostile.sh: runs the hostile inputs of hostile.c, made from generated profiles and from all
# recorded ones.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}

find "$vectors" -name '*.profraw' | sort | xargs build/tests/bin/hostile
