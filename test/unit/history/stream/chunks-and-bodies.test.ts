import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody, writeBody } from '../../../../src-main/history/jobs/bodies.ts';
import { appendChunks, findInChunks, readChunks } from '../../../../src-main/history/stream/chunks.ts';
import { commit, requireJob } from '../../../../src-main/history/jobs/jobs.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

const jobIn = (db: ReturnType<typeof aDatabase>): number => {
  commit(db, [aNewJob({})]);
  return requireJob(db, 'key-1').id;
};
const anyText = fc.string({ unit: 'binary', maxLength: 3_000 });

describe('chunks', () => {
  it('are returned exactly as received, in any batches and from any position', () => {
    const db = aDatabase();
    const job = jobIn(db);
    let attempt = 0;
    const chunk = fc.record({
      outputJson: fc.oneof(anyText, fc.constant('\ud800 lone')),
      metricsJson: fc.option(anyText),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(chunk, { maxLength: 6 }), { maxLength: 6 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 30 }),
        (batches, from, limit) => {
          attempt += 1;
          const placed = batches.flatMap((batch, at) => appendChunks(db, { rowId: job, attempt }, batch, at));
          expect(placed).toEqual(
            batches
              .flatMap((batch, at) => batch.map((one) => ({ ...one, receivedAtMs: at })))
              .map((one, seq) => ({ seq, ...one })),
          );
          expect(readChunks(db, { rowId: job, attempt }, { limit: 10_000 })).toEqual(placed);
          expect(readChunks(db, { rowId: job, attempt }, { fromSeq: from, limit })).toEqual(
            placed.slice(from, from + limit),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are found by text in their output, case-insensitively, a page at a time', () => {
    const db = aDatabase();
    const job = jobIn(db);
    const many = Array.from({ length: 4_100 }, (_, at) => ({
      outputJson: JSON.stringify(at % 1_000 === 7 ? `the Heliograph (${at})` : `line ${at}`),
      metricsJson: '{"heliograph":1}',
    }));
    appendChunks(db, { rowId: job, attempt: 1 }, many, 7);
    expect(findInChunks(db, { rowId: job, attempt: 1 }, 0, 'heliograph (')).toEqual({
      seqs: [7, 1_007, 2_007, 3_007],
      nextSeq: 4_000,
      isLast: false,
    });
    expect(findInChunks(db, { rowId: job, attempt: 1 }, 4_000, 'heliograph')).toEqual({
      seqs: [4_007],
      nextSeq: 4_100,
      isLast: true,
    });
  });

  it('of one append may be a thousand, and one may be 1 MB', () => {
    const db = aDatabase();
    const job = jobIn(db);
    const many = Array.from({ length: 1_000 }, (_, at) => ({ outputJson: `"${at}"`, metricsJson: null }));
    const large = { outputJson: JSON.stringify('ä'.repeat(500_000)), metricsJson: '{}' };
    appendChunks(db, { rowId: job, attempt: 1 }, [...many, large, ...many], 7);
    const read = readChunks(db, { rowId: job, attempt: 1 }, { fromSeq: 995, limit: 10 });
    expect(read.map(({ seq }) => seq)).toEqual([995, 996, 997, 998, 999, 1000, 1001, 1002, 1003, 1004]);
    expect(read[5]).toEqual({ seq: 1_000, ...large, receivedAtMs: 7 });
    expect(read[6]?.outputJson).toBe('"0"');
  });
});

describe('bodies', () => {
  it('are returned exactly as received', () => {
    const db = aDatabase();
    const job = jobIn(db);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (text) => {
        writeBody(db, job, { part: 'output', attempt: 1 }, text);
        expect(readBody(db, job, { part: 'output', attempt: 1 })).toEqual({
          text,
          bytes: Buffer.byteLength(text),
          isCut: false,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('are cut between two characters, and say so', () => {
    const db = aDatabase();
    const job = jobIn(db);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(300), (text, maxBytes) => {
        writeBody(db, job, { part: 'reply', attempt: 1 }, text);
        const part = readBody(db, job, { part: 'reply', attempt: 1 }, maxBytes);
        const bytes = Buffer.byteLength(text);
        expect(part).toMatchObject({ bytes, isCut: bytes > maxBytes });
        expect(text.startsWith(part?.text ?? '?')).toBe(true);
        expect(Buffer.byteLength(part?.text ?? '')).toBeGreaterThan(Math.min(bytes, maxBytes) - 4);
      }),
      { numRuns: 60 },
    );
  });

  it('of several MB are saved compressed in pieces, and a preview reads only the first', () => {
    const db = aDatabase();
    const job = jobIn(db);
    const text = `\ufeff${'0123456789äöü🙂'.repeat(180_000)}`;
    writeBody(db, job, { part: 'output', attempt: 1 }, text);
    const stored = db
      .prepare(
        'SELECT count(*) AS pieces, sum(length(data)) AS bytes FROM body_pieces WHERE body = (SELECT id FROM bodies WHERE part = ?)',
      )
      .get('output');
    expect(stored?.['pieces']).toBe(4);
    expect(Number(stored?.['bytes'])).toBeLessThan(100_000);
    expect(readBody(db, job, { part: 'output', attempt: 1 })?.text === text).toBe(true);
    db.exec("DELETE FROM body_pieces WHERE number > 0 AND body = (SELECT id FROM bodies WHERE part = 'output')");
    expect(text.startsWith(readBody(db, job, { part: 'output', attempt: 1 }, 1_000_000)?.text ?? '?')).toBe(true);
  });
});
