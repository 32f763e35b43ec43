import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownBlock } from '../../../../src-renderer/stream/markdown-block.tsx';

test('each block has the direction of its own text', () => {
  const source = '# שלום.\n\nمرحبا بالعالم.\n\n- one\n\n> quoted';
  const shown = renderToStaticMarkup(createElement(MarkdownBlock, { source, fresh: 0, hasCaret: false }));
  for (const block of ['<h1 dir="auto">', '<p dir="auto">مرحبا', '<ul dir="auto">', '<blockquote dir="auto">'])
    expect(shown).toContain(block);
});

test('a list has room for the digits of its last number', () => {
  const source = '998. one\n999. two\n1000. three';
  const shown = renderToStaticMarkup(createElement(MarkdownBlock, { source, fresh: 0, hasCaret: false }));
  expect(shown).toContain('data-digits="4"');
  expect(shown).toContain('start="998"');
});
