import { describe, expect, it } from 'vitest';
import { numberOf, readHealth, readJobRecord, type Fields } from '../../../src-main/service/shapes.ts';
import { readObject } from '../../../src-main/service/resource-shapes.ts';
import type { HealthRecord, JobRecord } from '../../../src-main/service/reply.ts';

/** What may be read of one value: 200 levels, and 65,536 characters of what is small by nature. */
const levels = 200;
const maxTextChars = 65_534;

function fieldsOf(raw: string): Fields {
  const read = readObject(raw);
  if (!read.ok) throw new Error(read.failure);
  return read.value;
}

/** A whole record with these members beside. */
function recordWith(members: string): JobRecord {
  const read = readJobRecord(fieldsOf(`{"id":"a","status":"COMPLETED",${members}}`), { id: null, status: null });
  if (!read.ok) throw new Error(read.failure);
  return read.value;
}

function healthOf(raw: string): HealthRecord {
  const read = readHealth(fieldsOf(raw));
  if (!read.ok) throw new Error(read.failure);
  return read.value;
}

/** The unlisted members of a health record with these members. */
const extraWith = (members: string): HealthRecord['extra'] => healthOf(`{"jobs":{},${members}}`).extra;

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('an unlisted member', () => {
  it.each([
    ['lists in lists', lists(levels)],
    ['objects in objects', objects(levels)],
    ['many lists side by side', `[${Array(300).fill('[]').join()}]`],
    ['many objects side by side', `[${Array(300).fill('{"a":{}}').join()}]`],
    ['brackets in texts', JSON.stringify(['['.repeat(300), '"{'.repeat(300), { '[': '}' }])],
  ])('is a value if it nests no deeper than can be copied: %s', (_, json) => {
    expect(extraWith(`"more":${json}`)).toEqual({ more: JSON.parse(json) });
    expect(healthOf(`{"jobs":{"more":${json},"paused":2}}`).extra).toEqual({
      'jobs.more': JSON.parse(json),
      'jobs.paused': 2,
    });
  });

  it.each([
    ['lists', lists(levels + 1)],
    ['objects', objects(levels + 1)],
    ['both, after a text', `["]]",${objects(levels / 2)},${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}]`],
  ])('stays text if it nests deeper: %s', (_, json) => {
    expect(extraWith(`"more":${json},"flat":[1]`)).toEqual({ more: json, flat: [1] });
    expect(healthOf(`{"workers":{"more":${json},"booting":1}}`).extra).toEqual({
      'workers.more': json,
      'workers.booting': 1,
    });
  });

  it('is a value up to 262,144 characters in total; the rest stays text', () => {
    const [first, second] = ['a'.repeat(200_000 - 2), 'b'.repeat(62_144 - 2)];
    expect(extraWith(`"first":"${first}","second":"${second}","third":1`)).toEqual({
      first,
      second,
      third: '1',
    });
    expect(extraWith(`"first":"${first}","second":"${second}b","third":1`)).toEqual({
      first,
      second: `"${second}b"`,
      third: 1,
    });
  });
});

it('the unlisted members of a record stay text, of any size and depth, so that no values are created from them', () => {
  const more = `"more": ${lists(levels + 1)}`;
  const record = recordWith(`${more},"a\\"b":[1, 2],"retries":1.0`);
  expect(record.extraJson).toBe(`{"more":${lists(levels + 1)},"a\\"b":[1, 2],"retries":1.0}`);
  expect(recordWith('"output":1').extraJson).toBeNull();
});

describe('a member that is always small', () => {
  it('is read up to 65,536 characters of JSON, and absent beyond that', () => {
    const text = 'w'.repeat(maxTextChars);
    expect(recordWith(`"workerId":"${text}"`).workerId).toBe(text);
    expect(recordWith(`"workerId":"${text}w"`).workerId).toBeNull();
    // No address can contain it, so only a final record has it.
    const asked = { id: null, status: 'COMPLETED' };
    expect(readJobRecord(fieldsOf(`{"id":"${text}"}`), asked)).toMatchObject({ ok: true, value: { id: text } });
    expect(readJobRecord(fieldsOf(`{"id":"${text}w"}`), asked)).toEqual({
      ok: false,
      failure: 'has neither an id nor a status',
    });
  });

  it.each([
    ['"w1"', 'w1'],
    ['""', null],
    ['7', '7'],
    ['true', null],
    ['null', null],
    ['["w1"]', null],
  ])('is a text or a number: %s', (json, workerId) => {
    expect(recordWith(`"workerId":${json}`).workerId).toBe(workerId);
  });

  it.each([
    ['1e3', '1000'],
    ['1.50', '1.5'],
    ['"1.50"', '1.50'],
    ['-12', '-12'],
  ])('is an id as a value writes it, if it is not a whole number: %s', (json, id) => {
    expect(readJobRecord(fieldsOf(`{"id":${json}}`), { id: null, status: 'IN_QUEUE' })).toMatchObject({
      ok: true,
      value: { id },
    });
  });

  it.each([
    ['+12', 12],
    ['-1', -1],
    ['12.5', 12.5],
    ['12.', 12],
    ['.55', 0.55],
    ['1e12', 1e12],
    ['15E-1', 1.5],
    ['1e+2', 100],
    ['\t7\n', 7],
    ['1e999', null],
    ['1 2', null],
    ['e5', null],
    ['.', null],
    ['5x', null],
    ['x5', null],
    [['5'], null],
    [Infinity, null],
  ])('is a number even if it was sent as text: %j', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });
});

it.each([
  ['  ', 'is empty'],
  ['\n<!doctype html>', 'is a web page, not JSON'],
  ['x<b>', 'is not JSON'],
  ['{"a": <b>', 'is not JSON'],
  ['"text"', 'is not a JSON object'],
  ['[1]', 'is not a JSON object'],
])('%j is not an object, with the reason', (raw, why) => {
  expect(readObject(raw)).toEqual({ ok: false, failure: why });
});

// A pattern that begins again at each digit would take an hour for this, and no window would answer meanwhile.
it('an endless row of digits that is no number is none', () => {
  expect(numberOf(`${'1'.repeat(1_000_000)}x`)).toBeNull();
});
