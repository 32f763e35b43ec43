/** Presses in quick succession are one: a double click, Enter twice, a key that is held. Milliseconds. */
const onePressMs = 500;
let lastPress = { action: '', atMs: -Infinity };

/**
 * Whether this only repeats the last press, so that no job is sent a second time: after a retry, the same key or button
 * runs the job again as a new one. `action`: what is sent, by its key.
 */
export function isSamePress(action: string): boolean {
  const atMs = pressedAtMs();
  const isSame = lastPress.action === action && atMs - lastPress.atMs < onePressMs;
  lastPress = { action, atMs };
  return isSame;
}

/**
 * When the press that is being handled happened. A busy window handles it later, and the second of a double click later
 * still. Without an event, as for an item of the system's menu, it is now.
 */
function pressedAtMs(): number {
  const event: unknown = Reflect.get(globalThis, 'event');
  return event instanceof Event ? event.timeStamp : performance.now();
}

/** Another action came between, so the next press is a decision of its own. */
export function endPress(): void {
  lastPress = { action: '', atMs: -Infinity };
}
