import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMath, mathSpans } from '../../../../src-renderer/stream/escape-math.ts';
import { MarkdownBlock } from '../../../../src-renderer/stream/markdown-block.tsx';

/** What a person reads of a block, its elements as tags without attributes. */
function shown(source: string): string {
  return renderToStaticMarkup(createElement(MarkdownBlock, { source, fresh: 0, hasCaret: false }))
    .replaceAll(/<\/?div[^>]*>/g, '')
    .replaceAll(/<(\w+)[^>]*>/g, '<$1>')
    .replaceAll('&amp;', '&');
}

function mathIn(text: string): string[] {
  return mathSpans(text).map(({ start, end }) => text.slice(start, end));
}

test.each([
  String.raw`\(x^2\)`,
  String.raw`\[ a_1 * b_1 * c \\ d \]`,
  '$a*b*$',
  String.raw`$$\sum_{i=1}^{n} i_{n}$$`,
  '$x_1 < y_1$',
  String.raw`\begin{align} a &= b \\ c &= d_1 * e_1 \end{align}`,
])('%s is shown as written', (math) => {
  expect(shown(`So ${math} holds **here**.`)).toBe(
    `<p>So ${math.replaceAll('<', '&lt;')} holds <strong>here</strong>.</p>`,
  );
});

test('math over several lines keeps text that looks like a list or a heading', () => {
  expect(shown('$$\n- a_1\n+ b_1\n# c\n$$')).toBe('<p>$$\n- a_1\n+ b_1\n# c\n$$</p>');
  expect(shown('\\[\nx \\\\\n= y\n\\]')).toBe('<p>\\[\nx \\\\\n= y\n\\]</p>');
});

test('money is not math', () => {
  for (const text of [
    'It costs $5 and *not* $6',
    'from $5-$6 *today*',
    '$ 5 *or* 6 $',
    'of $100 or more, *plus* US$ 3',
    String.raw`\$5 *and* 6$`,
  ])
    expect([text, mathIn(text)]).toEqual([text, []]);
});

test('code stays code', () => {
  expect(shown('`\\(x\\)` and ``$a`b$``')).toBe('<p><code>\\(x\\)</code> and <code>$a`b$</code></p>');
  expect(shown('```\n$a*b*$\n```\n')).toBe('<pre><code>$a*b*$\n</code></pre>');
  expect(shown('Text\n\n    $a*b*$\n    $c*d*$\n')).toBe('<p>Text</p>\n<pre><code>$a*b*$\n$c*d*$\n</code></pre>');
  expect(shown('- item\n\n  ```\n  $a*b*$\n  ```\n')).toContain('<code>$a*b*$\n</code>');
  // A list holds prose under its items however far it is indented.
  expect(shown('1. one\n\n   so $a*b*$\n')).toContain('so $a*b*$');
});

test('an escaped backslash opens nothing, and unclosed math is Markdown', () => {
  expect(mathIn(String.raw`\\(a\\)`)).toEqual([]);
  expect(shown(String.raw`\(a *b* c`)).toBe('<p>(a <em>b</em> c</p>');
  expect(mathIn('$a*b*')).toEqual([]);
});

test('a table cell contains math with a bar', () => {
  expect(shown('| a | b |\n|---|---|\n| $x_1*y_1*$ | 2 |\n')).toContain('<td>$x_1*y_1*$</td>');
});

test('a text without math is unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab *_`#\n-|.5') }), (text) => {
      expect(escapeMath(text)).toBe(text);
    }),
  );
});

test('spans are in order within any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a5 *`$\\()[]\n') }), (text) => {
      let end = 0;
      for (const span of mathSpans(text)) {
        expect(span.start).toBeGreaterThanOrEqual(end);
        expect(span.end).toBeGreaterThan(span.start);
        ({ end } = span);
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
  );
});

// A search that begins again at each sign would take minutes for these, and the window would stand still.
test.each(['`', '` ``', '\\[', '\\(', '$$', '$ a '])(
  'a megabyte of %j that nothing closes is read in one pass',
  (unit) => {
    const text = `${unit.repeat(Math.ceil(1_000_000 / unit.length))}\n\n$x_1$`;
    const [last] = mathSpans(text).slice(-1);
    expect(text.slice(last?.start, last?.end)).toMatch(/\$$/);
  },
);

test('backticks that nothing closes are text, all of them', () => {
  const spansIn = (text: string): string[] => mathSpans(text).map(({ start, end }) => text.slice(start, end));
  expect(spansIn('``\\[a_b\\] `c')).toEqual(['\\[a_b\\]']);
  expect(spansIn('``\\[a_b\\] ` c ``')).toEqual([]);
});
