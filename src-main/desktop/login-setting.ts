import { createSerialQueue } from '../async/queues.ts';
import { errorText } from '../async/error-text.ts';

/** What the system starts at login, as it says itself. */
export interface LoginSystem {
  isOn(): Promise<boolean>;
  /** Rejects, with the reason, where the system refuses. */
  set(isOn: boolean): Promise<void>;
  /** Linux: has what it starts be this program, for an AppImage may lie elsewhere by now. */
  renew?(): Promise<void>;
}

export interface LoginSettingParts {
  system: LoginSystem;
  /** Changes the setting to what the system does. */
  follow: (isOn: boolean) => void;
  /** The system refused what the setting asks for. */
  refused: (detail: string) => void;
}

/**
 * Keeps the setting and the system alike. Where the user switched it off in the system since the last run, the setting
 * follows; the system is changed only when the setting is, and what it then says counts.
 */
export function createLoginSetting({ system, follow, refused }: LoginSettingParts): { settingIs(isOn: boolean): void } {
  const queue = createSerialQueue();
  let known: boolean | null = null;

  async function begin(wanted: boolean): Promise<void> {
    // One that was never asked for is not looked for either: another copy of Jobdeck may have set it.
    known = wanted && (await system.isOn().catch(() => wanted));
    if (known !== wanted) follow(known);
    // Where that fails, what was there before stays.
    else if (known) await system.renew?.().catch(() => undefined);
  }

  async function change(wanted: boolean): Promise<void> {
    const before = known;
    known = wanted;
    try {
      await system.set(wanted);
      known = await system.isOn();
      if (known !== wanted) refused('It did not keep the change.');
    } catch (error) {
      known = before ?? !wanted;
      refused(errorText(error));
    }
    if (known !== wanted) follow(known);
  }

  return {
    settingIs: (wanted) =>
      void queue.run(async () => {
        if (known === null) await begin(wanted);
        else if (known !== wanted) await change(wanted);
      }),
  };
}
