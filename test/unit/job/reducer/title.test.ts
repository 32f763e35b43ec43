import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, titleFromInput as titleFromText } from '../../../../src-preload/job-title.ts';

const titleFromInput = (input: unknown, endpointId: string): string => titleFromText(JSON.stringify(input), endpointId);

describe('a title by the rule of its endpoint', () => {
  const byRule = (rule: string, input: unknown): string => titleFromText(JSON.stringify(input), 'echo', rule);

  it('has the fields that the rule names, even nested ones', () => {
    const input = { prompt: 'A red\nbicycle', seed: 7, is_hd: true, workflow: { steps: [12, 40] } };
    expect(byRule('{{prompt}}, seed {{ seed }}', input)).toBe('A red bicycle, seed 7');
    expect(byRule('{{workflow.steps.1}} steps, hd {{is_hd}}', input)).toBe('40 steps, hd true');
    expect(byRule('Nightly', input)).toBe('Nightly');
    expect(byRule('{{seed}} {{missing}}', input)).toBe('7');
  });

  it('is made from the input as usual if it has none of the fields, or no text in them', () => {
    expect(byRule('{{missing}}', { prompt: 'told' })).toBe('told');
    expect(byRule('{{style}} {{__proto__}}{{constructor.name}}', { prompt: 'told' })).toBe('told');
    expect(byRule('{{image}}', { prompt: 'told', image: 'data:image/png;base64,AAAA' })).toBe('told');
    expect(byRule('', { prompt: 'told' })).toBe('told');
  });

  it('is one line of at most 120 characters, for any rule and input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.json()), (rule, input) => {
        const title = byRule(`{{${Object.keys(input)[0] ?? 'x'}}} ${rule}`, input);
        expect([...title].length).toBeLessThanOrEqual(120);
        expect(title).not.toMatch(/[\n\r]/);
        expect(title).not.toBe('');
      }),
    );
  });
});

describe('a title made from the input', () => {
  it('is the most informative field', () => {
    expect(titleFromInput({ steps: 4, prompt: 'A red\n  bicycle' }, 'image')).toBe('A red bicycle');
    expect(titleFromInput({ Prompt: 'Upper case', seed: 1 }, 'image')).toBe('Upper case');
    expect(titleFromInput({ url: 'https://example.test/a.wav' }, 'audio')).toBe('https://example.test/a.wav');
    expect(titleFromInput({ texts: ['x'], query: ['first', 'second'] }, 'e')).toBe('first');
  });

  it('is the last message of a person, or a field one level down', () => {
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

  it('is the endpoint with the first keys if no field is informative', () => {
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
