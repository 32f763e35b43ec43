let held: (() => void)[] | null = null;

/**
 * Holds messages from pages to ipcMain. With false, delivers all of them, in order. In Electron a message and the end
 * of its frame travel separately, so main may get a message of a frame that is gone. A test can make that happen with
 * this.
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

/** Runs `deliver` now, or in order later while messages are held. */
export function deliverMessage(deliver: () => void): void {
  if (held === null) deliver();
  else held.push(deliver);
}
