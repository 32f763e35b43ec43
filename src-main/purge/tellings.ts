/** Purges are told of anew at most this often. */
const tellingGapMs = 1_000;

/** Who waits to be told of, each once however often it changed meanwhile. */
export interface Tellings {
  soon(id: string): void;
}

/**
 * Tells of what changed at once, then no more often than every second: ten thousand purged jobs answer one by one, and
 * each telling looks all of them up in the thread that also saves.
 */
export function createTellings({
  tell,
  pause,
  onTrouble,
}: {
  tell: (id: string) => Promise<void>;
  pause: (ms: number) => Promise<void>;
  onTrouble: (error: unknown) => void;
}): Tellings {
  const changed = new Set<string>();
  let isUnderWay = false;

  async function tellAll(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    while (changed.size > 0) {
      const ids = [...changed];
      changed.clear();
      for (const id of ids) await tell(id).catch(onTrouble);
      await pause(tellingGapMs);
    }
    isUnderWay = false;
  }

  return {
    soon(id) {
      changed.add(id);
      void tellAll();
    },
  };
}
