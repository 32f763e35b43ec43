import type { Clock } from '../time/clock.ts';
import { Alarm } from '../time/timers.ts';

/** How long a secret stays on the clipboard. */
const concealedMs = 60_000;
/** If another program keeps the clipboard to itself, it is read again after this time. */
const repeatAfterMs = 5_000;

/** The clipboard for secrets. They are removed after a minute and when Jobdeck quits, if they are still on it. */
export interface ConcealedClipboard {
  write(secret: string): Promise<void>;
  /** Removes our secret from the clipboard now. If it cannot be read, this is tried again later. Never rejects. */
  clear(): Promise<void>;
}

/** For each system, the format that tells clipboard managers not to keep the text. */
const marks: Partial<Record<NodeJS.Platform, { format: string; value: string }>> = {
  darwin: { format: 'org.nspasteboard.ConcealedType', value: '1' },
  win32: { format: 'ExcludeClipboardContentFromMonitorProcessing', value: '1' },
  linux: { format: 'x-kde-passwordManagerHint', value: 'secret' },
};

export interface ConcealedClipboardParts {
  clock: Clock;
  platform: NodeJS.Platform;
  /** The system's clipboard. `write` takes one text for each format. */
  clipboard: { readText(): Promise<string>; write(texts: Record<string, string>): Promise<void>; clear(): void };
}

/** Puts secrets on the clipboard, marked as such, and removes them after a minute. */
export function createConcealedClipboard({ clock, platform, clipboard }: ConcealedClipboardParts): ConcealedClipboard {
  let ours: string | null = null;
  const alarm = new Alarm(clock, () => void clear());

  async function clear(): Promise<void> {
    alarm.cancel();
    const written = ours;
    if (written === null) return;
    try {
      if ((await clipboard.readText()) === written) clipboard.clear();
      if (ours === written) ours = null;
    } catch {
      if (ours === written) alarm.set(clock.now() + repeatAfterMs);
    }
  }

  return {
    async write(secret) {
      const mark = marks[platform];
      await clipboard.write({
        'text/plain': secret,
        ...(mark === undefined ? {} : { [`electron application/osclipboard;format="${mark.format}"`]: mark.value }),
      });
      ours = secret;
      alarm.set(clock.now() + concealedMs);
    },
    clear,
  };
}
