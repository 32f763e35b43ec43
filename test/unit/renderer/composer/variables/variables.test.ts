import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDraft, toSubmission } from '../../../../../src-renderer/composer/draft-check.ts';
import { emptyDraft, readSavedDraft, type ComposerDraft } from '../../../../../src-renderer/composer/composer-draft.ts';
import { checkableText, placeholdersIn } from '../../../../../src-renderer/composer/variables/placeholders.ts';
import { variableFrom } from '../../../../../src-renderer/composer/variables/variable-from.ts';
import {
  choiceAt,
  indexOf,
  inputAt,
  planVariables,
} from '../../../../../src-renderer/composer/variables/variable-plan.ts';
import { newVariable, type Variable } from '../../../../../src-renderer/composer/variables/variable.ts';
import { splitValues, valuesOf } from '../../../../../src-renderer/composer/variables/variable-values.ts';

const variable = (name: string, given: Partial<Variable>): Variable => ({ ...newVariable(name), ...given });
const one = (name: string, text: string): Variable => variable(name, { one: text });
const list = (name: string, ...texts: string[]): Variable => variable(name, { kind: 'list', list: texts });
const range = (name: string, from: string, to: string, step = ''): Variable =>
  variable(name, { kind: 'range', from, to, step });
const shownOf = (given: Variable): string[] | string => {
  const read = valuesOf(given);
  return read.kind === 'values' ? read.values.map(({ shown }) => shown) : read.kind;
};
const all = (text: string, ...given: Variable[]): string[] => {
  const plan = planVariables(text, given);
  return Array.from({ length: plan.jobs }, (_, index) => inputAt(text, plan, index));
};

describe('placeholders', () => {
  it('are distinguished by whether they are within a string', () => {
    const text = String.raw`{"a": "x {{one}} \" {{two}}", "b": {{three}}, "{{ key }}": "\\", "c": {{four}}}`;
    expect(placeholdersIn(text).map(({ name, isInString }) => [name, isInString])).toEqual([
      ['one', true],
      ['two', true],
      ['three', false],
      ['key', true],
      ['four', false],
    ]);
  });

  it('are found after an unclosed string, from the next line on', () => {
    expect(placeholdersIn('{"a": "open,\n"b": {{seed}}}').map(({ isInString }) => isInString)).toEqual([false]);
  });

  it('are not braces with anything else between them', () => {
    for (const text of ['{{}}', '{{ }}', '{{a b}}', '{{1}}', '{{a}', '{"a":{"b":{}}}', '{{-x}}'])
      expect(placeholdersIn(text)).toEqual([]);
  });

  it('are not recognised if braces contain anything but a name', () => {
    const problemIn = (inputText: string): string => {
      const { json } = checkDraft({ ...emptyDraft('', ''), inputText }, []);
      return json.ok ? '' : json.reason;
    };
    for (const text of ['{"a": {{2nd}}}', '{"b": {{a}}, "a": {{ two words }}}'])
      expect(problemIn(text)).toMatch(/^A variable’s name begins with a letter/);
    for (const text of ['{"a": {{seed}} "b": 1}', '{"a" {{seed}}}', '{"a": {{}}}', '{"b": {{2nd}}'.slice(0, -1)])
      expect(problemIn(text)).toMatch(/^Expected/);
  });

  it('leave every other character in place when the text is checked', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{{a}}', '{{seed}}', '"', ':', '\n', 'x', '\\', '{') }), (text) => {
        const found = placeholdersIn(text);
        const checkable = checkableText(text, found);
        expect(checkable).toHaveLength(text.length);
        const bare = found.filter(({ isInString }) => !isInString);
        for (let at = 0; at < text.length; at += 1)
          if (!bare.some(({ from, to }) => from <= at && at < to)) expect(checkable[at]).toBe(text[at]);
      }),
    );
  });
});

describe('the values of a variable', () => {
  it('are JSON if they are valid JSON, otherwise text', () => {
    expect(
      all('{"v": {{v}}, "s": "{{v}}"}', list('v', '901', 'kettle', '"90"', 'true', '{"a": [1]}', 'say "hi"')),
    ).toEqual([
      '{"v": 901, "s": "901"}',
      '{"v": "kettle", "s": "kettle"}',
      '{"v": "90", "s": "90"}',
      '{"v": true, "s": "true"}',
      String.raw`{"v": {"a": [1]}, "s": "{\"a\": [1]}"}`,
      String.raw`{"v": "say \"hi\"", "s": "say \"hi\""}`,
    ]);
  });

  it('keep the digits of numbers beyond double precision', () => {
    expect(all('{"seed": {{s}}}', list('s', '12345678901234567890', '1.0'))).toEqual([
      '{"seed": 12345678901234567890}',
      '{"seed": 1.0}',
    ]);
    expect(shownOf(range('s', '9007199254740993', '9007199254740995'))).toEqual([
      '9007199254740993',
      '9007199254740994',
      '9007199254740995',
    ]);
  });

  it('of a range have both ends and no rounding', () => {
    expect(shownOf(range('r', '20', '32', '4'))).toEqual(['20', '24', '28', '32']);
    expect(shownOf(range('r', '0.1', '0.3', '0.1'))).toEqual(['0.1', '0.2', '0.3']);
    expect(shownOf(range('r', '3', '1'))).toEqual(['3', '2', '1']);
    expect(shownOf(range('r', '-1', '1', '-0.50'))).toEqual(['-1', '-0.5', '0', '0.5', '1']);
    expect(shownOf(range('r', '1', '10', '6'))).toEqual(['1', '7']);
  });

  it('that are missing or wrong are reported', () => {
    expect(shownOf(one('a', '  '))).toBe('unset');
    expect(shownOf(list('a'))).toBe('unset');
    expect(shownOf(range('a', '', ''))).toBe('unset');
    for (const wrong of [
      range('a', '1', ''),
      range('a', '1', 'x'),
      range('a', '1', '2', '0'),
      range('a', '0', '99999999'),
    ])
      expect(shownOf(wrong)).toBe('problem');
  });

  it('are separated at commas outside of quotes and brackets, or at lines', () => {
    expect(splitValues('901, 902 ,,903')).toEqual(['901', '902', '903']);
    expect(splitValues(String.raw`"a, \"b", [1, 2], {"c": 3, "d": 4}`)).toEqual([
      String.raw`"a, \"b"`,
      '[1, 2]',
      '{"c": 3, "d": 4}',
    ]);
    expect(splitValues('a red kettle, matte\r\nan oak mug\n')).toEqual(['a red kettle, matte', 'an oak mug']);
  });
});

describe('the inputs that variables make', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  const anyValues = fc
    .uniqueArray(
      anyText.filter((text) => text.trim() !== '' && !/^["[{]/.test(text.trim())),
      { minLength: 1, maxLength: 5 },
    )
    .map((texts) => texts.map((text) => text.trim()));

  it('are all combinations, each valid JSON, the first variable fastest', () => {
    fc.assert(
      fc.property(anyValues, anyValues, anyValues, (a, b, c) => {
        const text = '{"a": {{a}}, "list": [{{b}}, "{{c}} and {{a}}"], "{{b}}": null}';
        const plan = planVariables(text, [list('a', ...a), list('b', ...b), list('c', ...c)]);
        expect(plan.problem).toBeNull();
        expect(plan.jobs).toBe(a.length * b.length * c.length);
        const choices = Array.from({ length: plan.jobs }, (_, index) => choiceAt(plan.used, index));
        expect(new Set(choices.map(String)).size).toBe(plan.jobs);
        let longest = 0;
        for (const [index, choice] of choices.entries()) {
          expect(indexOf(plan.used, choice)).toBe(index);
          const filled = inputAt(text, plan, index);
          expect(JSON.parse(filled)).toMatchObject({ list: expect.any(Array) });
          longest = Math.max(longest, new TextEncoder().encode(filled).length);
        }
        // The reported longest one is never shorter than any of them.
        expect(text.length + plan.growthBytes).toBeGreaterThanOrEqual(longest);
      }),
      { numRuns: 60 },
    );
    expect(all('{"seed": {{seed}}, "steps": {{steps}}}', range('steps', '1', '2'), list('seed', '8', '9'))).toEqual([
      '{"seed": 8, "steps": 1}',
      '{"seed": 9, "steps": 1}',
      '{"seed": 8, "steps": 2}',
      '{"seed": 9, "steps": 2}',
    ]);
  });

  it('contain a value unchanged, even one that looks like a placeholder or a replacement', () => {
    expect(all('{"a": "{{a}}", "b": "{{b}}"}', one('a', "{{b}} $& $'"), one('b', 'x'))).toEqual([
      `{"a": "{{b}} $& $'", "b": "x"}`,
    ]);
  });
});

describe('a draft with variables', () => {
  const connections = [{ id: 'c', endpoints: [{ id: 'e', label: '', flavour: 'text' as const }] }];
  const draft = (inputText: string, ...variables: Variable[]): ComposerDraft => ({
    ...emptyDraft('c', 'e'),
    inputText,
    variables,
  });
  const problemsOf = (one: ComposerDraft): string[] =>
    checkDraft(one, connections).problems.map(({ message }) => message);

  it('sends an unset one within a string as typed, and requires a value for one outside', () => {
    const templated = draft('{"prompt": "Dear {{name}}"}');
    const check = checkDraft(templated, connections);
    expect(check.problems).toEqual([]);
    expect(toSubmission(templated, check).inputText).toBe('{"prompt": "Dear {{name}}"}');
    expect(problemsOf(draft('{"seed": {{seed}}}'))).toEqual(['Give {{seed}} a value']);
    expect(problemsOf(draft('{"seed": {{seed}}}', range('seed', '1', 'x')))).toEqual([
      expect.stringMatching(/^\{\{seed\}\}: Enter numbers/),
    ]);
  });

  it('accepts broken JSON as text within a string, and not outside one', () => {
    const draftOf = (input: string): string[] => problemsOf(draft(input, one('v', '[draft] photo')));
    expect(draftOf('{"a": "{{v}}"}')).toEqual([]);
    expect(draftOf('{"a": {{v}}}')).toEqual(['{{v}}: [draft] photo is not valid JSON']);
  });

  it('shows where its input is broken, as if the placeholder were a value', () => {
    expect(problemsOf(draft('{"seed": {{seed}} "x": 1}', one('seed', '1')))).toEqual([
      expect.stringMatching(/^Line 1, column 19: Expected a comma/),
    ]);
    // Joined to a digit, it would be another number.
    expect(problemsOf(draft('{"seed": 1{{seed}}}', one('seed', '1')))).toEqual([
      expect.stringMatching(/Expected a comma/),
    ]);
    expect(problemsOf(draft('{"seed": {{a}}{{b}}}', one('a', '1'), one('b', '1')))).toHaveLength(1);
    // A fix is not made of what stands for the placeholder.
    const check = checkDraft(draft('{"seed": plus {{seed}}}', one('seed', '1')), connections);
    expect(check.json.ok ? null : check.json.fix).toBeUndefined();
  });

  it('makes no more jobs than a batch may have', () => {
    expect(problemsOf(draft('{"a": {{a}}, "b": {{b}}}', range('a', '1', '200'), range('b', '1', '101')))).toEqual([
      'These variables make 20,200 jobs. A batch has at most 20,000',
    ]);
    expect(problemsOf(draft('{"a": {{a}}, "b": {{b}}}', range('a', '1', '200'), range('b', '1', '100')))).toEqual([]);
  });

  it('is checked against the size limit by its longest input', () => {
    const large = 'x'.repeat(10_000_000);
    expect(problemsOf(draft('{"a": "{{a}}"}', list('a', 'short', large)))).toEqual([
      expect.stringMatching(/^10\.0 MB; run accepts less than 10\.0 MB/),
    ]);
  });

  it('is restored from disk, whatever was saved', () => {
    const whole = { ...draft('{"a": {{a}}}', list('a', '1', '2'), range('b', '1', '2')), tagsText: 'night, ' };
    expect(readSavedDraft(JSON.stringify(whole))).toEqual(whole);
    const damaged = { ...whole, variables: [null, 3, { name: 'a', list: [1, 'x'] }, {}], tagsText: 3 };
    expect(readSavedDraft(JSON.stringify(damaged))).toMatchObject({
      variables: [{ name: 'a', kind: 'one', list: ['x'], one: '' }],
      tagsText: '',
    });
  });
});

describe('a value that becomes a variable', () => {
  it('is named after its key and keeps the first value', () => {
    expect(variableFrom('1024', '{"width": ', [])).toEqual({ name: 'width', text: '{{width}}', one: '1024' });
    expect(variableFrom('"a kettle"', '{"prompt": ', [])).toEqual({
      name: 'prompt',
      text: '"{{prompt}}"',
      one: 'a kettle',
    });
    expect(variableFrom('kettle', '{"prompt": "a ', [])).toEqual({ name: 'prompt', text: '{{prompt}}', one: 'kettle' });
    expect(variableFrom('', '{"top p": ', [newVariable('top_p')])).toEqual({
      name: 'top_p_2',
      text: '{{top_p_2}}',
      one: '',
    });
    expect(variableFrom('', '', []).name).toBe('value');
  });
});

describe('warnings of variables', () => {
  const warned = (text: string, ...given: Variable[]): string[] =>
    checkDraft({ ...emptyDraft('', ''), inputText: text, variables: given }, []).warnings.map(({ message }) => message);

  it('say what is sent literally, as text because of quotes, or twice', () => {
    expect(warned('{"a": "by {{who}}"}')).toEqual(['No value yet: {{who}} is sent literally']);
    expect(warned('{"seed": "{{seed}}"}', list('seed', '7', '8'))).toEqual([
      '"{{seed}}" is in quotes, so 7 is sent as text. Remove the quotes for a number or true/false',
    ]);
    expect(warned('{"tone": "{{tone}}"}', list('tone', 'friendly', 'formal', 'friendly'))).toEqual([
      '{{tone}} has “friendly” twice, and both make a job',
    ]);
    expect(warned('{"tone": "{{tone}}"}', list('tone', 'a', 'b', 'a', 'b'))).toEqual([
      '{{tone}} has 2 values more than once, and each makes a job',
    ]);
  });

  it('are not of what is meant: numbers within a text, texts in quotes, no quotes, or a missing value that is a problem', () => {
    expect(warned('{"a": "seed {{seed}}"}', list('seed', '7', '8'))).toEqual([]);
    expect(warned('{"a": "{{seed}}"}', list('seed', '7', 'x'))).toEqual([]);
    expect(warned('{"a": {{seed}}}', range('seed', '1', '3'))).toEqual([]);
    expect(warned('{"a": {{seed}}}')).toEqual([]);
  });
});
