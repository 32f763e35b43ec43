import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReply, createReplyReader } from '../../../src-main/service/read-reply.ts';
import { largeReplyBytes } from '../../../src-main/service/reply-body.ts';
import { readObject } from '../../../src-main/service/resource-shapes.ts';
import { fieldsIn, salvagedIn, streamIn } from '../../unit/service/read-texts.ts';

describe('reading the bytes of a reply', () => {
  const anyText = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    // JSON with one character changed, left out or doubled.
    fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', '\\u12', '\u0001', ' ', 't'),
      )
      .map(([value, at, put]) => {
        const json = JSON.stringify({ value, list: [value] });
        return json.slice(0, at % json.length) + put + json.slice((at % json.length) + (at % 2));
      }),
    fc
      .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())
      .map((value) => `\n${JSON.stringify(value, null, 2)}\t`),
  );

  it('accepts and refuses what JSON.parse does, with the same texts', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const raw = text.toWellFormed();
        const plain = readObject(raw);
        const read = await fieldsIn(raw);
        if (plain.ok) expect(read).toEqual(plain);
        else expect(read.ok).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '-',
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{a:1}',
    '[1 2]',
    'nul',
    'truex',
    '[]]',
    '{"a":1}{',
    '\u00a0{}',
    '{}\u00a0',
  ])('refuses %j within and alone', async (json) => {
    expect(() => void JSON.parse(json)).toThrow(SyntaxError);
    expect((await fieldsIn(`{"a":${json}}`)).ok).toBe(false);
    expect((await streamIn(json)).ok).toBe(false);
  });

  it('skips a byte order mark, and reads invalid UTF-8 as TextDecoder does', async () => {
    expect(await fieldsIn('\ufeff{"id":"a"}')).toEqual(await fieldsIn('{"id":"a"}'));
    const bytes = Buffer.concat([
      Buffer.from('{"id":"'),
      Buffer.from([0xe2, 0x82, 0xff, 0xc0, 0x80, 0xf0, 0x9f]),
      Buffer.from('"}'),
    ]);
    const raw = new TextDecoder().decode(bytes);
    expect(await fieldsIn(bytes)).toMatchObject({ ok: true, value: { raw, idText: raw.slice(6, -1) } });
  });

  it('handles a hundred thousand members and levels', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const read = await fieldsIn(
      `{"deep":${deep},"flat":[[]],${Array.from({ length: 100_000 }, (_, at) => `"m${at}":${at}`).join(',')}}`,
    );
    if (!read.ok) throw new Error(read.failure);
    expect([...read.value.deep]).toEqual(['deep']);
    expect(read.value.texts.get('deep')).toBe(deep);
    expect(read.value.texts.size).toBe(1_000);
    expect(await streamIn(`[{"output":${deep}},${deep}]`)).toEqual({
      ok: true,
      value: {
        status: null,
        chunks: [
          { outputJson: deep, metricsJson: null },
          { outputJson: deep, metricsJson: null },
        ],
      },
    });
    expect(await salvagedIn(`{"id":${deep},"stream":[{"output":${deep}},{"output":[[[`)).toEqual([
      { outputJson: deep, metricsJson: null },
    ]);
  });
});

describe('the thread for large replies', () => {
  const ask = {
    format: 'fields',
    wanted: ['id'],
    isWhole: true,
    redaction: { key: '', secrets: [], known: [], scope: 'strings' },
  } as const;
  const large = (): Uint8Array => {
    const text = Buffer.from(JSON.stringify({ id: 'a', output: 'x'.repeat(largeReplyBytes) }));
    const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
    bytes.set(text);
    return bytes;
  };
  const script = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

  it('reads a reply as a short one is read', async () => {
    const bytes = large();
    expect(await createReplyReader().read(bytes, ask)).toEqual(readReply(bytes, ask));
  });

  it('is started again after it ended, and continues its read', async () => {
    const reader = createReplyReader(
      script(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, bytes }) => {
        if (bytes[0] === 0x21) parentPort.postMessage({ id, read: 'read' });
        else bytes[0] = 0x21, process.exit(1);
      });`),
    );
    expect(await Promise.all([reader.read(large(), ask), reader.read(large(), ask)])).toEqual(['read', 'read']);
    expect(await reader.read(large(), ask)).toBe('read');
  });

  it('is not restarted repeatedly for a reply that ends it, and reads the next one', async () => {
    const reader = createReplyReader(
      script(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, reading }) => {
        if (reading.wanted[0] === 'id') throw new Error('out of memory');
        parentPort.postMessage({ id, read: 'read' });
      });`),
    );
    expect(await reader.read(large(), ask)).toMatchObject({
      fields: { ok: false, failure: expect.stringContaining('could not be read') },
    });
    expect(await reader.read(large(), { ...ask, wanted: [] })).toBe('read');
  });
});
