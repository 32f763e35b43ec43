import { describe, expect, it, vi } from 'vitest';
import { denyPermissions, hardenWindows } from '../../../../src-main/desktop/pages/app-protocol.ts';
import { createLog } from '../../../../src-main/log.ts';

/*
 * What Electron asks of the app before a page gets its way, answered by the app's own handlers. Electron is only what
 * they are registered with; that pages meet these answers: test/e2e/page-isolation.spec.ts and security.spec.ts.
 */
type Listener = (...args: unknown[]) => unknown;
const desk = vi.hoisted(() => ({ app: new Map<string, unknown>(), session: new Map<string, unknown>() }));
vi.mock('electron', () => ({
  app: { isPackaged: true, on: (event: string, listener: unknown) => void desk.app.set(event, listener) },
  protocol: {},
  session: {
    defaultSession: {
      on: (event: string, listener: unknown) => void desk.session.set(event, listener),
      setPermissionRequestHandler: (handler: unknown) => void desk.session.set('request', handler),
      setPermissionCheckHandler: (handler: unknown) => void desk.session.set('check', handler),
    },
  },
}));

const log = createLog({ write: () => undefined, now: Date.now });

function listener(of: Map<string, unknown>, name: string): Listener {
  const found = of.get(name);
  if (typeof found !== 'function') throw new Error(`Nobody answers ${name}.`);
  return (...args) => Reflect.apply(found, undefined, args) as unknown;
}

/** A page's contents as they are made: what the app answers to each of its wishes. */
function contents(): { listeners: Map<string, unknown>; openWindow: Listener } {
  const listeners = new Map<string, unknown>();
  let openWindow: Listener = () => 'nobody decides';
  hardenWindows(log);
  listener(desk.app, 'web-contents-created')(
    {},
    {
      on: (event: string, one: unknown) => void listeners.set(event, one),
      setWindowOpenHandler: (handler: Listener) => void (openWindow = handler),
    },
  );
  return { listeners, openWindow: (...args) => openWindow(...args) };
}

function prevented(event: object, ask: (event: object) => unknown): boolean {
  const preventDefault = vi.fn<() => void>();
  ask({ ...event, preventDefault });
  return preventDefault.mock.calls.length > 0;
}

describe('every page', () => {
  const { listeners, openWindow } = contents();

  it('attaches no webview', () => {
    expect(prevented({}, listener(listeners, 'will-attach-webview'))).toBe(true);
  });

  it('navigates only to our own pages', () => {
    const navigate = listener(listeners, 'will-navigate');
    for (const url of [
      'https://example.test/',
      'file:///etc/passwd',
      'app://jobdeck.evil/',
      'data:text/html,x',
      'about:blank',
    ])
      expect([url, prevented({ url }, navigate)]).toEqual([url, true]);
    expect(prevented({ url: 'app://jobdeck/index.html#/jobs' }, navigate)).toBe(false);
  });

  it('opens no window', () => {
    for (const url of ['https://example.test/', 'app://jobdeck/index.html', 'about:blank'])
      expect(openWindow({ url })).toEqual({ action: 'deny' });
  });

  it('gets no permission, whether requested or checked, and downloads nothing', () => {
    denyPermissions(log);
    const answer = vi.fn<(isGranted: boolean) => void>();
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'usb', 'a-new-one']) {
      listener(desk.session, 'request')({}, permission, answer);
      expect(listener(desk.session, 'check')({}, permission, 'app://jobdeck')).toBe(false);
    }
    expect(answer.mock.calls.flat()).toEqual(Array(6).fill(false));
    const item = { getURL: () => 'blob:app://jobdeck/1' };
    expect(prevented({}, (event) => listener(desk.session, 'will-download')(event, item))).toBe(true);
  });
});
