import { describe, expect, it } from 'vitest';
import { isDrawn, peaksOf } from '../../../../src-renderer/job/sound-peaks.ts';
import { segmentAt, transcriptIn } from '../../../../src-renderer/job/transcript.ts';

describe('a transcript in an output', () => {
  const segments = [
    { startSeconds: 0, endSeconds: 2.5, text: 'Good morning.' },
    { startSeconds: 2.5, endSeconds: 61, text: 'Let us begin.' },
  ];
  it('is found in either usual form, wherever it stands', () => {
    const whisper = [
      { id: 0, start: 0, end: 2.5, text: ' Good morning.', tokens: [1] },
      { id: 1, start: 2.5, end: 61, text: ' Let us begin.' },
    ];
    expect(transcriptIn({ text: 'Good morning. Let us begin.', segments: whisper })).toEqual(segments);
    expect(transcriptIn(whisper)).toEqual(segments);
    expect(transcriptIn([{ result: { transcription: { segments: whisper } } }])).toEqual(segments);
    const chunks = whisper.map(({ start, end, text }) => ({ timestamp: [start, end], text }));
    expect(transcriptIn({ chunks })).toEqual(segments);
    expect(transcriptIn({ chunks: [{ timestamp: [3, null], text: 'and so on' }] })).toEqual([
      { startSeconds: 3, endSeconds: null, text: 'and so on' },
    ]);
  });
  it('is none where times or texts are missing', () => {
    for (const output of [
      'text',
      null,
      [],
      { segments: [] },
      { segments: [{ start: 0, end: 1 }] },
      { segments: [{ start: '0', end: '1', text: 'x' }] },
      { words: [{ text: 'x', start: 0, end: 1 }, { text: 'y' }] },
    ])
      expect(transcriptIn(output)).toBeNull();
  });
  it('is followed by time', () => {
    expect([-1, 0, 2.4, 2.5, 900].map((seconds) => segmentAt(segments, seconds))).toEqual([-1, 0, 0, 1, 1]);
  });
});

describe('the outline of a sound', () => {
  it('is the loudest of each stretch in any channel, beside the loudest of all', () => {
    const left = Float32Array.from([0, 0.1, -0.2, 0, 0.4, 0]);
    const right = Float32Array.from([0, 0, 0, 0, 0, -0.8]);
    expect(peaksOf([left, right], 3).map((peak) => Number(peak.toFixed(3)))).toEqual([0.125, 0.25, 1]);
  });
  it('is flat for silence, and for nothing', () => {
    expect(peaksOf([new Float32Array(10)], 4)).toEqual([0, 0, 0, 0]);
    expect(peaksOf([], 2)).toEqual([0, 0]);
  });
  it('is drawn of small sounds only', () => {
    expect(isDrawn({ kind: 'audio', extension: 'wav', bytes: 20_000_000 })).toBe(true);
    expect(isDrawn({ kind: 'audio', extension: 'mp3', bytes: 20_000_000 })).toBe(false);
    expect(isDrawn({ kind: 'video', extension: 'mp4', bytes: 10 })).toBe(false);
  });
});
