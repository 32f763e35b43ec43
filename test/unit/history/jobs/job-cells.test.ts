import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { commit, requireJob } from '../../../../src-main/history/jobs/jobs.ts';
import { readJobCells, readJobImage, shownValues } from '../../../../src-main/history/jobs/job-cells.ts';
import { appendChunks } from '../../../../src-main/history/stream/chunks.ts';
import { encodePng } from '../../../../src-main/sandbox/workers/handlers/image.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { aDatabase, aNewJob } from '../a-database.ts';

interface Row {
  input?: string;
  output?: string;
  error?: string;
  job?: Partial<Job>;
}

function addJob(db: DatabaseSync, key: string, { input = '{}', output, error, job }: Row): void {
  commit(db, [
    {
      ...aNewJob({ key, phase: 'finished', status: 'COMPLETED', ...job }, input),
      bodies: [
        ...(output === undefined ? [] : [{ part: 'output' as const, attempt: 1, text: output }]),
        ...(error === undefined ? [] : [{ part: 'error' as const, attempt: 1, text: error }]),
      ],
    },
  ]);
}

const png = encodePng(40, 30, new Uint8Array(40 * 30 * 3)).toString('base64');

test('a job has the values of its input and output, and its error', () => {
  const db = aDatabase();
  addJob(db, 'a', {
    input: '{"tone":"warm","sampling":{"seed":7}}',
    output: '{"text":"Hello","usage":{"tokens":12},"flags":["x","y"],"ok":true,"none":null}',
  });
  addJob(db, 'b', { input: '{"tone":"formal"}', error: '"CUDA out of memory"', job: { status: 'FAILED' } });
  const { cells, passed } = readJobCells(db, ['b', 'gone', 'a']);
  expect(passed).toBe(3);
  expect(cells).toEqual([
    {
      key: 'b',
      input: [{ path: 'tone', kind: 'string', text: 'formal', isCut: false }],
      output: [],
      error: 'CUDA out of memory',
      hasImage: false,
      isOutputCut: false,
    },
    {
      key: 'a',
      input: [
        { path: 'tone', kind: 'string', text: 'warm', isCut: false },
        { path: 'sampling.seed', kind: 'number', text: '7', isCut: false },
      ],
      output: [
        { path: 'text', kind: 'string', text: 'Hello', isCut: false },
        { path: 'usage.tokens', kind: 'number', text: '12', isCut: false },
        { path: 'flags', kind: 'array', text: '["x","y"]', isCut: false },
        { path: 'ok', kind: 'word', text: 'true', isCut: false },
        { path: 'none', kind: 'word', text: 'null', isCut: false },
      ],
      error: null,
      hasImage: false,
      isOutputCut: false,
    },
  ]);
});

test('however large the bodies are, the cells are small, and a page ends early', () => {
  const db = aDatabase();
  const fields = Array.from({ length: 300 }, (_, at) => [`key ${at}`, 'x'.repeat(9_000)]);
  const long = JSON.stringify(Object.fromEntries(fields));
  for (const key of ['a', 'b', 'c', 'd', 'e']) addJob(db, key, { output: long, input: long });
  const first = readJobCells(db, ['a', 'b', 'c', 'd', 'e']);
  expect(first.passed).toBeLessThan(5);
  expect(first.cells).toHaveLength(first.passed);
  expect(first.cells[0]?.isOutputCut).toBe(true);
  expect(JSON.stringify(first.cells[0]).length).toBeLessThan(30_000);
  expect(readJobCells(db, ['a']).passed).toBe(1);
});

test('a text that is cut ends at a whole character, whatever escapes it has', () => {
  for (let shift = 0; shift < 12; shift += 1) {
    const text = `${'x'.repeat(shift)}${'\\"é\u2028\u0001'.repeat(600)}`;
    const [value] = shownValues(JSON.stringify({ text }));
    expect(value?.isCut).toBe(true);
    expect(text.startsWith(value?.text ?? 'none')).toBe(true);
  }
});

test('the text of a stream without another output is its output, once nothing more comes', () => {
  const db = aDatabase();
  addJob(db, 'a', { job: { phase: 'active', status: 'IN_PROGRESS' } });
  const chunk = (text: string) => ({ outputJson: JSON.stringify({ text }), metricsJson: null });
  appendChunks(db, { rowId: requireJob(db, 'a').id, attempt: 1 }, [chunk('Once '), chunk('upon a time')], 1);
  commit(db, [aNewJob({ key: 'a', phase: 'active', status: 'IN_PROGRESS' })]);
  expect(readJobCells(db, ['a']).cells[0]?.output).toEqual([]);
  commit(db, [aNewJob({ key: 'a', phase: 'finished', status: 'COMPLETED', chunkCount: 2 })]);
  expect(readJobCells(db, ['a']).cells[0]?.output).toEqual([
    { path: '', kind: 'string', text: 'Once upon a time', isCut: false },
  ]);
});

test('an image is named by its bytes, and the first one of an output can be read', () => {
  const db = aDatabase();
  addJob(db, 'a', { output: JSON.stringify({ images: [png, `data:image/png;base64,${png}`], seed: 3 }) });
  addJob(db, 'b', { output: JSON.stringify({ image: `data:image/png;base64,${png}` }) });
  addJob(db, 'c', { output: '{"url":"https://example.org/a.png"}' });
  const { cells } = readJobCells(db, ['a', 'b', 'c']);
  expect(cells.map(({ hasImage }) => hasImage)).toEqual([true, true, true]);
  expect(cells[1]?.output).toMatchObject([
    { path: 'image', kind: 'image', text: expect.stringContaining('PNG, 40 × 30') },
  ]);
  expect(readJobImage(db, 'a')).toEqual({ base64: png, format: 'png', width: 40, height: 30, count: 2 });
  expect(readJobImage(db, 'c')).toBeNull();
  expect(readJobImage(db, 'gone')).toBeNull();
});
