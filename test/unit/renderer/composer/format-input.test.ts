import { describe, expect, it } from 'vitest';
import { formatInput } from '../../../../src-renderer/composer/format-input.ts';

describe('formatInput', () => {
  it('keeps placeholders as typed, in strings and as whole values', () => {
    expect(formatInput('{"prompt":"a {{animal}}","seed":{{ seed }},"sizes":[{{w}},{{h}}]}')).toBe(
      '{\n  "prompt": "a {{animal}}",\n  "seed": {{ seed }},\n  "sizes": [\n    {{w}},\n    {{h}}\n  ]\n}',
    );
  });

  it('leaves a text alone that is not JSON yet', () => {
    for (const text of ['{"a": {{a}}, "b": ', '{{a}} {{b}}', "{'a': {{a}}}"]) expect(formatInput(text)).toBe(text);
  });
});
