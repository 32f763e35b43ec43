import { expect, test } from 'vitest';
import { WaysIn } from '../../../../src-main/desktop/lifecycle/ways-in.ts';

test('links wait until windows can open, and then are opened as they come', () => {
  const waysIn = new WaysIn();
  const done: string[] = [];
  waysIn.openMain();
  waysIn.openLink('jobdeck://one');
  waysIn.openLink('jobdeck://two');
  const waiting = waysIn.lead({ openMain: () => done.push('main'), openLink: (link) => done.push(link) });
  expect(waiting).toEqual(['jobdeck://one', 'jobdeck://two']);
  expect(done).toEqual([]);

  waysIn.openLink('jobdeck://three');
  waysIn.openMain();
  expect(done).toEqual(['jobdeck://three', 'main']);
  expect(waysIn.lead({ openMain: () => undefined, openLink: () => undefined })).toEqual([]);
});

test('while Jobdeck ends, every way in leads to the next start', () => {
  const waysIn = new WaysIn();
  const opened: string[] = [];
  waysIn.lead({ openMain: () => opened.push('main'), openLink: (link) => opened.push(link) });
  const starts: (string | undefined)[] = [];
  waysIn.leadToNextStart((link) => starts.push(link));
  waysIn.openMain();
  waysIn.openLink('jobdeck://one');
  expect(starts).toEqual([undefined, 'jobdeck://one']);
  expect(opened).toEqual([]);
});
