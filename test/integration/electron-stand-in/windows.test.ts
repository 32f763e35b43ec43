import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixture } from './fixture-app.ts';
import type { Fixture } from './fixture-app.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

/** The events main saw of one window, in order. */
async function eventsOf(id: number): Promise<unknown[]> {
  return (await fixture.seen()).filter(([, of]) => of === id).map(([name]) => name);
}

describe('a window', () => {
  it('opens hidden, becomes ready, is shown and focused', async () => {
    const id = await fixture.call<number>('open', { route: '/opened' });
    const page = await fixture.app.waitForWindow('/opened');
    await expect.poll(() => eventsOf(id)).toEqual(['show', 'ready-to-show', 'focus']);
    expect(await fixture.app.windowStates()).toContainEqual(
      expect.objectContaining({ id, isVisible: true, isFocused: true, url: page.url() }),
    );
    await fixture.call('window', { id, act: 'destroy' });
    await expect.poll(() => page.isClosed()).toBe(true);
    expect(await eventsOf(id)).not.toContain('close');
  });

  it('closes when asked, unless the app prevents it', async () => {
    const id = await fixture.call<number>('open', { route: '/closing' });
    const page = await fixture.app.waitForWindow('/closing');
    await fixture.call('preventClose', true);
    await fixture.call('window', { id, act: 'close' });
    await expect.poll(() => eventsOf(id)).toContain('close');
    expect(page.isClosed()).toBe(false);
    await fixture.call('preventClose', false);
    await page.evaluate('window.close()');
    await expect.poll(() => page.isClosed()).toBe(true);
    expect(await eventsOf(id)).toEqual(expect.arrayContaining(['close', 'closed']));
  });

  // electron_api_base_window.cc: OnWindowClosed marks it before `closed`; function_template.h: ArgumentHolder.
  it('is lost once it is destroyed, for its own listener as well', async () => {
    const gone = 'TypeError: Object has been destroyed';
    expect(await fixture.call('destroyed')).toEqual({
      id: 'number',
      isDestroyed: [true, true],
      show: gone,
      title: gone,
      contents: gone,
      send: gone,
      contentsId: gone,
      owner: gone,
      listeners: 1,
    });
  });

  // electron_api_base_window.cc: OnWindowBlur, OnWindowFocus (EmitEventSoon); Electron’s lib/browser/api/browser-window: _init.
  it('asks within close(), and says later that it has or lost the focus', async () => {
    expect(await fixture.call('turns')).toEqual([
      'show',
      'shown',
      'app focus',
      'focus',
      'left',
      'blur',
      'closed',
      'destroyed',
      'close, kept: true',
      'asked',
      'close, kept: false',
      'close, kept: false',
      false,
    ]);
  });

  // Electron’s lib/browser/api/web-contents: _awaitNextLoad.
  it('rejects a load that another one replaces, or that ends with its window', async () => {
    expect(await fixture.call('loads')).toEqual(['ERR_ABORTED -3', 'loaded', 'ERR_FAILED -2']);
  });

  it('is not asked when its contents are closed', async () => {
    expect(await fixture.call('closeContents')).toEqual({ hasAsked: false });
  });

  // gin's Converter<int32_t>: a size that is no whole number is not there; gfx_converter.cc: Rect.
  it('knows whole numbers only', async () => {
    expect(await fixture.call('sizes')).toEqual({
      bounds: { x: 0, y: 0, width: 800, height: 500 },
      refused: 'TypeError: Error processing argument at index 0, conversion failure from [object Object]',
    });
  });

  it('that a person closes, but the app prevents it, counts as hidden and comes back when shown', async () => {
    const id = await fixture.call<number>('open', { route: '/kept' });
    const page = await fixture.app.waitForWindow('/kept');
    await fixture.call('preventClose', true);
    await page.close();
    await expect.poll(() => eventsOf(id)).toContain('hide');
    await fixture.call('preventClose', false);
    await fixture.call('window', { id, act: 'show' });
    const again = await fixture.app.waitForWindow('/kept');
    expect(await again.evaluate(`bridge.call('sender').then((sender) => sender.windowId)`)).toBe(id);
    await fixture.call('window', { id, act: 'destroy' });
  });

  it('notifies its page when it cannot be seen', async () => {
    const id = await fixture.call<number>('open', { route: '/seen' });
    const page = await fixture.app.waitForWindow('/seen');
    await expect.poll(() => eventsOf(id)).toContain('show');
    await fixture.call('window', { id, act: 'hide' });
    await expect.poll(() => page.evaluate('document.visibilityState')).toBe('hidden');
    await fixture.call('window', { id, act: 'show' });
    await expect.poll(() => page.evaluate('document.visibilityState')).toBe('visible');
    await fixture.call('window', { id, act: 'minimize' });
    await expect.poll(() => page.evaluate('document.visibilityState')).toBe('hidden');
    await fixture.call('window', { id, act: 'restore' });
    await expect.poll(() => page.evaluate('document.visibilityState')).toBe('visible');
    expect(await eventsOf(id)).toEqual(
      expect.arrayContaining(['hide', 'show', 'minimize', 'restore', 'blur', 'focus']),
    );
    await fixture.call('window', { id, act: 'destroy' });
  });

  it('has its given size, and can be resized by main and by Playwright', async () => {
    const { page } = fixture;
    expect(await page.evaluate('[innerWidth, innerHeight]')).toEqual([1000, 700]);
    await fixture.call('window', { id: 1, act: 'setBounds', args: [{ width: 800, height: 500 }] });
    await expect.poll(() => page.evaluate('[innerWidth, innerHeight]')).toEqual([800, 500]);
    for (const size of [
      { width: 1440, height: 900 },
      { width: 900, height: 600 },
    ]) {
      await page.setViewportSize(size);
      await expect.poll(() => page.evaluate('[innerWidth, innerHeight]')).toEqual([size.width, size.height]);
      await expect.poll(() => fixture.call('window', { id: 1, act: 'getBounds' })).toMatchObject(size);
      const png = await page.screenshot();
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size.width, size.height]);
    }
  });

  it('takes clicks and typing like any page', async () => {
    await fixture.page.click('#press');
    await expect.poll(() => fixture.page.textContent('#said')).toBe('pressed');
  });

  it('gives pages the colour scheme of nativeTheme', async () => {
    const isDark = (): Promise<boolean> =>
      fixture.page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`);
    expect(await isDark()).toBe(false);
    expect(await fixture.call('theme', 'dark')).toBe(true);
    await expect.poll(isDark).toBe(true);
    await fixture.page.reload();
    expect(await isDark()).toBe(true);
    expect(await fixture.call('theme', 'system')).toBe(false);
    await expect.poll(isDark).toBe(false);
    await fixture.app.setSystemColorScheme('dark');
    await expect.poll(isDark).toBe(true);
  });

  it('survives the crash of its page', async () => {
    const id = await fixture.call<number>('open', { route: '/crashing' });
    await fixture.app.waitForWindow('/crashing');
    await fixture.call('crash', id);
    await expect.poll(() => fixture.seen()).toContainEqual(['render-process-gone', 'crashed']);
    await fixture.call('window', { id, act: 'reload' });
    // Asked through main: Playwright itself gives a crashed page up for good.
    await expect
      .poll(() => fixture.call('evaluate', { id, code: 'typeof bridge' }).catch(() => 'gone'), { timeout: 20_000 })
      .toBe('object');
    await fixture.call('window', { id, act: 'destroy' });
  });
});

describe('the desktop around it', () => {
  it('keeps notifications and lets them be clicked', async () => {
    await fixture.call('notify');
    expect(await fixture.app.notifications()).toEqual([
      expect.objectContaining({ title: 'Done', body: 'The job ended', isSilent: false, isClosed: false }),
    ]);
    await fixture.app.clickNotification(0);
    expect(await fixture.seen()).toContainEqual(['notification clicked']);
    expect((await fixture.app.notifications())[0]?.isClosed).toBe(true);
    await expect(fixture.app.clickNotification(5)).rejects.toThrow('There is no notification 5');
  });

  it('keeps the tray icon and its menu', async () => {
    expect(await fixture.app.tray()).toMatchObject({
      tooltip: 'Fixture: idle',
      image: expect.stringContaining('icon.png'),
      menu: [{ label: 'Nothing active', enabled: false }, { type: 'separator' }, { label: 'Open' }],
    });
    await fixture.app.clickTrayItem('Open');
    expect(await fixture.seen()).toContainEqual(['tray open']);
    await expect(fixture.app.clickTrayItem('Nothing active')).rejects.toThrow('disabled');
    await expect(fixture.app.clickTrayItem('Fly')).rejects.toThrow('no item "Fly"');
  });

  it('runs the application menu by click and by its keys', async () => {
    const clicks = async (): Promise<number> =>
      (await fixture.seen()).filter(([name]) => name === 'menu new job').length;
    await fixture.app.clickMenuItem('File', 'New job');
    expect(await clicks()).toBe(1);
    await fixture.page.keyboard.press('ControlOrMeta+Shift+N');
    await expect.poll(clicks).toBe(2);
  });

  it('keeps badge, clipboard, opened addresses and power events', async () => {
    expect(await fixture.app.badge()).toBe(3);
    await fixture.call('copy', 'a text');
    expect(await fixture.app.clipboard()).toBe('a text');
    await fixture.call('external', 'https://example.invalid/page');
    expect(await fixture.app.openedExternally()).toEqual(['https://example.invalid/page']);
    await fixture.app.firePower('suspend');
    expect(await fixture.seen()).toContainEqual(['suspend']);
  });

  it('answers dialogs as the test says, otherwise as a person who cancels', async () => {
    await fixture.app.answerDialog({ response: 0, checkboxChecked: true });
    expect(await fixture.call('ask')).toEqual({ response: 0, checkboxChecked: true });
    expect(await fixture.call('ask')).toEqual({ response: 1, checkboxChecked: false });
    expect((await fixture.app.dialogs()).map((one) => one.kind)).toEqual(['message', 'message']);
  });
});

describe('Electron’s information about the app', () => {
  // command_line_args.cc: CheckCommandLineArguments.
  it('includes no command line with something behind a link, which Windows would not start', async () => {
    expect(await fixture.call('relaunch', ['--hidden', 'jobdeck://job/1'])).toBe(true);
    expect(await fixture.call('relaunch', ['jobdeck://job/1', '--hidden'])).toContain('nothing behind a link');
  });

  it('comes from its package.json and its arguments', async () => {
    expect(await fixture.call('about')).toEqual({
      name: 'Fixture',
      version: '1.2.3',
      userData: fixture.dataDir,
      isPackaged: false,
    });
  });
});
