import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plainKeyListener } from '../../../../../src-renderer/design/keyboard/use-keys.ts';

beforeEach(() => {
  // No key is pressed in a field, and nothing covers the pane.
  vi.stubGlobal('HTMLElement', Map);
  vi.stubGlobal('document', { querySelector: () => null });
});

afterEach(() => void vi.unstubAllGlobals());

/** A pane with these keys: a function that presses a key and returns whether the browser does nothing with it. */
function paneWith(keys: readonly string[]): {
  press: (key: string, repeat?: boolean, ctrlKey?: boolean) => boolean;
  acted: string[];
} {
  const acted: string[] = [];
  const listener = plainKeyListener(({ key }) => {
    acted.push(key);
    return keys.includes(key);
  });
  const press = (key: string, repeat = false, ctrlKey = false): boolean => {
    const event = new Event('keydown', { cancelable: true });
    const plain = { shiftKey: false, metaKey: false, altKey: false, isComposing: false };
    listener(Object.assign(event, plain, { key, repeat, ctrlKey }));
    return event.defaultPrevented;
  };
  return { press, acted };
}

test('a key that is held acts once, and the browser does nothing with it as long as it is held', () => {
  const { press, acted } = paneWith(['r', 'Enter']);
  expect([press('r'), press('r', true), press('r', true)]).toEqual([true, true, true]);
  expect([press('Enter'), press('Enter', true)]).toEqual([true, true]);
  expect(acted).toEqual(['r', 'Enter']);
});

test('a key that means nothing here stays with the browser when it is held, and one that moves continues', () => {
  const { press, acted } = paneWith(['r', 'F8']);
  press('r');
  expect([press('PageDown'), press('PageDown', true)]).toEqual([false, false]);
  press('r');
  expect([press('Enter', false, true), press('Enter', true)]).toEqual([false, false]);
  expect([press('F8'), press('F8', true), press('F8', true)]).toEqual([true, true, true]);
  expect(acted).toEqual(['r', 'PageDown', 'r', 'F8', 'F8', 'F8']);
});
