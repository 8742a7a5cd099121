#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compdb.sh: tests that `make compdb` names every C file of the host program and of the runtime.
. "$(dirname "$0")/../lib.sh"

check "make compdb" make compdb BUILD="$WORK"
check "it is JSON, with a command for every file" python3 - "$WORK/compile_commands.json" <<'END'
import glob, json, sys
entries = {e["file"]: e["command"] for e in json.load(open(sys.argv[1]))}
files = [f for top in ("host-tools", "runtime") for f in glob.glob(top + "/**/*.c", recursive=True)]
missing = [f for f in files if f not in entries or not entries[f].endswith(f)]
assert len(files) > 100 and not missing, missing
END
