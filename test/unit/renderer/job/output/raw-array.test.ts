import { describe, expect, it } from 'vitest';
import { createRawArray } from '../../../../../src-renderer/job/output/raw-array.ts';

describe('the outputs of a stream as one JSON array', () => {
  it('grows chunk by chunk into JSON, and is the same string while nothing arrives', () => {
    const array = createRawArray();
    expect(array.text()).toBe('[]');
    array.push('"a"');
    array.push('{"n":1}');
    const text = array.text();
    expect(JSON.parse(text)).toEqual(['a', { n: 1 }]);
    expect(array.text()).toBe(text);
    expect(array).toMatchObject({ count: 2, seen: 2, isFull: false });
  });

  it('stops at its size, and accepts nothing after a gap', () => {
    const array = createRawArray(10);
    for (const output of ['"1234"', '"too long for it"', '1']) array.push(output);
    expect(array.text()).toBe('["1234"]');
    expect(array).toMatchObject({ count: 1, seen: 3, isFull: true });
  });

  it('accepts a first chunk of any size', () => {
    const array = createRawArray(3);
    array.push('"longer than three"');
    expect(array).toMatchObject({ count: 1, isFull: false });
  });
});
