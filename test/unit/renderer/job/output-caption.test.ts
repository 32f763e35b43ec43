import { expect, test } from 'vitest';
import { outputCaption } from '../../../../src-renderer/job/output-caption.ts';

const streaming = { kept: null, read: null, imageAt: 0, chunkCount: 93 };

test.each(['text', 'chunks', 'raw'] as const)('the %s of a stream counts the chunks that are saved', (view) => {
  const log = { chunkCount: 80, hasText: true, outputTokens: null };
  expect(outputCaption(view, log, streaming)).toEqual({ text: '93 chunks', more: '' });
});

test('tokens stand beside the chunks that are saved', () => {
  const log = { chunkCount: 80, hasText: true, outputTokens: 1_200 };
  expect(outputCaption('text', log, streaming)).toEqual({ text: '1,200 tokens', more: 'in 93 chunks' });
});

test('a stream whose job is not counted yet is counted by what came', () => {
  const log = { chunkCount: 4, hasText: true, outputTokens: null };
  expect(outputCaption('chunks', log, { ...streaming, chunkCount: 0 })).toEqual({ text: '4 chunks', more: '' });
});
