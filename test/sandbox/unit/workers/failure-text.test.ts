import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportThrown, codeFrame, failureLines } from '../../../../src-main/sandbox/workers/error-report.ts';
import { readStack } from '../../../../src-main/sandbox/workers/stack-text.ts';

const OWN = 'file:///app/sandbox/workers/';

/** An error with the given stack. */
function errorWith(message: string, stack: string[], cause?: unknown): Error {
  const error = cause === undefined ? new TypeError(message) : new TypeError(message, { cause });
  error.stack = stack.join('\n');
  return error;
}

describe('codeFrame', () => {
  const source = ['one', 'two', '\tthree();', 'four', 'five', 'six', ''].join('\n');

  it('shows the line with two around it, marked, and a caret at the column', () => {
    expect(codeFrame(source, { line: 3, column: 4 })).toEqual([
      '  1 | one',
      '  2 | two',
      '> 3 | \tthree();',
      '    | \t  ^',
      '  4 | four',
      '  5 | five',
    ]);
  });

  it('ends where the file ends, and shows nothing for a missing line', () => {
    expect(codeFrame(source, { line: 1, column: 1 })).toEqual([
      '> 1 | one',
      '    | ^',
      '  2 | two',
      '  3 | \tthree();',
    ]);
    expect(codeFrame(source, { line: 6, column: 1 })).toEqual(['  4 | four', '  5 | five', '> 6 | six', '    | ^']);
    expect(codeFrame(source, { line: 8, column: 1 })).toEqual([]);
  });

  it('shows the end of the file if something is missing there', () => {
    expect(codeFrame('a {\n', { line: 2, column: 1 })).toEqual(['  1 | a {', '> 2 |', '    | ^']);
  });

  it('lines the numbers up', () => {
    const long = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\r\n');
    expect(codeFrame(long, { line: 9, column: 6 })).toEqual([
      '   7 | line 7',
      '   8 | line 8',
      '>  9 | line 9',
      '     |      ^',
      '  10 | line 10',
      '  11 | line 11',
    ]);
  });

  it('of a line too long to read shows the part around the column', () => {
    const minified = `${'a'.repeat(5_000)}!${'b'.repeat(5_000)}`;
    const [line = '', caret = ''] = codeFrame(minified, { line: 1, column: 5_001 });
    expect(line.length).toBeLessThan(140);
    expect(line[caret.indexOf('^')]).toBe('!');
  });
});

describe('readStack', () => {
  it('skips the frames of the sandbox and of node, and returns paths for URLs', () => {
    const error = errorWith('no', [
      'TypeError: no',
      '    at JSON.parse (<anonymous>)',
      '    at tidy (file:///home/me/a%20b/tidy.mjs:3:28)',
      '    at /home/me/plain.cjs:4:5',
      '    at async handler (file:///home/me/handler.mjs:8:9)',
      '    at startJobRun (file:///app/sandbox/workers/job-run.ts:10:2)',
      '    at exit (/app/sandbox/workers/handlers/load.ts:1:2)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
      '    at node:events:1:2',
    ]);
    expect(readStack(error, OWN)).toEqual({
      title: 'TypeError: no',
      frames: [
        '    at JSON.parse (<anonymous>)',
        '    at tidy (/home/me/a b/tidy.mjs:3:28)',
        '    at /home/me/plain.cjs:4:5',
        '    at async handler (/home/me/handler.mjs:8:9)',
      ],
      place: { path: '/home/me/a b/tidy.mjs', line: 3, column: 28 },
    });
  });

  it('points at the user’s line, not into a package', () => {
    const error = errorWith('no', [
      'TypeError: no',
      '    at parse (/home/me/node_modules/parser/index.js:900:1)',
      '    at handler (file:///home/me/handler.mjs:8:9)',
    ]);
    expect(readStack(error, OWN).place).toEqual({ path: '/home/me/handler.mjs', line: 8, column: 9 });
  });

  it('finds where the syntax is wrong', () => {
    const stack = [
      '/home/me/bad.cjs:3',
      '  return a +;',
      '            ^',
      '',
      "SyntaxError: Unexpected token ';'",
      '    at wrapSafe (node:internal/modules/cjs/loader:1861:18)',
    ];
    expect(readStack(errorWith("Unexpected token ';'", stack), OWN)).toEqual({
      title: "SyntaxError: Unexpected token ';'",
      frames: [],
      place: { path: '/home/me/bad.cjs', line: 3, column: 13 },
    });
  });

  it('uses the current message, even if it was changed after the error was created', () => {
    const error = errorWith('before', ['TypeError: before', '    at f (/a.js:1:2)']);
    error.message = 'after';
    expect(readStack(error, OWN)).toMatchObject({ title: 'TypeError: after', frames: ['    at f (/a.js:1:2)'] });
  });
});

describe('failureLines', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'failure-'));
    writeFileSync(join(folder, 'handler.mjs'), 'export function handler() {\n  return nothing.here;\n}\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('shows the stack with short paths, and the code', () => {
    const error = errorWith('nothing is not defined', [
      'TypeError: nothing is not defined',
      `    at handler (${pathToFileURL(folder).href}/handler.mjs:2:10)`,
    ]);
    expect(failureLines(error, { ownDirectory: OWN, fromDirectory: folder })).toEqual([
      'TypeError: nothing is not defined',
      '    at handler (handler.mjs:2:10)',
      '  1 | export function handler() {',
      '> 2 |   return nothing.here;',
      '    |          ^',
      '  3 | }',
    ]);
  });

  it('includes every error of an AggregateError', () => {
    const error = new AggregateError([errorWith('one', ['TypeError: one']), 'two'], 'All promises were rejected');
    error.stack = 'AggregateError: All promises were rejected';
    expect(failureLines(error, { ownDirectory: OWN, fromDirectory: folder })).toEqual([
      'AggregateError: All promises were rejected',
      'Caused by: TypeError: one',
      'Caused by: two',
    ]);
  });

  it('includes the causes, and ends if they are circular', () => {
    const error = errorWith('outer', ['TypeError: outer'], 'a text');
    expect(failureLines(error, { ownDirectory: OWN, fromDirectory: folder })).toEqual([
      'TypeError: outer',
      'Caused by: a text',
    ]);
    error.cause = error;
    expect(failureLines(error, { ownDirectory: OWN, fromDirectory: folder })).toEqual(['TypeError: outer']);
  });

  it('shows a thrown value that is not an error', () => {
    expect(failureLines({ code: 4 }, { ownDirectory: OWN, fromDirectory: folder })).toEqual(['Thrown: { code: 4 }']);
    expect(failureLines(undefined, { ownDirectory: OWN, fromDirectory: folder })).toEqual(['Thrown: undefined']);
  });
});

describe('reportThrown', () => {
  const reporter = { endpointId: 'e', workerId: 'w' };

  it('has the fields seen in the field, and the traceback of the error and its causes', () => {
    const inner = errorWith('inner', [
      'TypeError: inner',
      '    at deep (/home/me/deep.mjs:1:2)',
      `    at run (${OWN}job-run.ts:1:2)`,
    ]);
    const error = errorWith('outer', ['TypeError: outer', '    at handler (/home/me/handler.mjs:8:9)'], inner);
    expect(JSON.parse(reportThrown(error, reporter, OWN))).toEqual({
      error_type: 'TypeError',
      error_message: 'outer',
      error_traceback:
        'TypeError: outer\n    at handler (/home/me/handler.mjs:8:9)\nCaused by: TypeError: inner\n    at deep (/home/me/deep.mjs:1:2)',
      hostname: 'w-e',
      worker_id: 'w',
      runpod_version: 'sandbox',
    });
  });

  it.each([
    ['a text', 'string', 'a text'],
    [undefined, 'undefined', 'undefined'],
    [{ code: 4 }, 'object', '{ code: 4 }'],
    [Symbol('s'), 'symbol', 'Symbol(s)'],
    [Object.create(null), 'object', '[Object: null prototype] {}'],
  ])('handles any thrown value: %o', (thrown, type, message) => {
    expect(JSON.parse(reportThrown(thrown, reporter))).toMatchObject({ error_type: type, error_message: message });
  });
});
