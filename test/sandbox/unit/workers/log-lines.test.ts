import { describe, expect, it } from 'vitest';
import { createLogLines } from '../../../../src-main/sandbox/workers/printed.ts';
import type { LogLine } from '../../../../src-main/sandbox/workers/printed.ts';

function open(): { lines: LogLine[]; texts(): string[]; log: ReturnType<typeof createLogLines> } {
  const lines: LogLine[] = [];
  return { lines, texts: () => lines.map(({ line }) => line), log: createLogLines((line) => lines.push(line)) };
}

describe('log lines', () => {
  it('makes lines of writes, however they are split', () => {
    const { lines, log } = open();
    for (const text of ['one\ntw', 'o', '\r\n', '\n', 'three']) log.add({ stream: 'stdout', text, jobId: 'j' });
    expect(lines).toEqual(['one', 'two', ''].map((line) => ({ jobId: 'j', stream: 'stdout', line })));
    log.flush();
    log.flush();
    expect(lines.slice(3)).toEqual([{ jobId: 'j', stream: 'stdout', line: 'three' }]);
  });

  it('keeps the two streams apart', () => {
    const { texts, log } = open();
    log.add({ stream: 'stdout', text: 'out ', jobId: null });
    log.add({ stream: 'stderr', text: 'err\n', jobId: null });
    log.add({ stream: 'stdout', text: 'put\n', jobId: null });
    expect(texts()).toEqual(['err', 'out put']);
  });

  it('keeps the lines of jobs apart, even if one is printed between two parts of another', () => {
    const { lines, log } = open();
    log.add({ stream: 'stdout', text: 'of a', jobId: 'a' });
    log.add({ stream: 'stdout', text: 'of b\n', jobId: 'b' });
    log.add({ stream: 'stdout', text: ', in two parts\n', jobId: 'a' });
    expect(lines.map(({ jobId, line }) => [jobId, line])).toEqual([
      ['b', 'of b'],
      ['a', 'of a, in two parts'],
    ]);
  });

  it('shows an overwritten line as a terminal would leave it', () => {
    const { texts, log } = open();
    log.add({ stream: 'stderr', text: '10%\r50%\r100%\nbusy\r', jobId: 'j' });
    log.flush();
    expect(texts()).toEqual(['100%', 'busy']);
  });

  it('keeps no more of a progress bar than is seen of it, and reports that at each step', () => {
    const lines: LogLine[] = [];
    const begun: string[] = [];
    const log = createLogLines(
      (line) => lines.push(line),
      ({ line }) => begun.push(line),
    );
    for (let step = 1; step <= 10_000; step += 1) log.add({ stream: 'stderr', text: `\r${step} of 10000`, jobId: 'j' });
    expect(begun.slice(0, 2)).toEqual(['1 of 10000', '2 of 10000']);
    expect(lines).toEqual([]);
    log.add({ stream: 'stderr', text: '\n', jobId: 'j' });
    expect(lines).toEqual([{ jobId: 'j', stream: 'stderr', line: '10000 of 10000' }]);
  });

  it('cuts a long line into pieces, and never within a character', () => {
    const { lines, texts, log } = open();
    log.add({ stream: 'stdout', text: `${'x'.repeat(65_535)}\u{1F600}${'y'.repeat(70_000)}\n`, jobId: 'j' });
    expect(lines.map(({ isContinued }) => isContinued === true)).toEqual([true, true, false]);
    expect(texts().every((text) => text.isWellFormed())).toBe(true);
    expect(texts().join('')).toBe(`${'x'.repeat(65_535)}\u{1F600}${'y'.repeat(70_000)}`);
  });

  it('emits an endless line in pieces', () => {
    const { lines, texts, log } = open();
    for (let n = 0; n < 100; n += 1) log.add({ stream: 'stdout', text: 'x'.repeat(10_000), jobId: 'j' });
    expect(lines.length).toBeGreaterThan(10);
    log.flush();
    expect(texts().join('')).toBe('x'.repeat(1_000_000));
  });
});
