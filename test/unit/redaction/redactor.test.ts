import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretOf } from '../../../src-main/redaction/find-secrets.ts';
import { redactor } from '../../../src-main/redaction/redactor.ts';

const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('redacting the key', () => {
  it('removes it in every place and form', () => {
    const { text } = redactor('rpa_s3"cr/et+key');
    expect(text('a rpa_s3"cr/et+key b rpa_s3\\"cr/et+key c rpa_s3%22cr%2Fet%2Bkey')).toBe('a [key] b [key] c [key]');
    expect(redactor('long-enough-key').text('xlong-enough-keyx')).toBe('x[key]x');
  });

  it('removes a very short key only as a word', () => {
    expect(redactor('K').text('KeyError with K in "K"')).toBe('KeyError with [key] in "[key]"');
  });

  it('removes only the key on request', () => {
    expect(redactor('the-api-key', ['the-s3-secret']).key('the-api-key, the-s3-secret')).toBe('[key], the-s3-secret');
  });
});

describe('redacting other secrets', () => {
  it('removes each under its own name, including overlapping ones', () => {
    expect(
      redactor('the-api-key', ['the-api-key-and-more', 'another-one']).text(
        'the-api-key, the-api-key-and-more, another-one',
      ),
    ).toBe('[key], [secret], [secret]');
    expect(redactor('', ['abcdefgh-1', 'h-1ijklmn']).text('<abcdefgh-1ijklmn>')).toBe('<[secret]>');
    expect(redactor('', ['']).text('nothing to hide')).toBe('nothing to hide');
    expect(
      redactor(
        'the-api-key',
        [],
        [secretOf('of-another-connection', '[secret]'), secretOf('the-api-key', '[secret]')],
      ).text('the-api-key of-another-connection'),
    ).toBe('[key] [secret]');
  });

  it('finds them plain, in JSON three levels deep, percent-encoded and in base64', () => {
    const secrets = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 8, maxLength: 30 }),
        fc.string({
          unit: fc.constantFrom('\\', '"', '/', '\n', 'a', '&', '+', '<', '€', '😀'),
          minLength: 8,
          maxLength: 20,
        }),
        fc.string({ unit: fc.constantFrom(...'abcXYZ0189_-+/='), minLength: 8, maxLength: 60 }),
      )
      .map((text) => text.toWellFormed());
    fc.assert(
      fc.property(secrets, fc.integer({ min: 0, max: 40 }), (secret, others) => {
        const known = Array.from({ length: others }, (_, index) =>
          secretOf(`another${index}/of+many${index}`, '[secret]'),
        );
        const { text } = redactor('unrelated-key', [secret], known);
        const once = inQuotes(secret);
        const twice = inQuotes(once);
        const forms = [
          secret,
          once,
          twice,
          inQuotes(twice),
          once.replaceAll('/', '\\/'),
          inQuotes(once.replaceAll('/', '\\/')),
          once.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
          once.replace(/[+<>&'`]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
          once.replace(/[<>&]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
          encodeURIComponent(secret),
          encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
          encodeURIComponent(secret).replaceAll('%2F', '/'),
        ];
        for (const form of forms) {
          expect(text(`<${form}>`)).toBe('<[secret]>');
        }
        for (const form of ['base64', 'base64url'] as const)
          expect(text(`<${Buffer.from(`${secret}: and more`).toString(form)}>`)).toMatch(/^<\[secret\]/);
      }),
    );
  });
});

describe('a result', () => {
  const secrets = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 8, maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...'nt\\"/u0041[]{}:,'), minLength: 8, maxLength: 12 }),
      fc.stringMatching(/^[0-9]{8,12}$/),
    )
    .map((text) => text.toWellFormed());
  /** Values of JSON that hold the secret here and there, in texts, names and JSON within texts. */
  const resultOf = (secret: string): fc.Arbitrary<unknown> => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((other) => other.toWellFormed()),
      fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${secret}${after}`),
      fc.constant(JSON.stringify({ was: secret })),
      fc.constant(secret),
    );
    return fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(Number.parseInt(secret.replace(/\D/g, '') || '0', 10)),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
  };
  const textsIn = (json: string): string[] => {
    const texts: string[] = [];
    JSON.parse(json, (name, value: unknown) => {
      texts.push(name);
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return texts;
  };

  it('stays JSON, contains no secret in any text, and is unchanged if nothing was hidden', () => {
    fc.assert(
      fc.property(
        secrets.chain((secret) => fc.tuple(fc.constant(secret), resultOf(secret), fc.constantFrom(undefined, 2))),
        ([secret, value, space]) => {
          const json = JSON.stringify(value, null, space);
          const redact = redactor('', [secret]);
          const clean = redact.json(json);
          expect(() => void JSON.parse(clean)).not.toThrow();
          expect(textsIn(clean).filter((text) => text.includes(secret))).toEqual([]);
          if (redact.hidden() === 0) expect(clean).toBe(json);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps every other byte: spaces, big numbers, duplicate keys, escapes', () => {
    const around = (middle: string): string =>
      `{ "a":1.0,"a" : 12345678901234567890, "é\\u00e9\\/":"\\u0041${middle}\\n", "n":[ 1e5 ,"x" ]}`;
    expect(redactor('', ['my-s3-secret']).json(around('my-s3-secret'))).toBe(around('[secret]'));
    const untouched = around('nothing');
    expect(redactor('', ['my-s3-secret']).json(untouched)).toBe(untouched);
  });

  it('leaves a number unchanged, and text that only looks like a secret across an escape or a quote', () => {
    const same = (secret: string, json: string): void => expect(redactor('', [secret]).json(json)).toBe(json);
    same('12345678', '{"id":12345678,"list":[12345678]}');
    same('nabcdefgh', '{"text":"line\\nabcdefgh"}');
    same('a","b":"c', '{"x":"a","b":"c"}');
    expect(redactor('', ['abcdefg\\']).json('{"x":"abcdefg\\\\\\"y","z":1}')).toBe('{"x":"[secret]\\"y","z":1}');
  });

  it('is not changed for a short secret, which may be in it by chance', () => {
    expect(redactor('test', ['minio']).json('{"output":"a test with minio"}')).toBe('{"output":"a test with minio"}');
    expect(redactor('test', [], [secretOf('minio', '[secret]')]).text('a test with minio')).toBe('a [key] with minio');
  });

  it('reports in how many places something was hidden', () => {
    const redact = redactor('the-api-key', ['my-s3-secret']);
    redact.json('["the-api-key my-s3-secret","the-api-key"]');
    expect(redact.hidden()).toBe(3);
    expect(redactor('the-api-key').hidden()).toBe(0);
  });

  it('is the same as for a reply that broke off, so that saved and later text are equal', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9]{8,12}$/).chain((secret) => fc.tuple(fc.constant(secret), resultOf(secret))),
        ([secret, value]) => {
          const json = JSON.stringify([value]);
          expect(redactor('', [secret]).broken(json)).toBe(redactor('', [secret]).json(json));
        },
      ),
    );
  });

  it('is read in no more steps than its length, however it is built', () => {
    const secret = '\\\\"\\"\\secret"/"';
    const redact = redactor(
      'unrelated-key',
      [secret],
      Array.from({ length: 30 }, (_, index) => secretOf(`known-secret-number${index}`, '[secret]')),
    );
    for (const text of [
      '\\'.repeat(300_000),
      JSON.stringify('"'.repeat(300_000)),
      JSON.stringify(Array.from({ length: 5_000 }, () => secret)),
      `"${'\\u0041'.repeat(50_000)}"`,
      '%41'.repeat(100_000),
      '"'.repeat(300_000),
    ])
      expect(redact.json(text).length + redact.broken(`[${text}`).length).toBeGreaterThan(0);
  });
});
