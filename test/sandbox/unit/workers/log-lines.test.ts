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

  it('ends a line that began in another job', () => {
    const { lines, log } = open();
    log.add({ stream: 'stdout', text: 'of a', jobId: 'a' });
    log.add({ stream: 'stdout', text: 'of b\n', jobId: 'b' });
    expect(lines.map(({ jobId, line }) => [jobId, line])).toEqual([
      ['a', 'of a'],
      ['b', 'of b'],
    ]);
  });

  it('shows an overwritten line as a terminal would leave it', () => {
    const { texts, log } = open();
    log.add({ stream: 'stderr', text: '10%\r50%\r100%\nbusy\r', jobId: 'j' });
    log.flush();
    expect(texts()).toEqual(['100%', 'busy']);
  });

  it('emits an endless line in pieces', () => {
    const { lines, texts, log } = open();
    for (let n = 0; n < 100; n += 1) log.add({ stream: 'stdout', text: 'x'.repeat(10_000), jobId: 'j' });
    expect(lines.length).toBeGreaterThan(10);
    log.flush();
    expect(texts().join('')).toBe('x'.repeat(1_000_000));
  });
});
