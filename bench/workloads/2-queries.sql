-- SPDX-License-Identifier: BSD-2-Clause
-- Many kinds of statement, few rows.
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, boss INTEGER REFERENCES person, pay REAL CHECK (pay > 0));
CREATE TABLE work (person INTEGER, project TEXT, hours INTEGER DEFAULT 1, PRIMARY KEY (person, project)) WITHOUT ROWID;
CREATE INDEX by_pay ON person (pay DESC) WHERE pay > 10;
CREATE VIEW busy AS SELECT name, sum(hours) AS hours FROM person JOIN work ON person = id GROUP BY id HAVING sum(hours) > 3;
CREATE TRIGGER log AFTER UPDATE OF pay ON person BEGIN INSERT OR REPLACE INTO work VALUES (new.id, 'audit', 1); END;
INSERT INTO person VALUES (1, 'Ada', NULL, 90), (2, 'Ben', 1, 50), (3, 'Cem', 1, 55.5), (4, 'Dora', 2, 20), (5, 'Eve', 3, 9);
INSERT INTO work VALUES (1, 'x', 2), (2, 'x', 3), (2, 'y', 4), (3, 'y', 1), (4, 'z', 9) ON CONFLICT DO UPDATE SET hours = hours + excluded.hours;
INSERT INTO work (person, project) SELECT id, 'all' FROM person WHERE id NOT IN (SELECT person FROM work WHERE project = 'y');
UPDATE person SET pay = pay * 1.1 WHERE boss IS NOT NULL RETURNING name, round(pay, 2);
SELECT * FROM busy ORDER BY hours DESC, name COLLATE NOCASE LIMIT 3 OFFSET 1;
SELECT p.name, b.name FROM person p LEFT JOIN person b ON p.boss = b.id;
WITH RECURSIVE under(id, depth) AS (VALUES (1, 0) UNION ALL SELECT p.id, depth + 1 FROM person p JOIN under u ON p.boss = u.id)
	SELECT depth, group_concat(name, '+') FROM under JOIN person USING (id) GROUP BY depth;
SELECT name, rank() OVER (ORDER BY pay), sum(pay) OVER (PARTITION BY boss ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW),
	lag(name, 1, '-') OVER (ORDER BY id), ntile(2) OVER (ORDER BY pay) FROM person;
SELECT CASE WHEN pay < 30 THEN 'low' WHEN pay < 60 THEN 'mid' ELSE 'high' END AS class, count(*), min(name), max(pay), avg(pay), total(pay)
	FROM person GROUP BY class;
SELECT name FROM person WHERE pay BETWEEN 20 AND 60 EXCEPT SELECT name FROM person WHERE name GLOB 'B*' UNION SELECT 'Zoe' INTERSECT
	SELECT name FROM person;
SELECT json_extract('{"a":[1,{"b":2.5}],"c":"x"}', '$.a[1].b'), json_group_array(name), json_object('k', max(pay)) FROM person;
SELECT key, value, type FROM json_each('[1, "two", null, {"three": 3}]');
SELECT date('2020-02-29', '+1 year'), strftime('%j %W', '2021-12-31'), julianday('2000-01-01'), printf('%08.3f|%-5s|%x', 3.14159, 'ab', 255);
SELECT hex('abc'), quote(x'00ff'), substr('hello', -3, 2), replace('aXbX', 'X', '--'), instr('hello', 'l'), trim('  t '), upper('u'),
	abs(-4), coalesce(NULL, 7), nullif(1, 1), typeof(1.0), unicode('A'), char(66, 67), cast('12abc' AS INTEGER), 7 / 2, 7 % 3, 1 << 4;
SELECT name FROM person WHERE EXISTS (SELECT 1 FROM work WHERE person = id AND hours > 5) OR (name, boss) IN (VALUES ('Ben', 1));
EXPLAIN QUERY PLAN SELECT * FROM person WHERE pay > 20 AND name > 'B' OR id = 3;
SAVEPOINT one;
DELETE FROM work WHERE project = 'all';
ROLLBACK TO one;
RELEASE one;
ALTER TABLE person ADD COLUMN note TEXT DEFAULT 'none';
ALTER TABLE person RENAME COLUMN note TO remark;
DROP VIEW busy;
PRAGMA integrity_check;
PRAGMA table_info(person);
ANALYZE;
VACUUM;
