import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogFile, createLog, type LogLevel } from '../../src-main/log.ts';
import { modeOf } from '../kit/file-mode.ts';

/** A log whose lines are gathered. */
function gathered(lowestLevel: LogLevel = 'debug') {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line), now: () => Date.UTC(2026, 0, 2, 3, 4, 5), lowestLevel });
  return { log, lines, text: () => lines.join(''), last: (): unknown => JSON.parse(lines.at(-1) ?? 'null') };
}

describe('a log line', () => {
  it('is one JSON object with time, level, area, message and fields', () => {
    const { log, lines, last } = gathered();
    log.area('connection').area('keychain').warn('It does not answer', { limitMs: 30 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(last()).toEqual({
      at: '2026-01-02T03:04:05.000Z',
      level: 'warn',
      area: 'connection.keychain',
      message: 'It does not answer',
      fields: { limitMs: 30 },
    });
  });

  it('stays one line whatever the message contains', () => {
    const { log, text } = gathered();
    log.info('one\ntwo\r\nthree');
    expect(text().trimEnd().split('\n')).toHaveLength(1);
  });

  it('is dropped below the lowest level', () => {
    const { log, lines } = gathered('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines).toHaveLength(2);
  });

  it('accepts any value: circular, throwing, huge, bytes, errors with causes', () => {
    const { log, last, lines } = gathered();
    const circular: Record<string, unknown> = { name: 'loop' };
    circular['self'] = circular;
    const throwing = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    log.error('odd', {
      circular,
      throwing,
      big: 10n,
      many: Array.from({ length: 500 }, (_, index) => index),
      long: 'x'.repeat(100_000),
      bytes: Buffer.from('secret bytes'),
      map: new Map([['a', 1]]),
      at: new Date(0),
      error: new Error('outer', { cause: new Error('inner') }),
    });
    // One value that throws must not take the line with it.
    expect(lines).toHaveLength(1);
    log.error('odd', {
      error: new Error('outer', { cause: new Error('inner') }),
      bytes: Buffer.from('abc'),
      at: new Date(0),
      big: 10n,
      map: new Map([['a', 1]]),
    });
    expect(last()).toMatchObject({
      fields: {
        error: { message: 'outer', cause: { message: 'inner' } },
        bytes: '(3 bytes)',
        at: '1970-01-01T00:00:00.000Z',
        big: '10',
        map: { a: 1 },
      },
    });
    log.error('long', { long: 'x'.repeat(100_000) });
    expect(lines.at(-1)?.length).toBeLessThan(9_000);
  });
});

describe('secrets in the log', () => {
  it.each([
    ['an authorization header', { headers: { Authorization: 'sk-live-123456' } }],
    ['a header pair', { headers: [['authorization', 'sk-live-123456']] }],
    ['a Headers object', { headers: new Headers({ authorization: 'sk-live-123456' }) }],
    ['header text', { request: 'GET / HTTP/1.1\r\nauthorization: sk-live-123456\r\nhost: x' }],
    ['Bearer in a sentence', { said: 'refused Bearer sk-live-123456, sorry' }],
    ['key', { key: 'sk-live-123456' }],
    ['apiKey', { apiKey: 'sk-live-123456' }],
    ['api_key in a query', { path: '/x?api_key=sk-live-123456&a=1' }],
    ['token', { token: 'sk-live-123456' }],
    ['password', { nested: { deeper: { password: 'sk-live-123456' } } }],
    ['accessSecret in JSON text', { body: '{"accessId":"id","accessSecret":"sk-live-123456"}' }],
    ['accessSecret in JSON inside JSON', { body: JSON.stringify({ body: '{"accessSecret":"sk-live-123456"}' }) }],
    ['env of a pod', { env: { TOKEN: 'x', OTHER: 'sk-live-123456' } }],
    ['credentials in a URL', { url: 'https://user:sk-live-123456@host/path' }],
    ['an error that quotes it', { error: new Error('bad header authorization: Bearer sk-live-123456') }],
  ])('hides %s without having registered it', (_, fields) => {
    const { log, text } = gathered();
    log.info('request', fields);
    expect(text()).not.toContain('sk-live-123456');
    expect(text()).toContain('[hidden]');
  });

  it('leaves text that only looks related: key references, token counts, null keys', () => {
    const { log, last } = gathered();
    const fields = {
      jobKey: 'j1',
      hasKey: true,
      input_tokens: 12,
      accessId: 'AK',
      key: null,
      note: 'input_tokens: 12',
    };
    log.info('x', fields);
    expect(last()).toMatchObject({ fields });
  });

  it('does not mask the whole log for a secret of one or two letters', () => {
    const { log, last } = gathered();
    log.hide('e');
    log.info('hello there');
    expect(last()).toMatchObject({ message: 'hello there' });
  });

  it('hides all of two secrets that overlap or contain each other', () => {
    const { log } = gathered();
    log.hide('abcdefgh');
    log.hide('efghijkl');
    log.hide('cdef');
    expect(log.redact('<abcdefghijkl>')).toBe('<[hidden]>');
    expect(log.redact('<abcdefgh>')).toBe('<[hidden]>');
  });

  it('leaves not even the beginning of a secret that crosses the cut of a long text', () => {
    const { log, text } = gathered();
    log.hide('0123456789abcdefghij');
    log.info('long', { body: `${'.'.repeat(8_182)}0123456789abcdefghij and more` });
    expect(text()).toContain('..[hidden]…');
    expect(text()).not.toContain('.0123');
  });

  it('hides a registered secret wherever it is, in every area and in redact', () => {
    const secretText = fc
      .string({ minLength: 8, maxLength: 60, unit: fc.constantFrom(...'abcXYZ0189-_.+/=%"\\\n\t é😀') })
      .filter((text) => text.trim().length >= 8);
    fc.assert(
      fc.property(secretText, fc.string({ unit: 'grapheme' }), fc.nat(9_000), (secret, around, padding) => {
        const { log, text } = gathered();
        const inside = log.area('inside');
        log.hide(secret);
        const held = `${around}${secret}${around}`;
        inside.error(held, {
          plain: held,
          late: `${'.'.repeat(padding)}${secret}`,
          [secret]: 1,
          json: JSON.stringify({ held }),
          url: `https://host/?q=${encodeURIComponent(secret)}`,
          basic: Buffer.from(secret).toString('base64'),
          list: [held, { held }, new Set([held]), new Map([[held, held]])],
          error: new Error(held, { cause: held }),
        });
        const written = text();
        const escaped = JSON.stringify(secret).slice(1, -1);
        for (const form of [secret, escaped, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
          expect(written).not.toContain(form);
        expect(log.redact(held)).not.toContain(secret);
        expect(log.redact(JSON.stringify(held))).not.toContain(escaped);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the log file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobdeck-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('creates its folder, appends to the existing file, and is only for this user', () => {
    const path = join(folder, 'logs', 'jobdeck.log');
    const first = openLogFile({ path });
    first.write('one\n');
    first.close();
    const second = openLogFile({ path });
    second.write('two\n');
    second.close();
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(modeOf(path, 0o600)).toBe(0o600);
  });

  it('keeps one former file, both within the limit, and loses no recent line', () => {
    const path = join(folder, 'jobdeck.log');
    const file = openLogFile({ path, maxBytes: 100 });
    for (let index = 0; index < 40; index += 1) file.write(`line ${String(index).padStart(3, '0')}\n`);
    file.close();
    const former = readFileSync(`${path}.1`, 'utf8');
    const present = readFileSync(path, 'utf8');
    expect(statSync(path).size).toBeLessThanOrEqual(100);
    expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(100);
    const kept = (former + present).trimEnd().split('\n');
    expect(kept.at(-1)).toBe('line 039');
    expect(kept).toEqual(
      Array.from({ length: kept.length }, (_, index) => `line ${String(40 - kept.length + index).padStart(3, '0')}`),
    );
    expect(file.dropped()).toBe(0);
  });

  it('drops and counts lines if the disk refuses, and never throws', () => {
    writeFileSync(join(folder, 'in-the-way'), '');
    const file = openLogFile({ path: join(folder, 'in-the-way', 'jobdeck.log') });
    expect(() => file.write('x\n')).not.toThrow();
    expect(file.dropped()).toBe(1);
    file.close();
  });
});
