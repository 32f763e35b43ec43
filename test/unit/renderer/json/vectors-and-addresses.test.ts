import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../../src-renderer/json/json-address.ts';
import { indexJson, type JsonIndex } from '../../../../src-renderer/json/json-index.ts';
import { firstExpanded } from '../../../../src-renderer/json/tree-rows.ts';
import { isVector, vectorFacts } from '../../../../src-renderer/json/vector.ts';
import { vectorText } from '../../../../src-renderer/messages/json/values.ts';
import { drained } from '../stream/drained.ts';

const indexed = (json: string): JsonIndex => drained(indexJson(json));

describe('an address in JSON', () => {
  const addressIn = (value: unknown): string | null => addressOf(indexed(JSON.stringify([value])), 1);
  it('is a whole string of http, https or s3', () => {
    expect(addressIn('https://example.com/a?b=c#d')).toBe('https://example.com/a?b=c#d');
    expect(addressIn('HTTP://example.com')).toBe('HTTP://example.com');
    expect(addressIn('s3://bucket/key/of.png')).toBe('s3://bucket/key/of.png');
    expect(addressOf(indexed('["https:\\/\\/example.com\\/a"]'), 1)).toBe('https://example.com/a');
  });
  it('is nothing else', () => {
    for (const value of ['see https://example.com', 'https://a b', 'javascript:alert(1)', 'file:///etc', '', 7, null])
      expect(addressIn(value)).toBeNull();
    expect(addressIn(`https://example.com/${'x'.repeat(5_000)}`)).toBeNull();
  });
});

describe('a long array of numbers', () => {
  const values = Array.from({ length: 1_536 }, (_, at) => (at % 2 === 0 ? 0.03 : -0.04));
  const index = indexed(JSON.stringify({ data: [{ embedding: values }], few: [1, 2, 3], mixed: [...values, 'x'] }));
  const nodeOf = (members: number): number => [...index.members].indexOf(members);

  it('is described by its count, minimum, maximum and norm', () => {
    const node = nodeOf(1_536);
    expect(isVector(index, node)).toBe(true);
    const facts = vectorFacts(index, node);
    expect(facts).toMatchObject({ count: 1_536, min: -0.04, max: 0.03 });
    expect(facts?.norm).toBeCloseTo(Math.sqrt(768 * (0.0009 + 0.0016)));
    expect(facts === null ? '' : vectorText(facts)).toBe('min −0.04, max 0.03, norm 1.39');
    expect(vectorText({ min: -1_234_567, max: 12_345.6, norm: 0.000_012 })).toBe(
      'min −1.23e+6, max 12,346, norm 1.20e-5',
    );
  });
  it('is not unfolded automatically, as other arrays are', () => {
    expect(isVector(index, nodeOf(3))).toBe(false);
    expect(isVector(index, nodeOf(1_537))).toBe(false);
    const expanded = firstExpanded(index);
    expect(expanded.has(nodeOf(1_536))).toBe(false);
    const short = indexed(JSON.stringify({ at: Array.from({ length: 20 }, (_, at) => at), of: ['a', 'b'] }));
    expect([...firstExpanded(short)]).toEqual([0, 22]);
  });
  it('has no figures if its text is truncated', () => {
    expect(vectorFacts(indexed(`[${values.join(',')}`), 0)).toBeNull();
  });
});
