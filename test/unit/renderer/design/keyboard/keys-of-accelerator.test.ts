import { expect, test } from 'vitest';
import { keyName, keysOfAccelerator } from '../../../../../src-renderer/design/keyboard/platform.ts';

test.each([
  ['CmdOrCtrl+J', '⌘ J', 'Ctrl J'],
  ['Ctrl+Shift+N', '⌃ ⇧ N', 'Ctrl Shift N'],
  ['Ctrl+Alt+F5', '⌃ ⌥ F5', 'Ctrl Alt F5'],
])('%s is written %s on macOS and %s elsewhere', (accelerator, onMac, elsewhere) => {
  const shown = (isMac: boolean): string =>
    keysOfAccelerator(accelerator)
      .map((key) => keyName(key, isMac))
      .join(' ');
  expect([shown(true), shown(false)]).toEqual([onMac, elsewhere]);
});
