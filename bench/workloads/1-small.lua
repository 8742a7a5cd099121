-- SPDX-License-Identifier: BSD-2-Clause
-- Hardly anything: what a program's start alone counts.
print("sum", 1 + 2)
