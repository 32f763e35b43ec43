let held: (() => void)[] | null = null;

/**
 * Holds what pages say to ipcMain, and with false lets all of it come, in order. In Electron a message and the end of
 * its frame travel apart, so main may hear a frame that is gone; this makes that happen when a test wants it.
 */
export function holdText(isHeld: boolean): void {
  if (isHeld) {
    held ??= [];
    return;
  }
  const late = held ?? [];
  held = null;
  for (const deliver of late) deliver();
}

/** Runs `deliver` now, or in its turn when words are held. */
export function deliverWord(deliver: () => void): void {
  if (held === null) deliver();
  else held.push(deliver);
}
