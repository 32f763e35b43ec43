import { describe, expect, it, onTestFinished } from 'vitest';
import { hasImageAddress } from '../../../src-preload/base64-images.ts';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { readBody } from '../../../src-main/history/export/report-body.ts';
import { migrate, schemaVersion } from '../../../src-main/history/file/migrations.ts';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { findImages as findInFormer } from '../../../src-main/history/jobs/images.ts';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../src-main/history/list/list.ts';
import { emptyFilter } from '../../../src-preload/history.ts';
import { imagesBySide } from '../../../src-renderer/compare/side-images.ts';
import { findImages } from '../../../src-renderer/job/media/find-images.ts';
import { readOutput } from '../../../src-renderer/job/output-views.ts';
import { aNewJob, aDatabase, aFolder } from '../history/a-database.ts';
import { anAttempt } from '../renderer/job/a-job.ts';
import { drained } from '../renderer/stream/drained.ts';

const filling = Buffer.alloc(60);
const header = Buffer.from('000000640000003208020000', 'hex');
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), header, filling]);
const jpeg = Buffer.concat([Buffer.from('ffd8ffc00011080032006403', 'hex'), filling]);
const gif = Buffer.concat([Buffer.from('GIF89a\x64\0\x32\0', 'latin1'), filling]);
const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\x63\0\0\x31\0\0', 'latin1'), filling]);
const bmp = Buffer.concat([
  Buffer.from('424dffffff00000000003600000028000000', 'hex'),
  Buffer.from('6400000032000000', 'hex'),
  filling,
]);
const avif = Buffer.concat([
  Buffer.from('\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf\0\0\0\x14ispe\0\0\0\0\0\0\0\x64\0\0\0\x32', 'latin1'),
  filling,
]);
const mp4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), filling]);
const wav = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), filling]);

const text = (bytes: Buffer): string => bytes.toString('base64');
const base64 = (words: string): string => text(Buffer.from(words));
/** As some services write JSON: a slash has a backslash before it. */
const slashed = (value: unknown): string => JSON.stringify(value).replaceAll('/', String.raw`\/`);
const nested = (json: string, levels: number): string =>
  levels === 0 ? json : nested(JSON.stringify({ result: json }), levels - 1);

const withImage: [string, string][] = [
  ...Object.entries({ png, jpeg, gif, webp, bmp, avif }).flatMap(([name, bytes]): [string, string][] => [
    [`a ${name}`, JSON.stringify({ images: [text(bytes)] })],
    [`a ${name} in JSON in a string`, nested(JSON.stringify([text(bytes)]), 1)],
    [`a ${name} two strings down, with escaped slashes`, nested(slashed({ data: text(bytes) }), 2)],
    [`a ${name} as a data URL`, slashed(`data:image/${name};base64,${text(bytes)}`)],
  ]),
  ['an image named in a list of objects', JSON.stringify({ images: [{ filename: 'a.png', data: text(png) }] })],
  ['an image in base64 of JSON', JSON.stringify({ result: base64(JSON.stringify({ images: [text(png)] })) })],
  ['an image in base64 of indented JSON', JSON.stringify([base64(JSON.stringify([{ a: text(gif) }], null, 2))])],
  ['an image in base64 of a data URL', slashed([base64(`data:image/png;base64,${text(png)}`)])],
  ['an image in base64 of its base64', JSON.stringify({ data: base64(text(jpeg)) })],
  ['an image in base64 of base64 of JSON', JSON.stringify([base64(base64(JSON.stringify({ a: text(png) })))])],
  ['an image in base64, in JSON in a string', nested(JSON.stringify([base64(JSON.stringify([text(png)]))]), 2)],
  ['an image in base64 in lines', JSON.stringify([base64(JSON.stringify([text(png)])).replaceAll(/.{60}/g, '$&\n')])],
  ['an image with a data URL without a type', JSON.stringify([`data:;base64,${text(bmp)}`])],
  ['an image in lines', JSON.stringify([text(png).replaceAll(/.{20}/g, '$&\r\n')])],
];
const withoutImage: [string, string][] = [
  ['base64 of JSON without an image', JSON.stringify([base64(JSON.stringify({ words: 'only words '.repeat(9) }))])],
  ['base64 that begins like that of JSON', JSON.stringify([`eyJ${'A'.repeat(60)}`])],
  ['a data URL of JSON, which is a file', JSON.stringify([`data:;base64,${base64(JSON.stringify([text(png)]))}`])],
  ['base64 in base64 too often', JSON.stringify([base64(base64(base64(JSON.stringify([text(png)]))))])],
  ['a video', JSON.stringify([text(mp4)])],
  ['a sound', JSON.stringify([text(wav)])],
  ['an SVG', JSON.stringify([`data:image/svg+xml;base64,${text(filling)}`])],
  ['words that begin like a BMP', JSON.stringify([`Qk1 is how one begins ${'words '.repeat(10)}`])],
  ['base64 that begins like a BMP', JSON.stringify([text(Buffer.from(`BM${'any bytes at all '.repeat(5)}`))])],
  ['an image without a size', JSON.stringify([text(Buffer.concat([png.subarray(0, 16), filling]))])],
  ['a beginning before very many backslashes', JSON.stringify([`iVBORw0KGgo${'\\'.repeat(200_000)}`])],
  ['less than an image', JSON.stringify([text(gif.subarray(0, 12))])],
];

/** Which of the places that show or count images find one. */
function foundBy(json: string): Record<string, boolean> {
  const db = aDatabase();
  commit(db, [{ ...aNewJob({ key: 'a1' }), bodies: [{ part: 'output', attempt: 1, text: json }] }]);
  return {
    output: drained(readOutput(json, false)).images.found.length === 1,
    comparison: drained(imagesBySide([json])).size === 1,
    report: readBody(json).images.length === 1,
    filter: listJobs(db, { ...emptyFilter, has: ['images'] }, { limit: 10, startOfTodayMs: 0 }).total === 1,
  };
}

describe('the Output tab, a comparison, a report and has:images', () => {
  it.each(withImage)('all find %s', (_name, json) => {
    expect(foundBy(json)).toEqual({ output: true, comparison: true, report: true, filter: true });
  });

  it.each(withoutImage)('all find no image in %s', (_name, json) => {
    expect(foundBy(json)).toEqual({ output: false, comparison: false, report: false, filter: false });
  });
});

describe('the address of an image', () => {
  it('is searched for in a time that does not grow with the square of what is like it', () => {
    // Minutes, if two parts of the pattern could match the same backslashes.
    expect(hasImageAddress(`"http://a.example/x.png?${'\\'.repeat(1_000_000)} and more"`)).toBe(false);
    expect(hasImageAddress(JSON.stringify({ inner: JSON.stringify({ url: 'https://a.example/x.png?a=1' }) }))).toBe(
      true,
    );
    expect(hasImageAddress(JSON.stringify({ inner: JSON.stringify({ url: 'https://a.example/x.png' }) }))).toBe(true);
  });

  it.each(['png', 'jpeg', 'webp', 'bmp', 'avif', 'heic', 'tif', 'svg', 'txt'])('ending in .%s', (ending) => {
    const url = `https://a.test/one.${ending}?x=1`;
    for (const json of [slashed({ url }), nested(JSON.stringify([url]), 1)])
      expect(foundBy(json)['filter']).toBe(drained(findImages(JSON.parse(json))).links.length === 1);
  });
});

/** Undoes the step by which streams are searched to their end. */
function withoutPlaceOfSearch(db: DatabaseSync): void {
  db.exec('ALTER TABLE image_unknown DROP COLUMN attempt; ALTER TABLE image_unknown DROP COLUMN from_seq');
}

it('streams of which a former version searched only the beginning are searched to the end in idle moments', () => {
  const path = join(aFolder(), 'history.db');
  const { db: first } = openDatabase(path, 0);
  const words = Array.from({ length: 9_000 }, (_, at) => ({
    outputJson: JSON.stringify(`w${at} `),
    metricsJson: null,
  }));
  const image = { outputJson: JSON.stringify({ image: text(png), step: 1 }), metricsJson: null };
  commit(
    first,
    ['words', 'late', 'first attempt', 'in both'].map((key) => ({
      ...aNewJob({ key }),
      attempt: anAttempt({ number: 1 }),
    })),
  );
  commitChunks(first, { key: 'words', attempt: 1 }, words, 7);
  commitChunks(first, { key: 'late', attempt: 1 }, [...words, image], 7);
  commitChunks(first, { key: 'first attempt', attempt: 1 }, [...words, image, ...words], 7);
  commitChunks(first, { key: 'first attempt', attempt: 2 }, words.slice(0, 600), 7);
  commitChunks(first, { key: 'in both', attempt: 1 }, [image, ...words], 7);
  const having = (db: DatabaseSync): string[] =>
    listJobs(db, { ...emptyFilter, has: ['images'] }, { limit: 10, startOfTodayMs: 0 })
      .jobs.map(({ key }) => key)
      .toSorted();
  expect(having(first)).toEqual(['first attempt', 'in both', 'late']);
  // As a former version left it.
  first.exec("DELETE FROM job_images WHERE job IN (SELECT id FROM jobs WHERE key IN ('late', 'first attempt'))");
  withoutPlaceOfSearch(first);
  first.exec(`PRAGMA user_version = ${schemaVersion - 2}`);
  first.close();

  const old = new DatabaseSync(path);
  onTestFinished(() => old.close());
  migrate(old);
  expect(having(old)).toEqual(['in both']);
  while (findInFormer(old));
  expect(having(old)).toEqual(['first attempt', 'in both', 'late']);
  expect(old.prepare('SELECT count(*) AS left FROM image_unknown').get()).toEqual({ left: 0 });
});

it('a history from before these kinds were known is searched for them in idle moments', () => {
  const path = join(aFolder(), 'history.db');
  const { db: first } = openDatabase(path, 0);
  const outputs = { a1: bmp, a2: png, a3: mp4 };
  commit(
    first,
    Object.entries(outputs).map(([key, bytes]) => ({
      ...aNewJob({ key, outputBytes: 90 }),
      bodies: [{ part: 'output' as const, attempt: 1, text: JSON.stringify([text(bytes)]) }],
    })),
  );
  // As a former version left it. The steps since then are undone.
  first.exec("DELETE FROM job_images WHERE job = (SELECT id FROM jobs WHERE key = 'a1')");
  first.exec('DROP INDEX jobs_by_tag; ALTER TABLE jobs DROP COLUMN first_tag');
  withoutPlaceOfSearch(first);
  first.exec(`PRAGMA user_version = ${schemaVersion - 4}`);
  first.close();

  const old = new DatabaseSync(path);
  onTestFinished(() => old.close());
  migrate(old);
  const having = (): string[] =>
    listJobs(old, { ...emptyFilter, has: ['images'] }, { limit: 10, startOfTodayMs: 0 }).jobs.map(({ key }) => key);
  expect(having()).toEqual(['a2']);
  while (findInFormer(old));
  expect(having()).toEqual(['a2', 'a1']);
  expect(old.prepare('SELECT count(*) AS left FROM image_unknown').get()).toEqual({ left: 0 });
});
