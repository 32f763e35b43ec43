import { expect, test } from 'vitest';
import type { ExportedJob } from '../../../../src-main/history/export/exported-job.ts';
import { tableFoot, tableHead, tableRow, type SavedTable } from '../../../../src-main/history/export/table.ts';
import type { TableColumn, TableFormat } from '../../../../src-preload/batch-table.ts';
import { aJob } from '../../../kit/a-job.ts';

const columns: TableColumn[] = [
  { kind: 'fact', fact: 'row' },
  { kind: 'fact', fact: 'status' },
  { kind: 'fact', fact: 'executionTime' },
  { kind: 'input', path: 'tone' },
  { kind: 'input', path: 'sampling.seed' },
  { kind: 'output', path: 'text' },
  { kind: 'output', path: '' },
  { kind: 'error' },
];

const done: ExportedJob = {
  job: aJob({ phase: 'finished', status: 'COMPLETED', executionTimeMs: 12.5, batchRow: 1 }),
  connection: 'Main',
  cost: null,
  inputText: '{"tone":"=1+1","sampling":{"seed":12345678901234567890}}',
  outputText: '{"text":"a \\"b\\",\\nc"}',
  stream: null,
  errorText: null,
  note: '',
};
const failed: ExportedJob = {
  ...done,
  job: aJob({ phase: 'finished', status: 'FAILED', batchRow: 2 }),
  inputText: '{"tone":"-5 degrees"}',
  outputText: null,
  errorText: 'CUDA out of memory',
};
const streamed: ExportedJob = {
  ...done,
  job: aJob({ phase: 'finished', status: 'COMPLETED', batchRow: 3, chunkCount: 2 }),
  inputText: '{}',
  outputText: null,
  stream: { chunkCount: 2, pages: () => [['{"text":"=Once"}'], ['{"text":" \\"upon\\""}']] },
};

function saved(format: TableFormat, jobs: readonly ExportedJob[]): string {
  const table: SavedTable = { columns, format };
  return [tableHead(table), ...jobs.flatMap((job, at) => [...tableRow(table, job, at === 0)]), tableFoot(table)].join(
    '',
  );
}

test('CSV has whole values, numbers with all digits, and nothing that a spreadsheet would run', () => {
  expect(saved('csv', [done, failed, streamed])).toBe(
    'row,status,executionTime,input.tone,input.sampling.seed,output.text,output,error\r\n' +
      '1,COMPLETED,12.5,\'=1+1,12345678901234567890,"a ""b"",\nc",,\r\n' +
      "2,FAILED,,'-5 degrees,,,,CUDA out of memory\r\n" +
      '3,COMPLETED,,,,,"\'=Once ""upon""",\r\n',
  );
});

test('CSV has no formula that begins after a page of blanks', () => {
  const pages = [['{"text":" "}'], ['{"text":"=HYPERLINK(1)"}'], ['{"text":" and more"}']];
  const late: ExportedJob = { ...streamed, stream: { chunkCount: 3, pages: () => pages } };
  expect(saved('csv', [late])).toContain('"\' =HYPERLINK(1) and more"');
});

test('NDJSON and JSON have the values as they came, and leave out what a row has not', () => {
  const lines = saved('ndjson', [done, failed, streamed]).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('"input.sampling.seed":12345678901234567890');
  const rows = lines.slice(0, 3).map((line): unknown => JSON.parse(line));
  expect(rows).toEqual([
    expect.objectContaining({ row: 1, status: 'COMPLETED', 'input.tone': '=1+1', 'output.text': 'a "b",\nc' }),
    { row: 2, status: 'FAILED', executionTime: null, 'input.tone': '-5 degrees', error: 'CUDA out of memory' },
    { row: 3, status: 'COMPLETED', executionTime: null, output: '=Once "upon"' },
  ]);
  expect(JSON.parse(saved('json', [done, failed, streamed]))).toEqual(rows);
  expect(JSON.parse(saved('json', []))).toEqual([]);
});
