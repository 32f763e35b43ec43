import { describe, expect, it } from 'vitest';
import { addTokens, noTokens, pieceOfChunk, textOfOutput, totalTokens } from '../../../src-preload/stream-text.ts';

describe('text of an output', () => {
  it.each([
    ['a string', 'Hello World', 'Hello World'],
    [
      'the array of strings of the specification',
      { input_tokens: 0, output_tokens: 1, text: [' How', ' are'] },
      ' How are',
    ],
    ['a token', { token: ' you' }, ' you'],
    ['a token object', { token: { id: 7, text: ' you' } }, ' you'],
    ['content', { content: 'x' }, 'x'],
    ['a delta with content', { delta: { content: 'y' } }, 'y'],
    ['an OpenAI-like choice', { choices: [{ index: 0, delta: { content: 'z' } }] }, 'z'],
    ['a vLLM choice', { choices: [{ tokens: ['a', 'b'] }], usage: { input: 3, output: 2 } }, 'ab'],
    ['an aggregated stream', [{ text: ['a'] }, { text: ['b', 'c'] }], 'abc'],
    ['the first field that holds text', { text: null, content: 'q' }, 'q'],
  ])('is found in %s', (_name, output, text) => {
    expect(textOfOutput(output)).toBe(text);
  });

  it.each([
    ['a number', 7],
    ['null', null],
    ['an empty array', []],
    ['a mixed array', ['a', 1]],
    ['structure', { index: 2, word: 'a' }],
    ['text hidden too deep', { delta: { content: [{ text: { content: { text: 'x' } } }] } }],
  ])('is absent from %s', (_name, output) => {
    expect(textOfOutput(output)).toBeNull();
  });
});

describe('a chunk', () => {
  it('without text is shown as its JSON on a line of its own', () => {
    expect(pieceOfChunk('{"index":2,"word":"a"}')).toMatchObject({ text: '{"index":2,"word":"a"}\n', isText: false });
  });
  it('that is not JSON is shown unchanged', () => {
    expect(pieceOfChunk('half {"a')).toMatchObject({ text: 'half {"a', isText: true });
  });
  it('with only counters adds nothing to the text', () => {
    expect(pieceOfChunk('{"input_tokens":12,"output_tokens":48}')).toEqual({
      text: '',
      isText: true,
      inputTokens: 12,
      outputTokens: 48,
    });
  });
  it('contains the token counts of its usage', () => {
    expect(pieceOfChunk('{"choices":[{"tokens":["a"]}],"usage":{"input":3,"output":2}}')).toMatchObject({
      inputTokens: 3,
      outputTokens: 2,
    });
  });
});

describe('token counts', () => {
  const total = (...reported: (number | null)[]): number | null => totalTokens(reported.reduce(addTokens, noTokens));
  it('are summed when reported per chunk', () => expect(total(1, 1, 2, 1)).toBe(5));
  it('are the last one when reported so far', () => expect(total(1, 2, 5, 9)).toBe(9));
  it('are summed while there is too little evidence', () => expect(total(1, 2)).toBe(3));
  it('skip chunks that report nothing', () => expect(total(1, null, 1)).toBe(2));
  it('are unknown when no chunk reports', () => expect(total(null, null)).toBeNull());
});
