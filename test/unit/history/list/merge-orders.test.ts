import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { mergeOrders, cursorOf, type MergeCursor } from '../../../../src-main/history/list/merge-orders.ts';

/** Rows of one of a few blocks, with a value that is a text, or one that is a number. */
const rows = fc.array(
  fc.record({
    block: fc.integer({ min: 0, max: 4 }),
    text: fc.oneof(
      fc.constantFrom('apple', 'Apple', 'APPLE pie', 'birch', '', 'Zebra', '_'),
      fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\0')),
    ),
    figure: fc.integer({ min: -3, max: 9 }),
  }),
  { maxLength: 40 },
);

it('several orders become the one that SQLite gives for all rows together, as far as they are read', () => {
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom('text COLLATE NOCASE', 'text', 'figure'),
      fc.boolean(),
      fc.nat(45),
      (all, value, isDescending, wanted) => {
        const db = new DatabaseSync(':memory:');
        onTestFinished(() => {
          if (db.isOpen) db.close();
        });
        db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, block INTEGER, text TEXT, figure REAL)');
        for (const { block, text, figure } of all)
          db.prepare('INSERT INTO t (block, text, figure) VALUES (?, ?, ?)').run(block, text, figure);
        const direction = isDescending ? 'DESC' : 'ASC';
        const sql = (condition: string): string =>
          `SELECT id, ${value} AS value FROM t WHERE ${condition} ORDER BY ${value} ${direction}, id ${direction}`;
        const ofBlock = function* (block: number): Generator<MergeCursor> {
          for (const row of db.prepare(sql('block = ?')).iterate(block)) yield cursorOf(row);
        };
        const found: MergeCursor[] = [];
        for (const place of mergeOrders([0, 1, 2, 3, 4].map(ofBlock), {
          isDescending,
          isFolded: value.endsWith('NOCASE'),
        })) {
          if (found.length === wanted) break;
          found.push(place);
        }
        expect(found).toEqual(db.prepare(sql('true')).all().slice(0, wanted).map(cursorOf));
        // Nothing is still being read.
        db.exec('DROP TABLE t');
        db.close();
      },
    ),
    { numRuns: 200 },
  );
});
