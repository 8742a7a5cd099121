-- SPDX-License-Identifier: BSD-2-Clause
-- Enough rows that the trees get deep and counts large.
PRAGMA cache_size = 200;
CREATE TABLE n (id INTEGER PRIMARY KEY, k INTEGER, s TEXT, r REAL);
WITH RECURSIVE c(i, x) AS (SELECT 1, 1 UNION ALL SELECT i + 1, (x * 48271) % 2147483647 FROM c WHERE i < 30000)
	INSERT INTO n SELECT i, x % 1000, 'row ' || x || CASE WHEN x % 50 = 0 THEN zeroblob(3000) ELSE '' END, x / 7.0 FROM c;
CREATE INDEX n_k ON n (k);
CREATE INDEX n_s ON n (s COLLATE NOCASE, r);
SELECT count(*), sum(k), min(s), round(max(r), 3), avg(length(s)) FROM n;
SELECT k, count(*) AS c, group_concat(id) FROM n GROUP BY k HAVING c > 45 ORDER BY c DESC, k LIMIT 3;
SELECT count(*) FROM n a JOIN n b ON a.k = b.k AND a.id < b.id WHERE a.k < 50;
SELECT count(*) FROM n WHERE s LIKE '%99%' OR r BETWEEN 1e7 AND 2e7 OR k IN (SELECT id FROM n WHERE id % 37 = 0);
UPDATE n SET r = r * 2, s = s || 'x' WHERE k % 3 = 0;
DELETE FROM n WHERE k % 5 = 0;
INSERT INTO n (k, s) SELECT k + 1, upper(s) FROM n WHERE id % 4 = 0;
SELECT sum(x) FROM (SELECT k, sum(r) OVER (PARTITION BY k ORDER BY id ROWS 3 PRECEDING) AS x FROM n WHERE k < 200) WHERE x IS NOT NULL;
CREATE TABLE copy AS SELECT DISTINCT k, substr(s, 1, 6) AS s FROM n ORDER BY s DESC, k;
DROP INDEX n_s;
BEGIN;
DELETE FROM copy WHERE rowid % 2;
ROLLBACK;
SELECT count(*), (SELECT count(*) FROM copy) FROM n NATURAL JOIN copy;
VACUUM;
PRAGMA integrity_check;
