#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# hostile.sh: runs programs/hostile.c, which makes hostile inputs from generated profiles and from all recorded
# profiles.
. "$(dirname "$0")/../lib.sh"
vectors=${BAREPROF_VECTORS:-tests/vectors}

find "$vectors" -name '*.profraw' | sort | xargs build/tests/bin/hostile
