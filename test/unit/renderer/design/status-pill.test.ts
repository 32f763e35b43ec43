import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StatusPill } from '../../../../src-renderer/design/status-glyph.tsx';

test('a status that may have changed is drawn without its hue', () => {
  const pill = (isUncertain: boolean): string =>
    renderToStaticMarkup(createElement(StatusPill, { kind: 'run', word: 'In progress', isUncertain }));
  expect(pill(false)).toMatch(/pill-run/);
  expect(pill(true)).not.toMatch(/pill-run/);
  expect(pill(true)).toContain('In progress');
});
