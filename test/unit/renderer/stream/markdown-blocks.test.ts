import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownSections } from '../../../../src-renderer/stream/markdown-sections.ts';
import { createBlockCutter, cutBlocks, type Block } from '../../../../src-renderer/stream/markdown-blocks.ts';

function cut(text: string): string[] {
  return cutBlocks(text, 0, '').map((block) => block.text);
}

describe('markdown blocks', () => {
  it('are split at blank lines', () => {
    expect(cut('# Cause\n\nOne\ntwo\n\nThree')).toEqual(['# Cause\n\n', 'One\ntwo\n\n', 'Three']);
  });

  it('keep a fenced block whole, including blank lines, and end right after it', () => {
    expect(cut('```js\na\n\nb\n```\nafter\n\nlast')).toEqual(['```js\na\n\nb\n```\n', 'after\n\n', 'last']);
  });

  it('keep a loose list together with its indented content', () => {
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
      '$$',
      '\\[ x',
      'y \\]',
      '|---|---|',
      'many words '.repeat(300),
      'x'.repeat(3_100),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 30 }),
        (lines, sizes) => {
          const text = lines.join('\n');
          const cutter = createBlockCutter();
          const blocks: Block[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            blocks.push(...cutter.append(text.slice(at, at + size)));
            at += size;
          }
          if (cutter.open !== null && cutter.open.text !== '') blocks.push(cutter.open);
          expect(blocks.map((block) => block.text).join('')).toBe(text);
          expect(blocks).toEqual(cutBlocks(text, 0, ''));
          for (const block of blocks) {
            expect(text.slice(block.start, block.start + block.text.length)).toBe(block.text);
            expect(block.text.length).toBeLessThanOrEqual(9_000);
          }
          // A section is cut again from its own text, and comes to the same blocks.
          const sections = createMarkdownSections({ segments: [text], slice: (from, to) => text.slice(from, to) });
          while (!sections.take(1_000));
          const again = Array.from({ length: sections.count }, (_, at) => sections.blocksOf(at)).flat();
          expect(again).toEqual(blocks);
        },
      ),
    );
  });

  it('are not cut inside math over several lines', () => {
    expect(cut('$$\na\n\nb\n$$\n\nText\n')).toEqual(['$$\na\n\nb\n$$\n\n', 'Text\n']);
    expect(cut('so \\[\na\n\nb\n\\]\n\nText\n')).toEqual(['so \\[\na\n\nb\n\\]\n\n', 'Text\n']);
    // Unclosed math is not math forever.
    expect(cut(`$$\n\n${'words and more\n\n'.repeat(600)}`).length).toBeGreaterThan(1);
  });

  it('continue their fence or the head of their table if they are cut inside it', () => {
    const code = cutBlocks(`\`\`\`js\n${'let a = 1;\n'.repeat(1_500)}\`\`\`\nText`, 0, '');
    expect(code.length).toBeGreaterThan(2);
    expect(code.slice(1, -1).every(({ opens, text }) => opens === '```js\n' && text.startsWith('let a'))).toBe(true);
    expect(code.at(-1)).toMatchObject({ opens: '', text: 'Text' });
    const table = cutBlocks(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(1_500)}`, 0, '');
    expect(table.length).toBeGreaterThan(1);
    expect(table.slice(1).every(({ opens }) => opens === '| a | b |\n|---|---|\n')).toBe(true);
  });

  it('come in sections of about a screen, however long the text', () => {
    const text = 'A paragraph of some words.\n\n'.repeat(4_000);
    const sections = createMarkdownSections({ segments: [text], slice: (from, to) => text.slice(from, to) });
    expect(sections.take(1_000)).toBe(false);
    while (!sections.take(10_000));
    expect(sections.length).toBe(text.length);
    const place = 60_000;
    const section = sections.sectionAt(place);
    expect(sections.startOf(section)).toBeLessThanOrEqual(place);
    expect(sections.startOf(section + 1)).toBeGreaterThan(place);
    expect(sections.startOf(section + 1) - sections.startOf(section)).toBeLessThan(5_000);
  });
});

// A search that begins again at each sign would take minutes for this.
it('a line of a million cells is cut in no time', () => {
  const text = 'a|'.repeat(1_000_000);
  expect(cut(text).join('')).toBe(text);
});
