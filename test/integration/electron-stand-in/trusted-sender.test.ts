import type { Frame, Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchApp } from '../../kit/launch.ts';
import type { LaunchedApp } from '../../kit/launch.ts';

/*
 * The senders that main answers: src-main/desktop/pages/ipc.ts, unchanged, on the stand-in. In each refusal exactly one thing
 * is wrong with the sender.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'trusted-sender-'));
let app: LaunchedApp;
let ours: Page;

beforeAll(async () => {
  app = await launchApp({ dataDir, appDir: join(import.meta.dirname, 'contract-app'), kind: 'stand-in' });
});
beforeEach(async () => {
  ours = await pageAt('https://app.localhost/index.html');
});
afterAll(async () => {
  await app.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The loaded page whose address begins so, in a window or in none. */
async function pageAt(start: string): Promise<Page> {
  const find = (): Page | undefined => app.pages().find((page) => page.url().startsWith(start));
  await expect.poll(find).toBeDefined();
  const page = find();
  if (page === undefined) throw new Error(`No page is at ${start}.`);
  await page.waitForLoadState();
  return page;
}

const innerFrame = (): Frame => {
  const frame = ours.frames().find((one) => one.parentFrame() !== null);
  if (frame === undefined) throw new Error('The page has no inner frame.');
  return frame;
};
const ask = (from: Frame | Page): Promise<unknown> => from.evaluate(`bridge.call('app:preparation')`);
/** Asks without waiting for an answer, which may never come. */
const askOnly = (from: Frame | Page): Promise<unknown> =>
  from.evaluate(`void bridge.call('app:preparation').catch(() => {})`);
/** The fields of all lines main logged with this message. */
const logged = (message: string): unknown[] =>
  app
    .logs()
    .split('\n')
    .flatMap((line): unknown[] => {
      const at = line.startsWith('{') ? (JSON.parse(line) as { message: string; fields?: unknown }) : null;
      return at?.message === message ? [at.fields] : [];
    });

const answered = { ok: true, value: { kind: 'check', jobs: 1 } };
const refused = { ok: false, failure: { kind: 'refused', message: 'Only Jobdeck’s own windows may do this.' } };
const refusal = 'a call came from a frame that is not ours';

describe('a call', () => {
  it('is answered to the main frame of a window of the app, on its origin', async () => {
    expect(await ask(ours)).toEqual(answered);
  });

  it('is refused to a frame within it, even on the app’s origin', async () => {
    expect(await innerFrame().evaluate('location.origin')).toBe(await ours.evaluate('location.origin'));
    expect(await ask(innerFrame())).toEqual(refused);
    expect(logged(refusal)).toContainEqual({ url: 'https://app.localhost/inner.html' });
  });

  it.each(['http://127.0.0.1:', 'data:text/html,'])(
    'is refused to a window of the app at a foreign address: %s',
    async (start) => {
      const page = await pageAt(start);
      expect(await ask(page)).toEqual(refused);
      expect(logged(refusal)).toContainEqual({ url: page.url() });
    },
  );

  it('is refused to a page of the app in a window that main does not know', async () => {
    const page = await pageAt('https://app.localhost/inner.html#in-no-window');
    expect(await ask(page)).toEqual(refused);
    expect(logged(refusal)).toContainEqual({ url: 'https://app.localhost/inner.html#in-no-window' });
  });
});

describe('a call that reaches main when its frame is gone', () => {
  const gone = (): number => logged(refusal).filter((fields) => (fields as { url: string }).url === 'gone').length;
  const frames = async (): Promise<number | undefined> => (await app.windowStates())[0]?.frames;

  /** Lets `from` call and then `leave`; main gets the call only when it sees `seen` to be `then`. */
  async function askAndLeave<T>(
    from: Frame | Page,
    leave: () => Promise<unknown>,
    seen: () => Promise<T>,
    then: T,
  ): Promise<void> {
    const before = { gone: gone(), answered: logged('a call was answered').length };
    await app.ask('holdText', true);
    await askOnly(from);
    await leave();
    await expect.poll(seen).toBe(then);
    await app.ask('holdText', false);
    expect(await ask(ours)).toEqual(answered);
    await expect.poll(() => logged('a call was answered').length).toBe(before.answered + 1);
    expect(gone()).toBe(before.gone + 1);
  }

  it('is refused when the frame was removed', async () => {
    expect(await frames()).toBe(2);
    await askAndLeave(innerFrame(), () => ours.evaluate(`document.querySelector('iframe').remove()`), frames, 1);
    await ours.reload();
  });

  it('is refused when the window went to another page, even one of the app', async () => {
    const url = async (): Promise<string | undefined> => (await app.windowStates())[0]?.url;
    await askAndLeave(
      ours,
      () => ours.goto('https://app.localhost/index.html?next'),
      url,
      'https://app.localhost/index.html?next',
    );
  });
});
