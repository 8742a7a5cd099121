#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# size - the core against its budgets: see size.sh.
exec sh "$(dirname "$0")/size.sh" --check
