import { expect, test } from 'vitest';
import type { ShownImage } from '../../../../../src-renderer/job/media/image-store.ts';
import { outputCaption } from '../../../../../src-renderer/job/output/output-caption.ts';

const gallery = { count: 0, at: 0, shown: () => undefined };
const streaming = { kept: null, read: null, gallery, chunkCount: 93 };

test.each(['text', 'chunks', 'raw'] as const)('the %s of a stream counts the saved chunks', (view) => {
  const log = { chunkCount: 80, hasText: true, outputTokens: null };
  expect(outputCaption(view, log, streaming)).toEqual(['93 chunks']);
});

test('tokens are shown beside the saved chunks', () => {
  const log = { chunkCount: 80, hasText: true, outputTokens: 1_200 };
  expect(outputCaption('text', log, streaming)).toEqual(['1,200 tokens', ' in 93 chunks']);
});

test('a stream whose job is not counted yet is counted by its received chunks', () => {
  const log = { chunkCount: 4, hasText: true, outputTokens: null };
  expect(outputCaption('chunks', log, { ...streaming, chunkCount: 0 })).toEqual(['4 chunks']);
});

test('an image among many is counted while it is read, and described afterwards', () => {
  const log = { chunkCount: 1_200, hasText: false, outputTokens: null };
  const preview = { count: 1_200, at: 1_199 };
  const image = { path: 'image', filename: null, format: 'png', width: 64, height: 32, bytes: 900, facts: [] } as const;
  const caption = (shown: ShownImage | undefined): string[] =>
    outputCaption('images', log, { ...streaming, gallery: { ...preview, shown: () => shown } });
  expect(caption(undefined)).toEqual(['1,200 of 1,200']);
  expect(caption({ image: { ...image, facts: [] }, url: 'blob:a' })).toEqual([
    '1,200 of 1,200',
    ', 64 × 32',
    ', png',
    ', 900 B',
  ]);
});
