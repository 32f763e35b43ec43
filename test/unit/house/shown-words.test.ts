import { describe, expect, it } from 'vitest';
import { shownWordsIn } from '../../run/house/shown-words.ts';

const found = (source: string): string[] => shownWordsIn('a.tsx', source).map(({ text }) => text);

describe('texts that a user of the windows may read', () => {
  it('are found between tags, in attributes, strings and templates, with their lines', () => {
    const source = [
      'const a = <p>no output</p>;',
      'const b = <Button label="Retry" title={x ? `Cancel ${n} jobs` : "Not now"} />;',
      "const c = { hint: 'waits for a worker', list: ['Today'] };",
    ].join('\n');
    expect(shownWordsIn('a.tsx', source)).toEqual([
      { line: 1, text: 'no output' },
      { line: 2, text: 'Retry' },
      { line: 2, text: 'Cancel … jobs' },
      { line: 2, text: 'Not now' },
      { line: 3, text: 'waits for a worker' },
      { line: 3, text: 'Today' },
    ]);
  });

  it('are not names, keys, classes, styles, selectors, compared values and errors for developers', () => {
    expect(
      found(
        [
          "import { x } from './A file.ts';",
          'const a = <i className="one Two" d="M1 2 L3 4" key="Row one" />;',
          "const b = event.key === 'Enter' || event.key.startsWith('Arrow') || x === 'Not this';",
          "const c = { 'Not this': 'minmax(0, 1fr)', keys: ['Escape', 'in-queue'] };",
          "element.closest('input, textarea, select');",
          "throw new Error('This cannot happen');",
          "type T = 'Not this' | `Nor ${string}`;",
          "switch (x) { case 'Not this': }",
        ].join('\n'),
      ),
    ).toEqual([]);
  });

  it('are not lines of the log, texts of errors, SQL, names, replies to pages and their policy', () => {
    expect(
      found(
        [
          "log.warn('The file cannot be read', { why: 'It is gone' });",
          "this.#parts.log.info('Nothing was sent');",
          "return { ...same(state), log: 'A reply came late' };",
          "reject(new HistoryError('The history was closed'));",
          "class Gone extends Error { constructor() { super('It is gone'); } }",
          "db.prepare('INSERT INTO jobs (key, title) VALUES (?, ?)');",
          "const c = { agent: 'Jobdeck', authorization: `Bearer ${key}`, mark: 'Traceback (most recent call last):' };",
          "const d = new Response('Not found', { status: 404 });",
          "const e = [\"img-src 'self' data: blob:\", 'trusted-types json-filter-thread'];",
        ].join('\n'),
      ),
    ).toEqual([]);
  });

  it('are sentences even beside signs of code, and failures of main', () => {
    expect(
      found(
        [
          "failed({ kind: 'refused', message: `Could not write ${path}; no part of it was saved.` });",
          "notices.error('Nothing was sent');",
          "const css = 'main { margin: 0 auto auto auto; }';",
        ].join('\n'),
      ),
    ).toEqual(['Could not write …; no part of it was saved.', 'Nothing was sent']);
  });
});
