import { describe, expect, it } from 'vitest';
import { matches, parseAccelerator } from '../../electron-stand-in/accelerator.ts';
import { menuRole } from '../../electron-stand-in/menu-roles.ts';
import { Menu, clickIn, pictureOf, pressAccelerator } from '../../electron-stand-in/menu.ts';

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

  // keyboard_util.cc: KeyboardCodeFromKeyIdentifier; accelerator_util.cc: StringToAccelerator.
  it.each(['CmdOrCtrl+Foo', 'CmdOrCtrl+ArrowUp', 'CmdOrCtrl+F25', 'Ctrl+Shift', '', 'CmdOrCtrl+ü'])(
    'without a key that Electron knows is none (%s)',
    (accelerator) => {
      expect(parseAccelerator(accelerator, 'linux')).toBeNull();
    },
  );

  it('means Shift by a character that is typed with it', () => {
    expect(parseAccelerator('Ctrl+?', 'linux')).toMatchObject({ ctrl: true, shift: true, key: '?' });
    expect(parseAccelerator('CmdOrCtrl+F24', 'darwin')).toMatchObject({ meta: true, shift: false, key: 'f24' });
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

  // Electron’s lib/browser/api/menu: buildFromTemplate, removeExtraSeparators; lib/browser/api/menu-item.
  it.each([
    ['no template', {}, 'Menu template must be an array'],
    ['an item without label, role and type', [{ click() {} }], 'must have at least one of label, role or type'],
    ['a submenu that is none', [{ label: 'More', type: 'submenu' }], 'Invalid submenu'],
    ['a type that does not exist', [{ label: 'x', type: 'slider' }], 'Unknown menu item type: slider'],
  ])('is refused with %s', (_name, template, message) => {
    expect(() => Reflect.apply(Menu.buildFromTemplate, Menu, [template])).toThrow(message);
  });

  it('keeps one of neighbouring separators, and none at its ends', () => {
    const line = { type: 'separator' as const };
    const menu = Menu.buildFromTemplate([line, { label: 'a' }, line, line, { label: 'b' }, line]);
    expect(pictureOf(menu).map(({ label, type }) => label || type)).toEqual(['a', 'separator', 'b']);
  });

  it('marks one radio item between two separators', () => {
    const radio = (label: string) => ({ label, type: 'radio' as const, id: label });
    const menu = Menu.buildFromTemplate([
      radio('a'),
      { ...radio('b'), checked: true },
      { type: 'separator' },
      { ...radio('c'), checked: true },
    ]);
    clickIn(menu, ['a'], undefined);
    expect(pictureOf(menu).map(({ checked }) => checked)).toEqual([true, false, false, true]);
  });

  // Electron’s lib/browser/api/menu-item-roles: roleList.
  it('has Electron’s labels, keys and submenus by role, on each system', () => {
    const app = { name: () => 'Fixture', quit: () => undefined };
    expect(menuRole('quit', app, 'win32')).toMatchObject({ label: 'Exit', accelerator: undefined });
    expect(menuRole('quit', app, 'linux')).toMatchObject({ label: 'Quit', accelerator: 'CommandOrControl+Q' });
    expect(menuRole('quit', app, 'darwin')).toMatchObject({ label: 'Quit Fixture' });
    const labels = (role: string): string[] =>
      pictureOf(Menu.buildFromTemplate([{ role }]))[0]?.submenu?.map(({ label, type }) => label || type) ?? [];
    expect(labels('windowMenu')).toEqual(['Minimize', 'Zoom', 'Close']);
    expect(labels('editMenu')).toEqual([
      'Undo',
      'Redo',
      'separator',
      'Cut',
      'Copy',
      'Paste',
      'Delete',
      'separator',
      'Select All',
    ]);
  });

  it('leaves the keys of editing to the page', () => {
    const menu = Menu.buildFromTemplate([{ role: 'editMenu' }]);
    expect(pressAccelerator(key('a', 'KeyA', ['ctrl']), undefined, menu)).toBe(false);
    expect(pressAccelerator(key('c', 'KeyC', ['ctrl']), undefined, menu)).toBe(false);
  });

  it('refuses roles and options it does not know', () => {
    expect(() => Menu.buildFromTemplate([{ role: 'fly' }])).toThrow('menu role "fly"');
    const winged = { label: 'x', wings: 2 };
    expect(() => Menu.buildFromTemplate([winged])).toThrow('option "wings" of MenuItem');
  });
});
