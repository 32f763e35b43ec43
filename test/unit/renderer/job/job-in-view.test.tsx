import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { JobInView } from '../../../../src-renderer/job/job-pane.tsx';

test('a job that could not be read says why, and offers to try again, in its own window as in the pane', () => {
  for (const layout of ['window', 'pane'] as const) {
    const shown = renderToStaticMarkup(
      createElement(JobInView, {
        jobKey: 'k1',
        layout,
        menuOf: () => [],
        state: {
          detail: null,
          problem: { kind: 'storage', message: 'The disk is full.' },
          isPauseOver: false,
          isSlow: false,
          reload: () => {},
        },
      }),
    );
    expect(shown).toContain('The disk is full.');
    expect(shown).toContain('Try again');
  }
});
