import { afterEach, describe, expect, it } from 'vitest';
import { ClipboardItem, clipboard } from '../../electron-stand-in/clipboard.ts';
import { dialog } from '../../electron-stand-in/dialog.ts';
import { globalShortcut } from '../../electron-stand-in/global-shortcut.ts';
import { Menu } from '../../electron-stand-in/menu.ts';
import { nativeImage } from '../../electron-stand-in/native-image.ts';
import { Notification, failNotifications } from '../../electron-stand-in/notification.ts';
import { records } from '../../electron-stand-in/records.ts';
import { safeStorage } from '../../electron-stand-in/safe-storage.ts';
import { screen } from '../../electron-stand-in/screen.ts';
import { shell } from '../../electron-stand-in/shell.ts';
import { Tray, drawnTooltip } from '../../electron-stand-in/tray.ts';

/** Calls a method with arguments of any type. */
const call = (target: object, method: string, ...args: unknown[]): unknown =>
  Reflect.apply(Reflect.get(target, method), target, args);

describe('a dialog', () => {
  // Electron’s lib/browser/api/dialog: messageBox, saveDialog and openDialog check before there is a promise.
  it.each([
    ['showMessageBox', { message: 1 }, 'Message must be a string'],
    ['showMessageBox', { message: '', detail: null }, 'Detail must be a string'],
    ['showMessageBox', { message: '', type: 'fatal' }, 'Invalid message box type'],
    ['showMessageBox', { message: '', buttons: 'Yes' }, 'Buttons must be an array'],
    ['showMessageBox', { message: '', noLink: 1 }, 'noLink must be a boolean'],
    ['showMessageBox', { message: '', checkboxChecked: true }, 'requires that checkboxLabel also be passed'],
    ['showSaveDialog', { title: 1 }, 'Title must be a string'],
    ['showSaveDialog', { defaultPath: new URL('file:///x') }, 'Default path must be a string'],
    ['showSaveDialog', { nameFieldLabel: 1 }, 'Name field label must be a string'],
    ['showOpenDialog', { properties: 'openFile' }, 'Properties must be an array'],
    ['showOpenDialog', { buttonLabel: 1 }, 'Button label must be a string'],
    ['showErrorBox', 1, 'conversion failure from 1'],
  ])('%s throws for %o, and does not reject', (method, given, message) => {
    expect(() => call(dialog, method, given)).toThrow(message);
  });

  it('is cancelled by the button that Electron takes for it', async () => {
    const cancelled = (options: object): unknown => call(dialog, 'showMessageBox', { message: '', ...options });
    expect(await cancelled({ buttons: ['Yes', 'No'] })).toMatchObject({ response: 1 });
    expect(await cancelled({ buttons: ['Keep', 'Delete'], defaultId: 0 })).toMatchObject({ response: 1 });
    expect(await cancelled({ buttons: ['Keep', 'Delete'], defaultId: 1 })).toMatchObject({ response: 0 });
    expect(await cancelled({ signal: AbortSignal.abort(), cancelId: 3 })).toEqual({
      cancelId: 3,
      checkboxChecked: false,
    });
  });

  // file_dialog_converter.cc: Filter.
  it('shows no file types at all if one of them cannot be read', async () => {
    await call(dialog, 'showSaveDialog', { filters: [{ name: 'All', extensions: ['*'] }, { name: 'None' }] });
    expect(records.dialogs.at(-1)?.options).toMatchObject({ filters: [] });
  });
});

describe('the tray', () => {
  const image = nativeImage.createEmpty();

  // notify_icon.cc: SetToolTip, CopyStringToBuf; electron/electron#14373.
  it('draws on Windows one ampersand of three, and 127 characters', () => {
    expect(drawnTooltip('R&D, R&&D, R&&&D', 'win32')).toBe('RD, RD, R&D');
    expect(drawnTooltip('R&D', 'linux')).toBe('R&D');
    expect(drawnTooltip('x'.repeat(200), 'win32')).toHaveLength(127);
    expect(drawnTooltip('x'.repeat(200), 'darwin')).toHaveLength(200);
  });

  // electron_api_tray.cc: CheckAlive, SetContextMenu; electron_api_native_image.cc: TryConvertNativeImage.
  it('throws what Electron throws, and for everything once it is destroyed', () => {
    expect(() => new Tray('no-such-image.png')).toThrow("Failed to load image from path 'no-such-image.png'");
    const tray = new Tray(image);
    expect(() => call(tray, 'setToolTip', 1)).toThrow('conversion failure from 1');
    expect(() => call(tray, 'setContextMenu', {})).toThrow('Must pass Menu or null');
    tray.setContextMenu(new Menu());
    expect(() => call(tray, 'popUpContextMenu', undefined)).toThrow('conversion failure from undefined');
    expect(call(tray, 'popUpContextMenu')).toBeUndefined();
    tray.destroy();
    tray.destroy();
    for (const method of ['setImage', 'setToolTip', 'setContextMenu', 'popUpContextMenu', 'getBounds', 'getTitle'])
      expect(() => call(tray, method)).toThrow('Tray is destroyed');
  });

  it('has a picture of the kind that only Windows reads on Windows alone', () => {
    const { tray } = { tray: nativeImage.createFromPath('resources/icon.ico') };
    expect(tray.isEmpty()).toBe(process.platform !== 'win32');
    expect(nativeImage.createFromPath('resources/icon.png').isEmpty()).toBe(false);
  });
});

describe('the system', () => {
  afterEach(() => failNotifications(null));

  // keyboard_util.cc, accelerator_converter.h.
  it('registers no keys that it does not know', () => {
    expect(() => globalShortcut.register('CmdOrCtrl+Foo', () => undefined)).toThrow(
      'Error processing argument at index 0, conversion failure from CmdOrCtrl+Foo',
    );
    expect(globalShortcut.register('CmdOrCtrl+Shift+Space', () => undefined)).toBe(true);
  });

  // gfx_converter.cc: Rect.
  it('finds a display for whole numbers alone', () => {
    expect(screen.getDisplayMatching({ x: 1, y: 1, width: 1, height: 1 })).toMatchObject({ id: 1 });
    for (const given of [{ x: 1.5, y: 1, width: 1, height: 1 }, { x: 1, y: 1, width: 3e9, height: 1 }, { x: 1 }])
      expect(() => screen.getDisplayMatching(given)).toThrow('conversion failure');
  });

  // libnotify_notification.cc: Show.
  it.runIf(process.platform === 'linux')('refuses a notification on Linux at once, without a reason', () => {
    failNotifications('no daemon');
    const notification = new Notification({ title: 'unheard' });
    const told: unknown[] = [];
    notification.on('failed', (_event, reason) => told.push(reason));
    notification.show();
    expect(told).toEqual(['']);
  });

  // electron_api_shell.cc, platform_util_win.cc: OpenPathOnThread.
  it('opens only what is there', async () => {
    expect(await shell.openPath('no/such/file.txt')).toBe('Failed to open path');
    expect(() => call(shell, 'openExternal', 1)).toThrow('conversion failure from 1');
  });

  // Electron’s lib/browser/api/clipboard and clipboard-item.
  it('copies texts and items, and nothing else', async () => {
    expect(() => call(clipboard, 'writeText', 1)).toThrow('conversion failure from 1');
    await expect(call(clipboard, 'write', 'a text')).rejects.toThrow('expects an array of ClipboardItem');
    expect(() => new ClipboardItem({})).toThrow('at least one MIME type is required');
    await clipboard.write([new ClipboardItem({ 'text/plain': 'copied' })]);
    expect(await clipboard.readText()).toBe('copied');
  });

  // electron_api_safe_storage.cc: decryptStringAsync.
  it('decrypts bytes alone', async () => {
    await expect(call(safeStorage, 'decryptStringAsync', 'v10')).rejects.toThrow('to be a buffer');
    expect(await safeStorage.decryptStringAsync(Buffer.alloc(0))).toEqual({ shouldReEncrypt: false, result: '' });
  });
});
