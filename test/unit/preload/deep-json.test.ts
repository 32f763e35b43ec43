import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copiable, isTooDeepToCopy, jsonText } from '../../../src-preload/deep-json.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('values that nest deeper than a call stack', () => {
  it('are written as JSON.stringify would write them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
    const deep = `{"a":[1,{"b":${nested(100_000)}}],"c":"\\u0001"}`;
    expect(jsonText(JSON.parse(deep))).toBe(deep);
  });

  it('are distinguished from those that can be copied', () => {
    expect([
      isTooDeepToCopy(JSON.parse(nested(30))),
      isTooDeepToCopy(JSON.parse(nested(100))),
      isTooDeepToCopy(JSON.parse(nested(1_000_000))),
    ]).toEqual([false, true, true]);
    expect(copiable({ deep: JSON.parse(nested(100_000)), flat: [1] })).toEqual({ deep: nested(100_000), flat: [1] });
  });

  it('in a chunk leave a digest that can be copied', () => {
    const digest = digestOf([
      { outputJson: nested(100_000), metricsJson: `{"odd":${nested(100_000)},"running":3}`, receivedAtMs: 0 },
    ]);
    expect(structuredClone(digest)).toMatchObject({
      text: `${nested(100_000)}\n`,
      metrics: { values: { running: [3] }, latest: { odd: nested(100_000), running: 3 } },
    });
  });
});
