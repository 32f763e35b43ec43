import { spawn } from 'node:child_process';
import { chromiumFlags } from '../kit/chromium.ts';
import type { Chromium, Send } from './chromium-pipe.ts';
import { desktop, isHeadless } from './shared-chromium.ts';
import type { Desktop } from './shared-chromium.ts';
import { bindingName, pageSources, preloadWorldName } from './page/sources.ts';
import type { PreloadFile } from './page/sources.ts';

/** One page target of Chromium: the content of one BrowserWindow. */
export interface PageHost {
  chromium: Chromium;
  /** Also the id of its main frame. */
  targetId: string;
  sessionId: string;
  send: Send;
}

export interface PageWanted {
  width: number;
  height: number;
  preload: PreloadFile | null;
  colorScheme: () => 'light' | 'dark' | null;
}

export interface PageListener {
  /** A message of the isolated world, as JSON. */
  word(contextId: number, text: string): void;
  /** The isolated world of a new document. `frameId` of the main frame is the target's own id. */
  worldMade(contextId: number, frameId: string): void;
  /** Null: all of them. */
  worldGone(contextId: number | null): void;
  frameAttached(frameId: string, parentId: string): void;
  frameDetached(frameId: string): void;
  domReady(): void;
  loaded(): void;
  navigated(url: string): void;
  navigatedInPage(url: string): void;
  windowOpened(details: { url: string; frameName: string; features: string[] }): void;
  consoleMessage(level: string, message: string, source: string, line: number): void;
  crashed(): void;
  gone(): void;
}

const blank = 'about:blank#jobdeck-window-';
const listeners = new Map<string, PageListener>();
const ownTargets = new Map<string, string>();
const expected: { url: string | null; resolve(host: PageHost): void }[] = [];
let lastWindow = 0;
let prepared: Promise<Desktop> | null = null;

/** Opens a page with its preload installed, not yet navigated. `listener` gets all of its events until `gone`. */
export async function openPage(wanted: PageWanted, listener: PageListener): Promise<PageHost> {
  prepared ??= desktop().then(prepare);
  const running = await prepared;
  const host = await createTarget(running, wanted);
  listeners.set(host.sessionId, listener);
  ownTargets.set(host.targetId, host.sessionId);
  const tell = host.send;
  const domains = ['Page.enable', 'Runtime.enable', 'Log.enable', 'Inspector.enable'] as const;
  const commands: Promise<unknown>[] = domains.map((domain) => tell(domain));
  if (wanted.preload !== null) {
    const { pageWorld, preloadWorld } = pageSources(wanted.preload);
    commands.push(
      tell('Runtime.addBinding', { name: bindingName, executionContextName: preloadWorldName }),
      tell('Page.addScriptToEvaluateOnNewDocument', { source: pageWorld }),
      tell('Page.addScriptToEvaluateOnNewDocument', { source: preloadWorld, worldName: preloadWorldName }),
    );
  }
  if (isHeadless)
    commands.push(
      tell('Emulation.setDeviceMetricsOverride', {
        width: wanted.width,
        height: wanted.height,
        deviceScaleFactor: 0,
        mobile: false,
      }),
    );
  else commands.push(sizeWindow(host, wanted));
  const scheme = wanted.colorScheme();
  if (scheme !== null)
    commands.push(tell('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] }));
  commands.push(tell('Runtime.runIfWaitingForDebugger'));
  await Promise.all(commands);
  return host;
}

/** A second start ignores --window-size, so a visible window gets its size afterwards. */
async function sizeWindow({ chromium, targetId }: PageHost, { width, height }: PageWanted): Promise<void> {
  const { windowId } = await chromium.send('Browser.getWindowForTarget', { targetId });
  await chromium.send('Browser.setWindowBounds', { windowId, bounds: { width, height } });
}

function createTarget(running: Desktop, wanted: PageWanted): Promise<PageHost> {
  lastWindow += 1;
  const number = lastWindow;
  const { chromium, executable, profileDir } = running;
  return new Promise((resolve, reject) => {
    if (isHeadless) {
      expected.push({ url: `${blank}${number}`, resolve });
      chromium
        .send('Target.createTarget', {
          url: `${blank}${number}`,
          newWindow: true,
          width: wanted.width,
          height: wanted.height,
        })
        .catch(reject);
      return;
    }
    // A second start with the same profile makes the running Chromium open an app window, without tabs or address bar.
    expected.push({ url: null, resolve });
    const flags = chromiumFlags({ profileDir, isHeadless });
    const child = spawn(executable, [...flags, '--app=data:text/html,<title>Jobdeck</title>'], { stdio: 'ignore' });
    child.once('error', reject);
    const late = setTimeout(() => reject(new Error('Chromium opened no window within 20 s.')), 20_000);
    late.unref();
  });
}

async function prepare(running: Desktop): Promise<Desktop> {
  const { chromium } = running;
  const of = (sessionId: string | undefined): PageListener | undefined =>
    sessionId === undefined ? undefined : listeners.get(sessionId);

  chromium.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }, parent) => {
    if (parent !== undefined) return;
    // The headless shell does not report an address yet.
    const at = expected.findIndex((one) =>
      one.url === null || targetInfo.url === '' ? targetInfo.openerId === undefined : one.url === targetInfo.url,
    );
    const opening = at < 0 ? undefined : expected.splice(at, 1)[0];
    if (opening !== undefined)
      opening.resolve({ chromium, targetId: targetInfo.targetId, sessionId, send: chromium.session(sessionId) });
    else if (targetInfo.openerId !== undefined && ownTargets.has(targetInfo.openerId)) {
      // A popup of one of our windows. It stays paused, so that it never sends a request, and is closed.
      chromium.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => {});
    } else if (waitingForDebugger) {
      chromium.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => {});
      chromium.send('Target.detachFromTarget', { sessionId }).catch(() => {});
    }
  });
  chromium.on('Target.detachedFromTarget', ({ sessionId }) => {
    const listener = listeners.get(sessionId);
    listeners.delete(sessionId);
    for (const [targetId, session] of ownTargets) if (session === sessionId) ownTargets.delete(targetId);
    listener?.gone();
  });
  chromium.on('Runtime.bindingCalled', ({ name, payload, executionContextId }, sessionId) => {
    if (name === bindingName) of(sessionId)?.word(executionContextId, payload);
  });
  chromium.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }, sessionId) => {
    if (name !== preloadWorldName || auxData === undefined || !('frameId' in auxData)) return;
    of(sessionId)?.worldMade(id, auxData.frameId);
  });
  chromium.on('Runtime.executionContextDestroyed', ({ executionContextId }, sessionId) =>
    of(sessionId)?.worldGone(executionContextId),
  );
  chromium.on('Runtime.executionContextsCleared', (_params, sessionId) => of(sessionId)?.worldGone(null));
  chromium.on('Page.frameAttached', ({ frameId, parentFrameId }, sessionId) => {
    of(sessionId)?.frameAttached(frameId, parentFrameId);
  });
  chromium.on('Page.frameDetached', ({ frameId, reason }, sessionId) => {
    // A frame that only continues in another process stays in its page.
    if (reason !== 'swap') of(sessionId)?.frameDetached(frameId);
  });
  chromium.on('Page.domContentEventFired', (_params, sessionId) => of(sessionId)?.domReady());
  chromium.on('Page.loadEventFired', (_params, sessionId) => of(sessionId)?.loaded());
  chromium.on('Page.frameNavigated', ({ frame }, sessionId) => {
    if (frame.parentId === undefined) of(sessionId)?.navigated(frame.url + (frame.urlFragment ?? ''));
  });
  chromium.on('Page.navigatedWithinDocument', ({ frameId, url }, sessionId) => {
    if (ownTargets.get(frameId) === sessionId) of(sessionId)?.navigatedInPage(url);
  });
  chromium.on('Page.windowOpen', ({ url, windowName, windowFeatures }, sessionId) =>
    of(sessionId)?.windowOpened({ url, frameName: windowName, features: windowFeatures }),
  );
  chromium.on('Inspector.targetCrashed', (_params, sessionId) => of(sessionId)?.crashed());
  chromium.on('Runtime.exceptionThrown', ({ exceptionDetails: details }, sessionId) => {
    of(sessionId)?.consoleMessage(
      'error',
      details.exception?.description ?? details.text,
      details.url ?? '',
      details.lineNumber,
    );
  });
  chromium.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }, sessionId) => {
    const text = args
      .map((one) => (one.type === 'string' ? String(one.value) : (one.description ?? String(one.value))))
      .join(' ');
    const from = stackTrace?.callFrames[0];
    of(sessionId)?.consoleMessage(type, text, from?.url ?? '', from?.lineNumber ?? 0);
  });
  // Chromium's own messages about a page: what its policy blocked, what could not be loaded.
  chromium.on('Log.entryAdded', ({ entry }, sessionId) => {
    of(sessionId)?.consoleMessage(entry.level, entry.text, entry.url ?? '', entry.lineNumber ?? 0);
  });
  void chromium.exited.then(() => {
    for (const listener of Array.from(listeners.values())) listener.gone();
    listeners.clear();
  });
  await chromium.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }],
  });
  return running;
}
