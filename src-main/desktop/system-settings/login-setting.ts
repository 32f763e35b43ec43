import { createSerialQueue } from '../../async/queues.ts';
import { errorText } from '../../async/error-text.ts';
import { startupText } from '../../messages/desktop/system-entries.ts';

/** The system's setting of what starts at login. */
export interface LoginSystem {
  isOn(): Promise<boolean>;
  /** Rejects with the reason if the system refuses. */
  set(isOn: boolean): Promise<void>;
  /** Linux: updates the entry to this program, because an AppImage may have been moved. */
  renew?(): Promise<void>;
}

export interface LoginSettingParts {
  system: LoginSystem;
  /** Changes Jobdeck's setting to that of the system. */
  follow: (isOn: boolean) => void;
  /** Called if the system refused the change. */
  refused: (detail: string) => void;
}

/**
 * Keeps Jobdeck's setting and the system's in step. If the user disabled it in the system since the last run, Jobdeck's
 * setting follows. The system is changed only when Jobdeck's setting is, and its answer then applies.
 */
export function createLoginSetting({ system, follow, refused }: LoginSettingParts): { settingIs(isOn: boolean): void } {
  const queue = createSerialQueue();
  let known: boolean | null = null;

  async function begin(wanted: boolean): Promise<void> {
    // If the user never enabled it, the system is not read either: another copy of Jobdeck may have set it.
    known = wanted && (await system.isOn().catch(() => wanted));
    if (known !== wanted) follow(known);
    // If that fails, the entry stays as it was.
    else if (known) await system.renew?.().catch(() => undefined);
  }

  async function change(wanted: boolean): Promise<void> {
    const before = known;
    known = wanted;
    try {
      await system.set(wanted);
      known = await system.isOn();
      if (known !== wanted) refused(startupText.notSaved);
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
