import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memberText, withoutMember } from '../../../src-main/sandbox/json-members.ts';

describe('memberText', () => {
  test.each([
    ['{"input":{"a":1}}', '{"a":1}'],
    ['{ "webhook" : "x" , "input" :\n{ "a" : "}\\"," } }', '{ "a" : "}\\"," }'],
    ['{"input":{"a":1},"input":{"b":2}}', '{"b":2}'],
    ['{"x":{"input":1},"input":[]}', '[]'],
    ['{"in\\u0070ut":{"n":12345678901234567890123}}', '{"n":12345678901234567890123}'],
    ['{"input":7 }', '7'],
    ['{}', null],
  ])('cuts the input out of %s', (json, text) => {
    expect(memberText(json, 'input')).toBe(text);
  });

  test('cuts out a member that nests too deep to be serialised again', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(memberText(`{"input":{"deep":${deep}},"webhook":"x"}`, 'input')).toBe(`{"deep":${deep}}`);
  });

  test('agrees with JSON.parse on any object, however it is spaced', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const json = JSON.stringify(value, null, space);
        for (const [name, member] of Object.entries(value))
          expect(JSON.parse(memberText(json, name) ?? 'null')).toEqual(JSON.parse(JSON.stringify(member)));
      }),
    );
  });
});

describe('withoutMember', () => {
  test.each([
    ['{"input":{},"s3Config":{"accessSecret":"x"},"webhook":"u"}', '{"input":{},"webhook":"u"}'],
    ['{ "s3Config" : {"a":"}"} , "input":{"s3Config":1} }', '{"input":{"s3Config":1}}'],
    ['{"s3Config":1,"input":{},"\\u00733Config":2}', '{"input":{}}'],
    ['{"s3Config":1}', '{}'],
    ['{"input": {} }', '{"input": {} }'],
  ])('of %s leaves %s', (json, left) => {
    expect(withoutMember(json, 's3Config')).toBe(left);
  });

  test('leaves every other member of any object unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, name) => {
        const { [name]: _left, ...others } = { ...object, [name]: 1 };
        expect(JSON.parse(withoutMember(JSON.stringify({ ...object, [name]: 1 }), name))).toEqual(
          JSON.parse(JSON.stringify(others)),
        );
      }),
    );
  });
});
