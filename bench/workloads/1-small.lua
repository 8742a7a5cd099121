-- SPDX-License-Identifier: BSD-2-Clause
-- Almost no work: only what a program counts at start.
print("sum", 1 + 2)
