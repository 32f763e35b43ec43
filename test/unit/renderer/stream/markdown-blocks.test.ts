import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlockCutter, createBlockReader } from '../../../../src-renderer/stream/markdown-blocks.ts';

function cut(text: string): string[] {
  const cutter = createBlockCutter();
  cutter.append(text);
  return cutter.blocks.map((block) => block.text);
}

describe('markdown blocks', () => {
  it('part at blank lines', () => {
    expect(cut('# Cause\n\nOne\ntwo\n\nThree')).toEqual(['# Cause\n\n', 'One\ntwo\n\n', 'Three']);
  });

  it('keep a fenced block whole, blank lines and all, and end right after it', () => {
    expect(cut('```js\na\n\nb\n```\nafter\n\nlast')).toEqual(['```js\na\n\nb\n```\n', 'after\n\n', 'last']);
  });

  it('keep a loose list together with what is indented under it', () => {
    expect(cut('1. a\n\n   more of a\n\n2. b\n\nText after\n')).toEqual([
      '1. a\n\n   more of a\n\n2. b\n\n',
      'Text after\n',
    ]);
  });

  it('close a list that never ends, at an item', () => {
    const list = Array.from({ length: 400 }, (_value, index) => `- item ${index} of a list without end\n`).join('');
    const blocks = cut(list);
    expect(blocks.length).toBeGreaterThan(1);
    expect(blocks.every((block) => block.startsWith('- '))).toBe(true);
  });

  it('are the same text in the same pieces however it arrives', () => {
    const line = fc.constantFrom(
      '',
      '',
      'text',
      '- item',
      '1. one',
      '   under',
      '```',
      '# head',
      '| a | b |',
      '~~~',
      '    code',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
        (lines, sizes) => {
          const text = lines.join('\n');
          const cutter = createBlockCutter();
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            cutter.append(text.slice(at, at + size));
            at += size;
          }
          expect(cutter.blocks.map((block) => block.text).join('')).toBe(text);
          expect(cutter.blocks.map((block) => block.text)).toEqual(cut(text));
          for (const block of cutter.blocks)
            expect(text.slice(block.start, block.start + block.text.length)).toBe(block.text);
        },
      ),
    );
  });

  it('leave closed blocks untouched while more text comes', () => {
    const cutter = createBlockCutter();
    cutter.append('One\n\nTwo\n\nThr');
    const closed = cutter.blocks.slice(0, 2);
    cutter.append('ee and on\n\nFour');
    expect(cutter.blocks[0]).toBe(closed[0]);
    expect(cutter.blocks[1]).toBe(closed[1]);
    expect(cutter.blocks.map((block) => block.text)).toEqual(['One\n\n', 'Two\n\n', 'Three and on\n\n', 'Four']);
  });
});

describe('a burst of markdown', () => {
  const paragraph = `${'word '.repeat(300)}\n\n`;
  const parsed = (of: { blocks: readonly { isParsed: boolean }[] }): boolean[] =>
    of.blocks.map(({ isParsed }) => isParsed);

  it('is parsed over several frames, from the end where the reader looks there', () => {
    const segments = [paragraph.repeat(4)];
    const fromStart = createBlockReader({ segments });
    expect(parsed(fromStart.read(false))).toEqual([true, true, false, false]);
    const second = fromStart.read(false);
    expect([parsed(second), second.isAllParsed]).toEqual([[true, true, true, true], true]);
    expect(parsed(createBlockReader({ segments }).read(true))).toEqual([false, false, true, true]);
  });

  it('is taken up where it grew', () => {
    const segments = ['One\n\n'];
    const reader = createBlockReader({ segments });
    reader.read(true);
    segments.push('Two');
    expect(reader.read(true)).toEqual({
      blocks: [
        { start: 0, text: 'One\n\n', isParsed: true },
        { start: 5, text: 'Two', isParsed: true },
      ],
      isAllParsed: true,
    });
  });
});
