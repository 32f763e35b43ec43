import type { Failure } from '../../src-preload/failure.ts';
import { withSettingsChange, type SettingsChange } from '../../src-preload/settings-change.ts';
import { settingsDefaults, type Settings } from '../../src-preload/settings.ts';
import { call, on } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { showChanged, useSession } from './session-store.ts';

/** Changes that the engine has not answered yet, the earliest first, and the settings without them. */
let unanswered: SettingsChange[] = [];
let engineSettings = settingsDefaults;

/**
 * Changes settings here immediately, and in the engine, which applies the change to the newest settings. What it says
 * of them then applies here as well, with the changes that it has not answered yet. Returns why it failed, or null.
 */
export async function changeSettings(change: SettingsChange): Promise<Failure | null> {
  if (unanswered.length === 0) engineSettings = useSession.getState().settings;
  unanswered = [...unanswered, change];
  takeSettings(engineSettings);
  const result = await call('settings:change', change);
  unanswered = unanswered.filter((one) => one !== change);
  // The engine's settings with this change came as an event before the answer, which may be older than the last event.
  takeSettings(engineSettings);
  return result.ok ? null : result.failure;
}

/** Changes settings. A failure is shown as a toast. */
export async function chooseSettings(change: SettingsChange): Promise<void> {
  const failure = await changeSettings(change);
  if (failure !== null) toast(failure.message);
}

/** Starts listening to changes of the settings. main.tsx calls it once, together with `listenToEngine`. */
export function listenToSettings(): void {
  on('settings:changed', takeSettings);
}

/** Takes the settings as the engine has them. */
function takeSettings(settings: Settings): void {
  engineSettings = settings;
  showChanged({ settings: unanswered.reduce(withSettingsChange, settings) });
}
