import { expect, test } from 'vitest';
import type { ExportedJob, ExportedStream } from '../../../../src-main/history/export/exported-job.ts';
import { formatWriters } from '../../../../src-main/history/export/formats.ts';
import type { ExportFormat } from '../../../../src-preload/export.ts';
import { aJob } from '../../../kit/a-job.ts';

const job = aJob({
  phase: 'finished',
  status: 'COMPLETED',
  createdAtMs: 0,
  executionTimeMs: 12.5,
  tags: ['a', 'b'],
  isStarred: true,
});
const exported: ExportedJob = {
  job,
  connection: 'Main',
  cost: 0.25,
  inputText: '{\n  "big": 12345678901234567890\n}',
  outputText: '"x"',
  stream: null,
  errorText: null,
  note: 'Keep this one.',
};

const exportLine = (format: ExportFormat, one: ExportedJob): string => [...formatWriters[format].parts(one)].join('');
const streamOf = (...pages: string[][]): ExportedStream => ({ chunkCount: pages.flat().length, pages: () => pages });

test('a JSON line keeps the digits of numbers and has no line break in it', () => {
  const line = exportLine('ndjson', exported);
  expect(line.match(/\n/g)).toHaveLength(1);
  expect(line).toContain('12345678901234567890');
  expect(JSON.parse(line)).toMatchObject({
    key: job.key,
    id: 'job-1',
    connection: 'Main',
    endpoint: 'echo',
    state: 'completed',
    status: 'COMPLETED',
    createdAt: '1970-01-01T00:00:00.000Z',
    executionTime: 12.5,
    cost: 0.25,
    starred: true,
    tags: ['a', 'b'],
    output: 'x',
    error: null,
  });
});

test('an output that is not JSON is a string of the line', () => {
  expect(JSON.parse(exportLine('ndjson', { ...exported, outputText: 'broken {' }))).toMatchObject({
    output: 'broken {',
  });
});

test('a job without an error from the service still has a reason', () => {
  const failed = aJob({ phase: 'gone', reason: { kind: 'gone', because: 'expired' } });
  expect(JSON.parse(exportLine('ndjson', { ...exported, job: failed })).error).toMatch(/./);
});

test('a dataset is what an evaluation reads: input, output and the user’s judgement', () => {
  const said = { ...exported, job: { ...job, mark: 4 as const, label: 'sharp, warm' } };
  expect(JSON.parse(exportLine('dataset', said))).toEqual({
    input: { big: expect.any(Number) },
    output: 'x',
    mark: 4,
    label: 'sharp, warm',
    note: 'Keep this one.',
    error: null,
    endpoint: 'echo',
    id: 'job-1',
  });
  expect(exportLine('dataset', said)).toContain('12345678901234567890');
  expect(exportLine('dataset', exported)).toContain('"mark":null,"label":null');
  expect(JSON.parse(exportLine('ndjson', said))).toMatchObject({
    mark: 4,
    label: 'sharp, warm',
    note: 'Keep this one.',
  });
});

test('a record has a cell for every name', () => {
  const cells = (text: string): number => text.trimEnd().split(',').length;
  const plain = { ...exported, inputText: '', outputText: '1', job: { ...job, tags: ['a'] } };
  expect(cells(exportLine('csv', plain))).toBe(cells(formatWriters.csv.head('Jobs', 0)));
  expect(formatWriters.ndjson.head('Jobs', 0)).toBe('');
  expect(formatWriters.dataset.head('Jobs', 0)).toBe('');
});

test('a streamed text is the joined text in a table, and its chunks in the other formats', () => {
  const streamed = { ...exported, outputText: null, stream: streamOf(['" "', '"=1"'], ['{"token": "\\"a,b\\""}']) };
  expect(exportLine('csv', streamed)).toContain(`,"' =1""a,b""",\r\n`);
  expect(JSON.parse(exportLine('ndjson', streamed))).toMatchObject({ output: [' ', '=1', { token: '"a,b"' }] });
  // Many workers return the pieces again as the output of the job.
  const returned = { ...exported, job: { ...job, chunkCount: 2 }, outputText: '["two ", "words"]' };
  expect(exportLine('csv', returned)).toContain(',two words,');
  expect(JSON.parse(exportLine('ndjson', returned))).toMatchObject({ output: ['two ', 'words'] });
  // Without a stream it is a list of the worker's own.
  expect(exportLine('csv', { ...returned, job })).toContain('[""two "", ""words""]');
});

test('a stream of more than text is an array in every format, in order, and a chunk that is not JSON is a string in it', () => {
  const streamed = { ...exported, outputText: null, stream: streamOf(['"a"', '{"b": 1.0}'], ['broken {\n', '"=1"']) };
  const output = ['a', { b: 1 }, 'broken {\n', '=1'];
  expect(JSON.parse(exportLine('ndjson', streamed))).toMatchObject({ output, error: null });
  expect(JSON.parse(exportLine('dataset', streamed))).toMatchObject({ output, id: 'job-1' });
  expect(exportLine('ndjson', streamed)).toContain('{"b": 1.0}');
  expect(exportLine('csv', streamed)).toContain(
    String.raw`,"[""a"",{""b"": 1.0},""broken {\n"",""=1""]",`.concat('\r\n'),
  );
  expect(exportLine('report', streamed)).toContain('broken {');
  expect(JSON.parse(exportLine('ndjson', { ...streamed, stream: streamOf() }))).toMatchObject({ output: [] });
});

test('a stream is read page by page while it is written, never as a whole', () => {
  let isOpen = false;
  const stream: ExportedStream = {
    chunkCount: 3,
    *pages() {
      // A table reads it twice: first whether it is a text.
      isOpen = false;
      for (const output of ['1', '2', '3']) {
        expect(isOpen).toBe(false);
        isOpen = true;
        yield [output];
      }
    },
  };
  for (const format of ['ndjson', 'dataset', 'csv'] as const) {
    isOpen = false;
    const parts: string[] = [];
    for (const part of formatWriters[format].parts({ ...exported, outputText: null, stream })) {
      isOpen = false;
      parts.push(part);
    }
    expect(parts.join('')).toContain('[1,2,3]');
  }
});
