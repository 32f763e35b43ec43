import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixture } from './fixture-app.ts';
import type { Fixture } from './fixture-app.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

describe('the bridge between page and main', () => {
  it('keeps its types both ways', async () => {
    const result = await fixture.inPage<unknown[]>(
      `bridge.call('kinds', { at: new Date(86_400_000) }).then((r) => [r.isDate, r.at instanceof Date, r.at.getTime(), r.map instanceof Map, r.map.get(1).has('a'), r.big === 2n ** 70n, Array.from(r.bytes), 'nothing' in r, r.nothing === undefined, Number.isNaN(r.nan)])`,
    );
    expect(result).toEqual([true, true, 86_400_000, true, true, true, [1, 2, 255], true, true, true]);
  });

  it('refuses a function among the arguments, as Electron does', async () => {
    await expect(fixture.inPage(`bridge.call('echo', { run() {} })`)).rejects.toThrow('An object could not be cloned.');
  });

  it('refuses a function in the answer', async () => {
    await expect(fixture.call('unclonable')).rejects.toThrow(
      "Error invoking remote method 'call': Error: An object could not be cloned.",
    );
  });

  it('names the channel when a handler throws', async () => {
    await expect(fixture.call('throws')).rejects.toThrow(
      "Error invoking remote method 'call': TypeError: thrown in main",
    );
  });

  it('refuses values nested deeper than contextBridge goes, in an argument and in an answer', async () => {
    const nested = (levels: number): string =>
      `Array.from({ length: ${levels} }).reduce((inner) => ({ inner }), 'core')`;
    await expect(fixture.inPage(`bridge.call('echo', ${nested(1_000)})`)).rejects.toThrow('recursion depth exceeded');
    expect(await fixture.inPage(`bridge.call('echo', ${nested(900)}).then((back) => typeof back.inner.inner)`)).toBe(
      'object',
    );
    await expect(fixture.call('nested', 1_000)).rejects.toThrow('recursion depth exceeded');
  });

  it('carries a text of 5 MB', async () => {
    expect(await fixture.inPage(`bridge.call('size', 'é'.repeat(5_000_000))`)).toBe(5_000_000);
    expect(await fixture.inPage(`bridge.call('echo', 'x'.repeat(5_000_000)).then((text) => text.length)`)).toBe(
      5_000_000,
    );
  });

  it('answers many calls at the same time, each with its own answer', async () => {
    expect(
      await fixture.inPage(
        `Promise.all(Array.from({ length: 500 }, (_, i) => bridge.call('echo', i))).then((all) => all.every((value, i) => value === i))`,
      ),
    ).toBe(true);
  });

  it('names the caller by address, frame and window', async () => {
    expect(await fixture.call('sender')).toEqual({
      url: 'https://app.localhost/index.html#/first',
      origin: 'https://app.localhost',
      parent: null,
      isMain: true,
      windowId: 1,
    });
  });

  it('gives the address after a navigation within the page', async () => {
    await fixture.inPage(`void history.replaceState(null, '', '#/elsewhere')`);
    expect(await fixture.call('sender')).toMatchObject({ url: 'https://app.localhost/index.html#/elsewhere' });
    await fixture.inPage(`void history.replaceState(null, '', '#/first')`);
  });
});

describe('the preload script', () => {
  it('has exposed its functions before the first script of the page runs', async () => {
    expect(await fixture.inPage('bridgeAtStart')).toBe('object');
  });

  it('shows the page what it exposed and nothing else', async () => {
    expect(await fixture.inPage('Object.keys(bridge)')).toEqual([
      'call',
      'on',
      'twice',
      'fail',
      'useMissing',
      'inIsolatedWorld',
      'version',
    ]);
    expect(
      await fixture.inPage(
        `[typeof require, typeof process, typeof module, typeof ipcRenderer, typeof electron, Object.getOwnPropertyNames(window).filter((name) => /standIn|electron|tell|deliver/i.test(name))]`,
      ),
    ).toEqual(['undefined', 'undefined', 'undefined', 'undefined', 'undefined', []]);
    expect(await fixture.inPage('bridge.inIsolatedWorld()')).toEqual(['function', 'string', 'function']);
  });

  it('cannot be tampered with by the page', async () => {
    const result = await fixture.inPage(
      `(() => { 'use strict'; const tries = []; for (const act of [() => { bridge.call = 1; }, () => { bridge.more = 1; }, () => { window.bridge = 1; }, () => { delete window.bridge; }]) { try { act(); tries.push('done'); } catch (error) { tries.push(error.name); } } return tries; })()`,
    );
    expect(result).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError']);
  });

  it('answers immediately where its function does, and throws what it throws', async () => {
    expect(await fixture.inPage('bridge.twice(21)')).toBe(42);
    expect(
      await fixture.inPage(
        `(() => { try { bridge.fail(); } catch (error) { return [error instanceof Error, error.message]; } })()`,
      ),
    ).toEqual([true, 'thrown in the preload']);
  });

  it('throws a sentence for what the stand-in lacks', async () => {
    await expect(fixture.inPage('bridge.useMissing()')).rejects.toThrow(
      'The Electron stand-in has no ipcRenderer.sendSync for preload scripts.',
    );
  });

  it('relays events to listeners until they unsubscribe', async () => {
    const got = await fixture.inPage(`(async () => {
      const got = [];
      const stop = bridge.on('news', (payload) => got.push([payload.number, payload.at instanceof Date]));
      await bridge.call('tell', { name: 'news', payload: { number: 1, at: new Date(0) } });
      await bridge.call('tell', { name: 'other', payload: { number: 2 } });
      stop();
      await bridge.call('tell', { name: 'news', payload: { number: 3 } });
      await bridge.call('echo');
      return got;
    })()`);
    expect(got).toEqual([[1, true]]);
  });
});

describe('a MessagePort', () => {
  it('streams with credits into the page’s own world, in order, and closes', async () => {
    const got = await fixture.inPage<[number, boolean][]>('gather()');
    expect(got.map(([seq]) => seq)).toEqual(Array.from({ length: 200 }, (_, seq) => seq));
    expect(got.every(([, isDate]) => isDate)).toBe(true);
    expect(await fixture.seen()).toContainEqual(['port closed', 200]);
  });

  it('notifies main when the page closes its end', async () => {
    const before = (await fixture.seen()).filter(([name]) => name === 'port closed').length;
    await fixture.inPage(
      `new Promise((resolve) => { addEventListener('message', ({ ports: [port] }) => { port.close(); resolve(); }, { once: true }); bridge.call('stream'); })`,
    );
    await expect
      .poll(async () => (await fixture.seen()).filter(([name]) => name === 'port closed').length)
      .toBe(before + 1);
  });

  it('notifies main when its page goes away', async () => {
    const before = (await fixture.seen()).filter(([name]) => name === 'port closed').length;
    await fixture.inPage(
      `new Promise((resolve) => { addEventListener('message', ({ ports: [port] }) => { window.kept = port; resolve(); }, { once: true }); bridge.call('stream'); })`,
    );
    await fixture.page.reload();
    await expect
      .poll(async () => (await fixture.seen()).filter(([name]) => name === 'port closed').length)
      .toBe(before + 1);
  });
});

describe('features that the app uses and the stand-in lacks', () => {
  it.each([
    ['app', 'has no app.setJumpList'],
    ['window', 'has no BrowserWindow.setKiosk'],
    ['module', 'has no crashReporter.start'],
    ['event', 'has no event "no-such-event" of app'],
    ['option', 'has no option "kiosk" of BrowserWindow'],
    ['preference', 'has no window with sandbox: false'],
    ['sync', 'has no safeStorage.encryptString'],
  ])('throw by name (%s)', async (what, sentence) => {
    await expect(fixture.call('missing', { what })).rejects.toThrow(sentence);
  });
});

describe('the app’s origin', () => {
  it('is served by the app’s own protocol handler, asked by its own address', async () => {
    const asked = await fixture.inPage(
      `fetch('/echo', { method: 'POST', body: 'grüße' }).then(async (response) => [response.headers.get('x-asked'), await response.json()])`,
    );
    expect(asked).toEqual(['app://jobdeck/echo', { method: 'POST', body: 'grüße', host: 'jobdeck' }]);
    expect(await fixture.inPage(`fetch('/no-such-file').then((response) => response.status)`)).toBe(404);
  });

  it('keeps the handler’s content security policy in force', async () => {
    expect(await fixture.inPage('window.inlineRan ?? null')).toBeNull();
    await expect(fixture.inPage(`fetch('https://example.invalid/')`)).rejects.toThrow('Failed to fetch');
    expect(
      await fixture.inPage(
        `(() => { try { document.body.innerHTML = '<b>x</b>'; return 'set'; } catch (error) { return error.name; } })()`,
      ),
    ).toBe('TypeError');
    expect(await fixture.inPage('[window.evalRan ?? null, window.evalRefused]')).toEqual([null, 'EvalError']);
  });

  it('is a secure context', async () => {
    expect(await fixture.inPage('[isSecureContext, origin]')).toEqual([true, 'https://app.localhost']);
  });

  it('denies what the app’s permission handler denies', async () => {
    expect(
      await fixture.inPage(
        `Promise.all(['geolocation', 'notifications', 'camera'].map((name) => navigator.permissions.query({ name }).then((status) => status.state)))`,
      ),
    ).toEqual(['denied', 'denied', 'denied']);
  });

  it('lets the app prevent navigation and new windows, before anything is asked of the network', async () => {
    await fixture.page.click('#away');
    await fixture.page.click('#blank');
    await expect
      .poll(async () => fixture.seen())
      .toEqual(
        expect.arrayContaining([
          ['will-navigate', 'https://example.invalid/away'],
          ['window-open', 'https://example.invalid/blank'],
        ]),
      );
    expect(await fixture.inPage('location.href')).toBe('https://app.localhost/index.html#/first');
    await expect.poll(() => fixture.app.ask('targets')).toEqual(['https://app.localhost/index.html#/first']);
  });

  it('answers null to window.open, and still asks before the page itself goes there', async () => {
    const url = 'https://example.invalid/opened';
    expect(
      await fixture.inPage(
        `(() => { const opened = window.open('${url}'); location.assign('${url}'); return opened; })()`,
      ),
    ).toBeNull();
    await expect
      .poll(async () => fixture.seen())
      .toEqual(
        expect.arrayContaining([
          ['window-open', url],
          ['will-navigate', url],
        ]),
      );
    expect(await fixture.inPage('location.href')).toBe('https://app.localhost/index.html#/first');
  });
});
