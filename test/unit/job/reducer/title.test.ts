import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, titleFromInput as titleFromText } from '../../../../src-preload/job-title.ts';

const titleFromInput = (input: unknown, endpointId: string): string => titleFromText(JSON.stringify(input), endpointId);

describe('a title made from the input', () => {
  it('is the most telling field', () => {
    expect(titleFromInput({ steps: 4, prompt: 'A red\n  bicycle' }, 'image')).toBe('A red bicycle');
    expect(titleFromInput({ Prompt: 'Upper case', seed: 1 }, 'image')).toBe('Upper case');
    expect(titleFromInput({ url: 'https://example.test/a.wav' }, 'audio')).toBe('https://example.test/a.wav');
    expect(titleFromInput({ texts: ['x'], query: ['first', 'second'] }, 'e')).toBe('first');
  });

  it('is the last thing a person said, or what stands one level down', () => {
    expect(
      titleFromInput(
        {
          messages: [
            { role: 'system', content: 'Be kind' },
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'Hi' },
          ],
        },
        'text',
      ),
    ).toBe('Hello');
    expect(titleFromInput({ workflow: { prompt: 'inner' } }, 'comfy')).toBe('inner');
  });

  it('is the endpoint with the first keys when no field tells', () => {
    expect(titleFromInput({ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'mock')).toBe('mock: a, b, c, d, …');
    expect(titleFromInput({}, 'mock')).toBe('mock: empty input');
    expect(titleFromInput({ prompt: '  ', image: 'data:image/png;base64,AAAA' }, 'img')).toBe('img: prompt, image');
  });

  it('is one line of at most 120 whole characters, whatever is typed', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 2 }), fc.string({ unit: 'binary', maxLength: 400 }), (input, prompt) => {
        const title = titleFromInput({ ...input, prompt }, 'endpoint');
        expect([...title].length).toBeLessThanOrEqual(120);
        expect(title).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(title).not.toBe('');
      }),
    );
    expect(oneLine('é'.repeat(300))).toBe(`${'é'.repeat(119)}…`);
  });
});
