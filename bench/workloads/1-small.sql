-- SPDX-License-Identifier: BSD-2-Clause
-- One table, a few rows.
CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
INSERT INTO t (b) VALUES ('one'), ('two'), ('three');
SELECT a, b FROM t WHERE b LIKE 't%' ORDER BY b;
