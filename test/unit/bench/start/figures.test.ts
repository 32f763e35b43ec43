import { expect, it } from 'vitest';
import { startFigures, startOf } from '../../../bench/start/figures.ts';

const seen = { mainBegunMs: 1_000, windowShownMs: 1_300, firstAnswers: { 'job:list': 1_400 } };

it('uses main’s time for the window on Electron too', () => {
  expect(startOf('electron', seen)).toEqual({ kind: 'electron', windowMs: 300, listMs: 400 });
});

it('reports a missing event instead of a time', () => {
  expect(startOf('electron', { ...seen, windowShownMs: 0, firstAnswers: {} })).toMatchObject({
    windowMs: null,
    listMs: null,
  });
  const good = startOf('electron', seen);
  expect(startFigures('hangs', [good, { ...good, windowMs: null }, good])).toEqual({
    'measured on': 'electron',
    'keychain hangs: first line to window ms (p50 of 3)': 'not measured',
    'keychain hangs: first line to first list ms (p50 of 3)': 400,
  });
});

it('uses the median', () => {
  const starts = [700, 100, 300].map((windowMs) => ({ ...startOf('electron', seen), windowMs }));
  expect(startFigures('answers', starts)).toMatchObject({ 'first line to window ms (p50 of 3)': 300 });
});
