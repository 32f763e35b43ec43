import { describe, expect, it } from 'vitest';
import { Menu, clickIn, matches, pictureOf, pressAccelerator } from '../../electron-stand-in/menu.ts';

const key = (name: string, code: string, held: string[] = []): Parameters<typeof matches>[1] => ({
  type: 'key',
  key: name,
  code,
  ctrl: held.includes('ctrl'),
  meta: held.includes('meta'),
  alt: held.includes('alt'),
  shift: held.includes('shift'),
});

describe('an accelerator', () => {
  const main = process.platform === 'darwin' ? 'meta' : 'ctrl';
  it.each([
    ['CmdOrCtrl+N', key('n', 'KeyN', [main]), true],
    ['CmdOrCtrl+N', key('N', 'KeyN', [main, 'shift']), false],
    ['CmdOrCtrl+Shift+N', key('N', 'KeyN', [main, 'shift']), true],
    ['Alt+F4', key('F4', 'F4', ['alt']), true],
    ['CmdOrCtrl+1', key('1', 'Digit1', [main]), true],
    ['Ctrl+Up', key('ArrowUp', 'ArrowUp', ['ctrl']), true],
    ['F5', key('F5', 'F5'), true],
    ['CmdOrCtrl+Plus', key('+', 'Equal', [main, 'shift']), true],
    ['CmdOrCtrl+Plus', key('=', 'Equal', [main]), false],
    ['CmdOrCtrl+=', key('=', 'Equal', [main]), true],
    ['CmdOrCtrl+numsub', key('-', 'NumpadSubtract', [main]), true],
    ['CmdOrCtrl+N', key('n', 'KeyN'), false],
  ])('%s', (accelerator, pressed, isIt) => {
    expect(matches(accelerator, pressed)).toBe(isIt);
  });

  it('runs the enabled item it belongs to, in any submenu', () => {
    const ran: string[] = [];
    const menu = Menu.buildFromTemplate([
      {
        label: 'File',
        submenu: [
          { label: 'Off', accelerator: 'F2', enabled: false, click: () => ran.push('off') },
          { label: 'On', accelerator: 'F2', click: () => ran.push('on') },
        ],
      },
    ]);
    expect(pressAccelerator(key('F2', 'F2'), undefined, menu)).toBe(true);
    expect(pressAccelerator(key('F3', 'F3'), undefined, menu)).toBe(false);
    expect(ran).toEqual(['on']);
  });
});

describe('a menu', () => {
  it('switches checkboxes when clicked', () => {
    const menu = Menu.buildFromTemplate([{ label: 'Paused', type: 'checkbox', id: 'paused' }]);
    clickIn(menu, ['Paused'], undefined);
    expect(menu.getMenuItemById('paused')?.checked).toBe(true);
  });

  it('draws an ampersand only where two were given, as Electron does', () => {
    const menu = Menu.buildFromTemplate([{ label: 'R&D', id: 'one' }, { label: 'R&&D && more&' }]);
    expect(pictureOf(menu).map(({ label }) => label)).toEqual(['RD', 'R&D & more']);
    clickIn(menu, ['R&D & more'], undefined);
    expect(() => clickIn(menu, ['R&D'], undefined)).toThrow('no item "R&D"');
  });

  it('refuses roles and options it does not know', () => {
    expect(() => Menu.buildFromTemplate([{ role: 'fly' }])).toThrow('menu role "fly"');
    const winged = { label: 'x', wings: 2 };
    expect(() => Menu.buildFromTemplate([winged])).toThrow('option "wings" of MenuItem');
  });
});
