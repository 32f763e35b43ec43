import { z } from 'zod';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { settingsDefaults, type Settings } from '../../src-preload/settings.ts';
import { isJsonObject } from '../../src-preload/json-spans.ts';
import { withSettingsChange, type SettingsChange } from '../../src-preload/settings-change.ts';
import { settings as settingsShape } from '../../src-preload/settings-schema.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import { storageFailure } from '../history/storage-failure.ts';
import { settingsText } from '../messages/engine.ts';

/** The user's choices. */
export interface SettingsStore {
  get(): Promise<Result<Settings>>;
  /** Applies a change to the newest settings and returns the result. An invalid value changes nothing. */
  change(change: SettingsChange): Promise<Result<Settings>>;
  /** The settings as last known, or the defaults before the first `get`. For code that cannot wait. */
  current(): Settings;
}

export interface SettingsParts {
  documents: Documents;
  /** Called after a change is on disk. */
  onChange: (settings: Settings) => void;
  /** Whether a text contains a known key or secret. */
  holdsSecret: (text: string) => boolean;
  log: Log;
}

const fieldsKind: DocumentKind<Record<string, unknown>, string> = {
  kind: 'settings',
  schema: z.record(z.string(), z.unknown()),
  id: byName,
};
const fieldsName = 'settings';

/**
 * Settings in one document. A missing or damaged field has its default. The text on disk stays as it is until the user
 * changes something, and fields of newer versions are kept.
 */
export function createSettings({ documents, onChange, holdsSecret, log }: SettingsParts): SettingsStore {
  const collection = openCollection(documents, fieldsKind);
  let known: Settings = { ...settingsDefaults };
  let loading: Promise<Record<string, unknown>> | null = null;

  async function load(): Promise<Record<string, unknown>> {
    const kept = await collection.find(fieldsName);
    if (kept !== null && kept.value === null) log.warn('Could not read the saved settings; the defaults apply');
    const stored = withFormerFields(kept?.value ?? {});
    const read = readSettings(stored);
    if (read.damaged.length > 0)
      log.warn('Some saved settings are not valid; their defaults apply', { fields: read.damaged });
    known = read.settings;
    return stored;
  }

  async function loaded(): Promise<Result<Record<string, unknown>>> {
    loading ??= load();
    try {
      return ok(await loading);
    } catch (error) {
      loading = null;
      return failed(storageFailure(log, settingsText.couldNotRead, error));
    }
  }

  async function change(wanted: SettingsChange): Promise<Result<Settings>> {
    const stored = await loaded();
    if (!stored.ok) return stored;
    const checked = settingsShape.safeParse(withSettingsChange(known, wanted));
    if (!checked.success) {
      const field = String(checked.error.issues[0]?.path[0] ?? '');
      return failed({ kind: 'refused', field, message: settingsText.badValue(field) });
    }
    if (wanted.presets !== undefined && holdsSecret(JSON.stringify(wanted.presets)))
      return failed({ kind: 'refused', field: 'presets', message: settingsText.secretInPreset });
    const fields = { ...stored.value, ...checked.data };
    try {
      await collection.put(fieldsName, fields);
    } catch (error) {
      return failed(storageFailure(log, settingsText.couldNotSave, error));
    }
    known = checked.data;
    loading = Promise.resolve(fields);
    onChange({ ...known });
    return ok({ ...known });
  }

  /** One after the other, so that each is applied to what the one before it left. */
  const changes = createSerialQueue();

  return {
    async get() {
      const stored = await loaded();
      return stored.ok ? ok({ ...known }) : stored;
    },
    change: (wanted) => changes.run(() => change(wanted)),
    current: () => ({ ...known }),
  };
}

/** What former versions saved, as it is saved now. */
function withFormerFields(stored: Record<string, unknown>): Record<string, unknown> {
  return withFormerNames(withFormerWidths(withFormerRetention(withFormerNotify(stored))));
}

/** Two limits had other names in former versions. */
function withFormerNames(stored: Record<string, unknown>): Record<string, unknown> {
  const presets = stored['presets'];
  return {
    ...stored,
    ...('retention' in stored && { retention: renamed(stored['retention'], 'mostBytes', 'maxBytes') }),
    ...(Array.isArray(presets) && {
      presets: presets.map((preset: unknown) =>
        isJsonObject(preset) ? { ...preset, fields: renamed(preset['fields'], 'mostLiveText', 'maxLiveText') } : preset,
      ),
    }),
  };
}

/** An object with its field `former` named `present`, unless it has both, or neither. */
function renamed(value: unknown, former: string, present: string): unknown {
  if (!isJsonObject(value) || !(former in value) || present in value) return value;
  const { [former]: kept, ...rest } = value;
  return { ...rest, [present]: kept };
}

/** In former versions only the sidebar and the list had an edge to move, and a field each. */
function withFormerWidths(stored: Record<string, unknown>): Record<string, unknown> {
  const { sidebarWidthPx: sidebar, listWidthPx: list, ...rest } = stored;
  const former = Object.entries({ sidebar, list }).filter(([, px]) => typeof px === 'number');
  if (former.length === 0 || 'paneWidthsPx' in stored) return stored;
  return { ...rest, paneWidthsPx: Object.fromEntries(former) };
}

/** In former versions a retention rule was only the age of outputs. */
function withFormerRetention(stored: Record<string, unknown>): Record<string, unknown> {
  const { forgetOutputsAfterDays: afterDays, ...rest } = stored;
  if (typeof afterDays !== 'number' || 'retention' in stored) return stored;
  return { ...rest, retention: { ...settingsDefaults.retention, afterDays } };
}

/** `notifyOn` of former versions was one choice for all outcomes. Alerts were off only if everything was. */
function withFormerNotify(stored: Record<string, unknown>): Record<string, unknown> {
  const { notifyOn, ...rest } = stored;
  if (notifyOn === undefined || 'notify' in stored) return stored;
  const failures = notifyOn === 'nothing' ? 'off' : 'notify';
  const completed = notifyOn === 'every-end' ? 'notify' : 'off';
  return { ...rest, notify: { all: { completed, failed: failures, timedOut: failures, alerts: failures }, rows: [] } };
}

/** Reads field by field, so that one damaged value does not affect the others. */
function readSettings(stored: Record<string, unknown>): { settings: Settings; damaged: string[] } {
  const sound = Object.entries(settingsShape.shape).filter(
    ([name, shape]) => name in stored && shape.safeParse(stored[name]).success,
  );
  const damaged = Object.keys(settingsShape.shape).filter(
    (name) => name in stored && !sound.some(([soundName]) => soundName === name),
  );
  const fields = Object.fromEntries(sound.map(([name]) => [name, stored[name]]));
  return { settings: settingsShape.parse({ ...settingsDefaults, ...fields }), damaged };
}
