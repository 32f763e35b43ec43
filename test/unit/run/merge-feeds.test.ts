import { MacUpdater } from 'electron-updater';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { mergeFeeds } from '../../run/feed/merge-feeds.ts';

/** As electron-builder writes it. */
function feedOf(kind: '' | '-arm64', { version = '1.2.0', hash = `sum${kind}`, date = '10' } = {}): string {
  return `version: ${version}
files:
  - url: Jobdeck-1.2.0${kind}-mac.zip
    sha512: ${hash}+zip==
    size: 100
  - url: Jobdeck-1.2.0${kind}.dmg
    sha512: ${hash}+dmg==
    size: 110
path: Jobdeck-1.2.0${kind}-mac.zip
sha512: ${hash}+zip==
releaseDate: '2026-11-28T${date}:00:00.000Z'
`;
}

const shape = z.strictObject({
  version: z.string(),
  files: z.array(z.strictObject({ url: z.string(), sha512: z.string(), size: z.number() })),
  path: z.string(),
  sha512: z.string(),
  releaseDate: z.string(),
});

/** The updater's own choice, which only a class of it may ask for. */
class Updater extends MacUpdater {
  static urlsFor(infos: { url: string; sha512: string }[], isArm64: boolean): string[] {
    const files = infos.map((info) => ({ url: new URL(info.url, 'https://feed.example'), info }));
    return Updater.filterFilesForArch(files, isArm64).map(({ info }) => info.url);
  }
}

/** What electron-updater downloads on a Mac. */
function downloaded(text: string, isArm64: boolean): string[] {
  return Updater.urlsFor(shape.parse(parse(text)).files, isArm64).filter((url) => url.endsWith('.zip'));
}

it.each([
  [feedOf(''), feedOf('-arm64', { date: '11' })],
  [feedOf('-arm64', { date: '11' }), feedOf('')],
])('each kind of Mac finds its own update in one feed, whichever was packed first', (...feeds) => {
  const merged = mergeFeeds(feeds);
  expect(downloaded(merged, false)).toEqual(['Jobdeck-1.2.0-mac.zip']);
  expect(downloaded(merged, true)).toEqual(['Jobdeck-1.2.0-arm64-mac.zip']);
  expect(shape.parse(parse(merged))).toMatchObject({
    version: '1.2.0',
    path: 'Jobdeck-1.2.0-mac.zip',
    sha512: 'sum+zip==',
    releaseDate: '2026-11-28T11:00:00.000Z',
  });
  expect(shape.parse(parse(merged)).files).toHaveLength(4);
});

it('the merge is needed: with only one of the two, the other kind of Mac gets nothing or the slower app', () => {
  expect(downloaded(feedOf('-arm64'), false)).toEqual([]);
  expect(downloaded(feedOf(''), true)).toEqual(['Jobdeck-1.2.0-mac.zip']);
});

it('feeds that would update a Mac wrongly or never are refused with the reason', () => {
  expect(() => mergeFeeds([])).toThrow(/no feed/);
  expect(() => mergeFeeds([feedOf(''), feedOf('-arm64', { version: '1.3.0' })])).toThrow(/different versions/);
  expect(() => mergeFeeds([feedOf('-arm64')])).toThrow(/no zip for Macs with Intel/);
  expect(() => mergeFeeds([feedOf('')])).toThrow(/each kind of Mac/);
  expect(() => mergeFeeds([feedOf(''), feedOf('', { hash: 'other' })])).toThrow(/two files named/);
  expect(() => mergeFeeds(['version: 1.0.0'])).toThrow();
});
