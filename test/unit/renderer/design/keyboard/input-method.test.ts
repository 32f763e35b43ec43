import { afterEach, expect, test, vi } from 'vitest';
import { leaveKeysToInputMethod } from '../../../../../src-renderer/design/keyboard/input-method.ts';

/** Stands for both classes of fields. */
class Field {
  readonly kind = 'field';
}

afterEach(() => void vi.unstubAllGlobals());

/** Whether a key press reaches what listens in the page. */
function reaches(target: object, isComposing: boolean): boolean {
  const keyboard = new EventTarget();
  vi.stubGlobal('window', keyboard);
  vi.stubGlobal('HTMLInputElement', Field);
  vi.stubGlobal('HTMLTextAreaElement', Field);
  leaveKeysToInputMethod();
  const stopped = vi.fn<() => void>();
  const event = Object.assign(new Event('keydown'), { key: 'Enter', isComposing });
  keyboard.dispatchEvent(Object.assign(event, { composedPath: () => [target], stopPropagation: stopped }));
  return stopped.mock.calls.length === 0;
}

test('a field gets no key that belongs to an input method', () => {
  expect(reaches(new Field(), true)).toBe(false);
  expect(reaches(new Field(), false)).toBe(true);
});

test('the input editor gets each key, because it knows them itself', () => {
  expect(reaches({}, true)).toBe(true);
});
