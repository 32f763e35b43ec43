import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Documents } from '../../../src-main/history/collection.ts';
import type { History } from '../../../src-main/history/history.ts';
import { createLog } from '../../../src-main/log.ts';
import { createSettings } from '../../../src-main/settings/settings.ts';
import type { SettingsStore } from '../../../src-main/settings/settings.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import type { SettingsChange } from '../../../src-preload/settings-change.ts';
import type { Preset, Settings } from '../../../src-preload/settings.ts';
import { openTestHistory } from '../../kit/threads.ts';

let folder = '';
let history: History;
let told: Settings[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobdeck-settings-'));
  history = (await openTestHistory({ path: join(folder, 'history.db'), now: () => 0 })).history;
  told = [];
});
afterEach(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(documents: Documents = history): SettingsStore {
  return createSettings({
    documents,
    onChange: (settings) => told.push(settings),
    holdsSecret: (text) => text.includes('sk-known'),
    log: createLog({ write: () => undefined, now: () => 0 }),
  });
}

describe('settings', () => {
  it('are the defaults at first, and write nothing', async () => {
    expect(await open().get()).toEqual({ ok: true, value: settingsDefaults });
    expect(await history.readDocument('settings', 'settings')).toBeNull();
  });

  it('are saved field by field and reported once on disk', async () => {
    const settings = open();
    expect(settings.current()).toEqual(settingsDefaults);
    await settings.change({ theme: 'dark', density: undefined });
    expect(await settings.change({ rateShare: 0.5 })).toMatchObject({
      ok: true,
      value: { theme: 'dark', density: 'comfortable', rateShare: 0.5 },
    });
    expect(told).toHaveLength(2);
    expect(settings.current()).toEqual(told[1]);
    expect(await open().get()).toEqual({ ok: true, value: told[1] });
  });

  it('contain no preset with a key or a secret', async () => {
    const settings = open();
    expect(await settings.change({ presets: added(preset('{"token": "sk-known-1234"}')) })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'presets' },
    });
    expect(JSON.stringify(await history.readDocument('settings', 'settings'))).not.toContain('sk-known');
    expect(await settings.change({ presets: added(preset('{"prompt": "fog"}')) })).toMatchObject({ ok: true });
  });

  it('let a preset be counted and deleted beside one with a text that became a key since', async () => {
    const [leaking, plain] = [preset('{"token": "sk-known-1234"}'), preset('{"prompt": "fog"}')];
    await history.putDocument(
      'settings',
      'settings',
      JSON.stringify({ presets: [leaking, { ...plain, id: 'plain' }] }),
    );
    const settings = open();
    expect(await settings.change({ presets: { kind: 'count-use', id: 'plain' } })).toMatchObject({ ok: true });
    expect(await settings.change({ presets: { kind: 'remove', id: 'plain' } })).toMatchObject({
      ok: true,
      value: { presets: [{ id: leaking.id }] },
    });
  });

  it('of a former version keep their notification settings', async () => {
    const rulesOf = async (notifyOn: string): Promise<unknown> => {
      await history.putDocument('settings', 'settings', JSON.stringify({ theme: 'dark', notifyOn }));
      const read = await open().get();
      return read.ok ? read.value.notify : null;
    };
    const off = { completed: 'off', failed: 'off', timedOut: 'off', alerts: 'off' };
    expect(await rulesOf('every-end')).toEqual(settingsDefaults.notify);
    expect(await rulesOf('failures')).toEqual({
      ...settingsDefaults.notify,
      all: { ...settingsDefaults.notify.all, completed: 'off' },
    });
    expect(await rulesOf('nothing')).toEqual({ all: off, rows: [] });
  });

  it('of a former version keep the age after which outputs are deleted', async () => {
    await history.putDocument('settings', 'settings', JSON.stringify({ forgetOutputsAfterDays: 30 }));
    const retention = { afterDays: 30, areInputsDeleted: false, maxBytes: null };
    expect(await open().get()).toMatchObject({ ok: true, value: { retention } });
  });

  it('of a former version keep the size that the history may have, and the limits in presets', async () => {
    const settings = open();
    await settings.change({
      retention: { ...settingsDefaults.retention, maxBytes: 5e9 },
      presets: added(preset('{}')),
    });
    const saved = await history.readDocument('settings', 'settings');
    const former = String(saved).replace('"maxBytes"', '"mostBytes"').replace('"maxLiveText":""', '"mostLiveText":"4"');
    await history.putDocument('settings', 'settings', former);
    expect(await open().get()).toMatchObject({
      ok: true,
      value: { retention: { maxBytes: 5e9 }, presets: [{ fields: { maxLiveText: '4' } }] },
    });
  });

  it('of a former version keep the widths of the sidebar and the list', async () => {
    await history.putDocument('settings', 'settings', JSON.stringify({ sidebarWidthPx: 300, listWidthPx: null }));
    expect(await open().get()).toMatchObject({ ok: true, value: { paneWidthsPx: { sidebar: 300 } } });
  });

  it('keep two simultaneous changes', async () => {
    const settings = open();
    await Promise.all([settings.change({ theme: 'light' }), settings.change({ isSidebarFolded: true })]);
    expect(await open().get()).toMatchObject({ value: { theme: 'light', isSidebarFolded: true } });
  });

  it('keep each of two simultaneous changes of one list, and each choice of one group', async () => {
    const settings = open();
    await Promise.all([
      settings.change({ presets: added(preset('{}')), quietHours: { isOn: true } }),
      settings.change({ presets: added({ ...preset('{}'), id: 'q' }), quietHours: { fromMinute: 60 } }),
      settings.change({ presets: { kind: 'count-use', id: 'p' } }),
      settings.change({ presets: { kind: 'count-use', id: 'p' } }),
    ]);
    expect(await open().get()).toMatchObject({
      value: {
        presets: [
          { id: 'q', usedCount: 0 },
          { id: 'p', usedCount: 2 },
        ],
        quietHours: { ...settingsDefaults.quietHours, isOn: true, fromMinute: 60 },
      },
    });
  });

  it('refuse an invalid value, name the field, and do not change', async () => {
    const settings = open();
    expect(await settings.change({ theme: 'dark', rateShare: 4 })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'rateShare' },
    });
    expect(await settings.get()).toEqual({ ok: true, value: settingsDefaults });
    expect(told).toEqual([]);
  });

  it('fall back field by field, and leave the text unchanged until something changes', async () => {
    const text = '{"theme":"dark","density":"huge","rateShare":"a lot","fromNewerVersion":7}';
    await history.putDocument('settings', 'settings', text);
    const settings = open();
    expect(await settings.get()).toEqual({ ok: true, value: { ...settingsDefaults, theme: 'dark' } });
    expect(await history.readDocument('settings', 'settings')).toBe(text);
    await settings.change({ density: 'compact' });
    expect(JSON.parse((await history.readDocument('settings', 'settings')) ?? '')).toEqual({
      ...settingsDefaults,
      theme: 'dark',
      density: 'compact',
      fromNewerVersion: 7,
    });
  });

  it.each(['{"theme":', '[1,2]', 'null', ''])('use the defaults for the text %j', async (text) => {
    await history.putDocument('settings', 'settings', text);
    expect(await open().get()).toEqual({ ok: true, value: settingsDefaults });
    expect(await history.readDocument('settings', 'settings')).toBe(text);
  });

  it('report a disk that refuses, change nothing, and can be read again later', async () => {
    let isBroken = true;
    const refuse = () => Promise.reject(new Error('disk I/O error'));
    const settings = open({
      ...history,
      readDocument: (kind, id) => (isBroken ? refuse() : history.readDocument(kind, id)),
      putDocument: (kind, id, json) => (isBroken ? refuse() : history.putDocument(kind, id, json)),
    });
    expect(await settings.get()).toMatchObject({ ok: false, failure: { kind: 'storage', detail: 'disk I/O error' } });
    isBroken = false;
    expect(await settings.get()).toEqual({ ok: true, value: settingsDefaults });
    isBroken = true;
    expect(await settings.change({ theme: 'dark' })).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(settings.current()).toEqual(settingsDefaults);
    expect(told).toEqual([]);
  });
});

const added = (item: Preset): SettingsChange['presets'] => ({ kind: 'add', item, place: 0 });

function preset(inputText: string): Preset {
  return {
    id: 'p',
    name: 'Product shot',
    connectionId: 'c',
    endpointId: 'e',
    usedCount: 0,
    flavour: null,
    savedAtMs: 1,
    fields: {
      operation: 'run',
      inputText,
      waitText: '',
      executionTimeoutText: '',
      ttlText: '',
      isLowPriority: false,
      isKeptWhole: true,
      webhook: '',
      s3ProfileId: '',
      tagsText: '',
      maxLiveText: '',
      stopAfterFailuresText: '',
      variables: [],
    },
  };
}
