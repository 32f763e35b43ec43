import { describe, expect, it } from 'vitest';
import { settingsDefaults, type Settings } from '../../../../src-preload/settings.ts';
import type { NewVersion, UpdateState } from '../../../../src-preload/update.ts';
import {
  updateFailure,
  createUpdates,
  type UpdateFeed,
  type Updates,
} from '../../../../src-main/desktop/updates/updates.ts';
import { createLog } from '../../../../src-main/log.ts';

const offered: NewVersion = { version: '2.0.0', releasedAtMs: null, notes: null };
const hourMs = 3_600_000;

interface Scene {
  updates: Updates;
  clock: { nowMs: number };
  settings: Settings;
  asked: string[];
  told: UpdateState[];
  found: string[];
  quits: number[];
}

function scene(
  feed: Partial<UpdateFeed> = {},
  packageFeedUrl: string | null = 'https://jobdeck.example/updates',
): Scene {
  const clock = { nowMs: 1_000_000 };
  const at: Omit<Scene, 'updates'> = {
    clock,
    settings: structuredClone(settingsDefaults),
    asked: [],
    told: [],
    found: [],
    quits: [],
  };
  const updates = createUpdates({
    packageFeedUrl,
    settings: () => at.settings,
    openFeed: (url) => {
      at.asked.push(url);
      return Promise.resolve({
        newest: () => Promise.resolve(offered),
        download: () => Promise.resolve(),
        restart: () => undefined,
        ...feed,
      });
    },
    quit: () => at.quits.push(clock.nowMs),
    changed: (state) => at.told.push(state),
    found: ({ version }) => at.found.push(version),
    now: () => clock.nowMs,
    log: createLog({ write: () => undefined, now: () => clock.nowMs }),
  });
  return { ...at, updates };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('checking for a newer version', () => {
  it('happens automatically at most once a day, and reports what it found', async () => {
    const { updates, asked, found, clock } = scene({ newest: () => Promise.resolve(null) });
    updates.checkIfDue();
    await settled();
    clock.nowMs += 23 * hourMs;
    updates.checkIfDue();
    await settled();
    expect(asked).toHaveLength(1);
    clock.nowMs += hourMs;
    updates.checkIfDue();
    await settled();
    expect(asked).toHaveLength(2);
    expect(found).toEqual([]);
  });

  it('reports a version that was found automatically, and not one the user checked for', async () => {
    const alone = scene();
    alone.updates.checkIfDue();
    await settled();
    expect(alone.found).toEqual(['2.0.0']);
    const wanted = scene();
    await wanted.updates.check();
    expect(wanted.found).toEqual([]);
  });

  it('does not happen automatically if the user turned it off, and uses the feed that the user names', async () => {
    const at = scene();
    at.settings.updates = { isAutomatic: false, feedUrl: 'https://feeds.example.test/jobdeck' };
    at.updates.checkIfDue();
    await settled();
    expect(at.asked).toEqual([]);
    await at.updates.check();
    expect(at.asked).toEqual(['https://feeds.example.test/jobdeck']);
  });

  it('never happens in a copy that was not installed', async () => {
    const { updates, asked } = scene({}, null);
    updates.checkIfDue();
    expect(await updates.check()).toEqual({ kind: 'not-installed' });
    expect(asked).toEqual([]);
  });

  it('happens once if it is requested twice at the same time', async () => {
    const { updates, asked } = scene();
    await Promise.all([updates.check(), updates.check()]);
    expect(asked).toHaveLength(1);
  });
});

describe('a download', () => {
  it('is refused before there is something to download, and a restart before the download is there', async () => {
    const { updates, quits } = scene();
    expect(await updates.download()).toMatchObject({ ok: false });
    expect(updates.restart()).toMatchObject({ ok: false });
    expect(quits).toEqual([]);
  });

  it('reports its progress in steps, and installs only when everything is written and the user asked', async () => {
    const restarts: string[] = [];
    const { updates, told, quits } = scene({
      download: (onShare) => {
        for (let step = 1; step <= 10_000; step += 1) onShare(step / 10_000);
        return Promise.resolve();
      },
      restart: () => void restarts.push('restarted'),
    });
    await updates.check();
    await updates.download();
    expect(told.filter(({ kind }) => kind === 'downloading').length).toBeLessThanOrEqual(102);
    expect(updates.state()).toEqual({ kind: 'ready', offered });
    expect(updates.takeOver()).toBe(false);
    expect(restarts).toEqual([]);
    updates.restart();
    expect(quits).toHaveLength(1);
    expect(updates.takeOver()).toBe(true);
    expect(restarts).toEqual(['restarted']);
  });

  it('that fails says why, and is tried again from a check', async () => {
    const { updates } = scene({
      download: () =>
        Promise.reject(Object.assign(new Error('sha512 checksum mismatch'), { code: 'ERR_CHECKSUM_MISMATCH' })),
    });
    await updates.check();
    await updates.download();
    expect(updates.state()).toMatchObject({ kind: 'failed', during: 'download' });
    expect(await updates.check()).toEqual({ kind: 'available', offered });
  });

  it('that waits to be installed is not dropped for a check', async () => {
    const { updates, asked } = scene();
    await updates.check();
    await updates.download();
    expect(await updates.check()).toEqual({ kind: 'ready', offered });
    expect(asked).toHaveLength(1);
  });
});

describe('a failure', () => {
  const http = (statusCode: number): Error => Object.assign(new Error(`${statusCode} \n<html>…`), { statusCode });
  it.each([
    [http(503), 'The feed answered 503.'],
    [
      Object.assign(new Error('x'), { code: 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND' }),
      'The feed has no release for this system.',
    ],
    [new Error('net::ERR_NAME_NOT_RESOLVED'), 'Could not reach the feed (name not resolved).'],
    [new Error('connect ECONNREFUSED 127.0.0.1:9'), 'The feed does not answer.'],
    [new Error('something odd\n    at stack'), 'something odd.'],
  ])('%s', (thrown, sentence) => {
    expect(updateFailure('check', thrown)).toBe(sentence);
    expect(updateFailure('download', thrown)).toBe(`${sentence} Nothing was installed.`);
  });
});
