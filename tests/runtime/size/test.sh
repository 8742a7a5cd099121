#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# size - compares the size of the core with its budgets, as size.sh describes.
exec sh "$(dirname "$0")/size.sh" --check
