import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { salvagedIn } from './read-texts.ts';

const outputsOf = async (raw: string): Promise<unknown[]> =>
  (await salvagedIn(raw)).map(({ outputJson }) => JSON.parse(outputJson));

describe('a stream reply that broke off', () => {
  it('returns the complete chunks in it, in either format', async () => {
    expect(await salvagedIn('[{"output":"a","metrics":{"n":1}},{"output":"b"},{"out')).toEqual([
      { outputJson: '"a"', metricsJson: '{"n":1}' },
      { outputJson: '"b"', metricsJson: null },
    ]);
    expect(await outputsOf('{"status":"IN_PROGRESS","stream":[{"output":["x]",{"y":"}"}]},{"output":')).toEqual([
      ['x]', { y: '}' }],
    ]);
    expect(await outputsOf('{"id": [{"output":1}]')).toEqual([]);
  });

  it('returns nothing from nothing', async () => {
    for (const raw of ['', '[', '[]', '<html>', '{"stream":', '[{"output":"a'])
      expect(await salvagedIn(raw)).toEqual([]);
  });

  it('returns exactly the leading whole chunks, wherever it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json(), { maxLength: 8 }),
        fc.boolean(),
        fc.nat(),
        async (outputs, isWrapped, cut) => {
          const elements = outputs.map((output) => `{"output":${output}}`);
          const head = isWrapped ? '{"status":"IN_PROGRESS","stream":[' : '[';
          const raw = `${head}${elements.join(',')}]${isWrapped ? '}' : ''}`;
          const broken = raw.slice(0, cut % (raw.length + 1));
          let whole = 0;
          // An element counts as whole once what follows it is there.
          for (let at = head.length; whole < elements.length; whole += 1) {
            at += (elements[whole]?.length ?? 0) + 1;
            if (broken.length < at) break;
          }
          expect((await salvagedIn(broken)).map(({ outputJson }) => outputJson)).toEqual(outputs.slice(0, whole));
        },
      ),
    );
  });
});
