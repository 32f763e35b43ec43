import { describe, expect, it } from 'vitest';
import { isDrawn, peaksOf } from '../../../../../src-renderer/job/media/sound-peaks.ts';
import { subRipOf, webVttOf } from '../../../../../src-renderer/job/transcript/subtitles.ts';
import { segmentAt, transcriptIn } from '../../../../../src-renderer/job/transcript/transcript.ts';

describe('a transcript in an output', () => {
  const segments = [
    { startSeconds: 0, endSeconds: 2.5, text: 'Good morning.' },
    { startSeconds: 2.5, endSeconds: 61, text: 'Let us begin.' },
  ];
  it('is found in either usual form, wherever it is', () => {
    const whisper = [
      { id: 0, start: 0, end: 2.5, text: ' Good morning.', tokens: [1] },
      { id: 1, start: 2.5, end: 61, text: ' Let us begin.' },
    ];
    expect(transcriptIn({ text: 'Good morning. Let us begin.', segments: whisper })).toMatchObject(segments);
    expect(transcriptIn(whisper)).toMatchObject(segments);
    expect(transcriptIn([{ result: { transcription: { segments: whisper } } }])).toMatchObject(segments);
    const chunks = whisper.map(({ start, end, text }) => ({ timestamp: [start, end], text }));
    expect(transcriptIn({ chunks })).toMatchObject(segments);
    expect(transcriptIn({ chunks: [{ timestamp: [3, null], text: 'and so on' }] })).toMatchObject([
      { startSeconds: 3, endSeconds: null, text: 'and so on' },
    ]);
  });
  it('is none if times or texts are missing', () => {
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
  it('has the speaker and the handler’s confidence for each text', () => {
    const read = transcriptIn({
      segments: [
        { start: 0, end: 1, text: ' Hi.', speaker: 'SPEAKER_00', avg_logprob: -0.1 },
        { start: 1, end: 2, text: ' Hm?', speaker: 1, avg_logprob: -1.2 },
        { start: 2, end: 3, text: ' Yes.', confidence: 0.25 },
        { start: 3, end: 4, text: ' No.', avg_logprob: 'low', speaker: ' ' },
      ],
    });
    expect(read?.map(({ speaker, confidence }) => [speaker, confidence?.toFixed(2)])).toEqual([
      ['SPEAKER_00', '0.90'],
      ['Speaker 1', '0.30'],
      [null, '0.25'],
      [null, undefined],
    ]);
  });
  it('marks the uncertain words, if the words make up the text', () => {
    const words = [
      { word: ' Good', start: 0, end: 0.4, probability: 0.98 },
      { word: ' mourning', start: 0.4, end: 0.9, probability: 0.31 },
      { word: ' all.', start: 0.9, end: 1.2, probability: 0.4 },
    ];
    const parts = (text: string, each: readonly unknown[]) =>
      transcriptIn([{ start: 0, end: 2, text, words: each }])?.[0]?.parts;
    const marked = [
      { text: 'Good ', isUnsure: false },
      { text: 'mourning all.', isUnsure: true },
    ];
    expect(parts(' Good mourning all.', words)).toEqual(marked);
    // WhisperX has no blanks before its words, and no times for some.
    const aligned = words.map(({ word, probability }) => ({ word: word.trim(), score: probability, speaker: 'A' }));
    expect(parts('Good mourning all.', aligned)).toEqual(marked);
    expect(transcriptIn([{ start: 0, end: 2, text: 'Good mourning all.', words: aligned }])?.[0]?.speaker).toBe('A');
    expect(parts('Good morning, all.', words)).toEqual([{ text: 'Good morning, all.', isUnsure: false }]);
    expect(parts('Good', [{ word: 'Good' }, 7])).toEqual([{ text: 'Good', isUnsure: false }]);
  });
  it('is made of words with times if there are no segments: by sentence, pause and speaker', () => {
    const word = (text: string, start: number, speaker = 0) => ({
      word: text.toLowerCase(),
      punctuated_word: text,
      start,
      end: start + 0.3,
      confidence: 0.9,
      speaker,
    });
    const words = [word('Hello.', 0), word('Are', 0.5), word('you', 0.8), word('there?', 1.1, 1), word('Yes', 4.5, 1)];
    expect(transcriptIn({ results: { channels: [{ alternatives: [{ words }] }] } })).toMatchObject([
      { startSeconds: 0, endSeconds: 0.3, text: 'Hello.', speaker: 'Speaker 0' },
      { startSeconds: 0.5, endSeconds: 1.1, text: 'Are you', speaker: 'Speaker 0' },
      { startSeconds: 1.1, text: 'there?', speaker: 'Speaker 1' },
      { startSeconds: 4.5, text: 'Yes', speaker: 'Speaker 1' },
    ]);
    // Segments come first, wherever they are.
    const segments = [{ start: 0, end: 5, text: 'Hello.' }];
    expect(transcriptIn({ words, result: { segments } })).toMatchObject([{ text: 'Hello.', endSeconds: 5 }]);
    // Names in a text have places in it, not times.
    expect(transcriptIn([{ word: 'Paris', entity: 'LOC', score: 0.99, start: 10, end: 15 }])).toBeNull();
  });
  it('is followed by time', () => {
    expect([-1, 0, 2.4, 2.5, 900].map((seconds) => segmentAt(segments, seconds))).toEqual([-1, 0, 0, 1, 1]);
  });
});

describe('subtitles', () => {
  const segments = transcriptIn({
    segments: [
      { start: 0, end: 2.5, text: 'Good morning.\n\nAll of you.', speaker: 'Ann' },
      { start: 3_661.0004, end: 3_660, text: 'a --> b & <i>c</i>' },
      { timestamp: [3_670, null], text: 'So' },
      { start: 3_672, end: 3_673, text: ' ' },
      { timestamp: [3_680, null], text: 'on' },
    ],
  });
  it('are SubRip', () => {
    expect(subRipOf(segments ?? [])).toBe(
      [
        '1\n00:00:00,000 --> 00:00:02,500\nAnn: Good morning.\nAll of you.\n',
        '2\n01:01:01,000 --> 01:01:01,000\na -> b & <i>c</i>\n',
        '3\n01:01:10,000 --> 01:01:12,000\nSo\n',
        '4\n01:01:20,000 --> 01:01:23,000\non\n',
      ].join('\n'),
    );
  });
  it('are WebVTT', () => {
    expect(webVttOf(segments ?? [])).toBe(
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:00:02.500\n<v Ann>Good morning.\nAll of you.\n',
        '01:01:01.000 --> 01:01:01.000\na --&gt; b &amp; &lt;i&gt;c&lt;/i&gt;\n',
        '01:01:10.000 --> 01:01:12.000\nSo\n',
        '01:01:20.000 --> 01:01:23.000\non\n',
      ].join('\n'),
    );
  });
});

describe('the outline of a sound', () => {
  it('is the loudest of each segment in any channel, relative to the loudest of all', () => {
    const left = Float32Array.from([0, 0.1, -0.2, 0, 0.4, 0]);
    const right = Float32Array.from([0, 0, 0, 0, 0, -0.8]);
    expect(peaksOf([left, right], 3).map((peak) => Number(peak.toFixed(3)))).toEqual([0.125, 0.25, 1]);
  });
  it('is flat for silence, and for no samples', () => {
    expect(peaksOf([new Float32Array(10)], 4)).toEqual([0, 0, 0, 0]);
    expect(peaksOf([], 2)).toEqual([0, 0]);
  });
  it('is drawn for small sounds only', () => {
    expect(isDrawn({ kind: 'audio', extension: 'wav', bytes: 20_000_000 })).toBe(true);
    expect(isDrawn({ kind: 'audio', extension: 'mp3', bytes: 20_000_000 })).toBe(false);
    expect(isDrawn({ kind: 'video', extension: 'mp4', bytes: 10 })).toBe(false);
  });
});

it('a segment with a megabyte of spaces is written as subtitles in one pass', () => {
  const gap = ' '.repeat(1_000_000);
  const cue = subRipOf([
    { startSeconds: 0, endSeconds: 1, speaker: null, text: `a${gap}b \r\n\n c`, confidence: null, parts: [] },
  ]);
  expect(cue).toBe(`1\n00:00:00,000 --> 00:00:01,000\na${gap}b\nc\n`);
});
