import { readFileSync } from 'node:fs';
import { NotInStandIn, StandInEmitter, guard, preventable } from './guard.ts';
import { setNavigationGate } from './interception.ts';
import { ipcMain } from './ipc-main.ts';
import type { MessagePortMain } from './message-port.ts';
import { NativeImage } from './native-image.ts';
import { onPageColorScheme, pageColorScheme } from './native-theme.ts';
import { toBrowserUrl } from './origin.ts';
import { createPageDocument } from './page-document.ts';
import type { PageDocument } from './page-document.ts';
import { openPage } from './page-host.ts';
import type { PageHost } from './page-host.ts';
import type { FromPage } from './page/words.ts';
import { session } from './session.ts';

const events = [
  'did-finish-load', 'did-fail-load', 'did-start-loading', 'did-stop-loading', 'did-navigate', 'did-navigate-in-page', 'did-start-navigation', 'did-redirect-navigation', 'did-frame-navigate', 'did-frame-finish-load',
  'did-fail-provisional-load', 'dom-ready', 'page-title-updated', 'page-favicon-updated', 'will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview', 'did-attach-webview', 'will-prevent-unload',
  'did-create-window', 'render-process-gone', 'unresponsive', 'responsive', 'destroyed', 'preload-error', 'console-message', 'before-input-event', 'context-menu', 'focus', 'blur', 'zoom-changed', 'certificate-error', 'login',
] as const;

export interface WebPreferences {
  preload?: string;
  additionalArguments?: string[];
}

/** What a window does for its contents. */
export interface Owner {
  size(): { width: number; height: number };
  closeAsked(): void;
  targetGone(): void;
  resized(width: number, height: number): void;
  readyToShow(): void;
  focus(): void;
  key(word: Extract<FromPage, { type: 'key' }>): void;
}

type WindowOpenHandler = (details: { url: string; frameName: string; features: string; disposition: string; referrer: { url: string; policy: string }; postBody?: undefined }) => { action: 'deny' | 'allow' };

const all = new Map<number, WebContents>();
let lastId = 0;

export class WebContents extends StandInEmitter {
  readonly id: number;
  readonly session = session.defaultSession;
  readonly mainFrame: object;
  private readonly preferences: WebPreferences;
  private readonly owner: Owner;
  private opening: Promise<PageHost> | null = null;
  private host: PageHost | null = null;
  private page: PageDocument | null = null;
  private url = '';
  private requestedUrl = '';
  private expectedUrls = new Set<string>();
  private loads: { resolve(): void; reject(error: Error): void }[] = [];
  private isBusy = false;
  private hasCrashed = false;
  private isGone = false;
  private hasBeenReady = false;
  private openHandler: WindowOpenHandler | null = null;

  constructor(preferences: WebPreferences, owner: Owner) {
    super('webContents', events);
    lastId += 1;
    this.id = lastId;
    this.preferences = preferences;
    this.owner = owner;
    const self = guard('webContents', this);
    this.mainFrame = createMainFrame(self);
    all.set(this.id, self);
    return self;
  }

  // Loading

  async loadURL(url: string, options: object = {}): Promise<void> {
    if (Object.keys(options).length > 0) throw new NotInStandIn('options of loadURL');
    const target = toBrowserUrl(url);
    this.requestedUrl = target;
    const host = await this.ensureHost();
    const loaded = new Promise<void>((resolve, reject) => this.loads.push({ resolve, reject }));
    this.isBusy = true;
    this.emit('did-start-loading');
    this.expectedUrls.add(withoutHash(target));
    const { errorText, loaderId } = await host.send('Page.navigate', { url: target });
    if (errorText !== undefined) {
      this.isBusy = false;
      const error = new Error(`${errorText.replace('net::', '')} loading '${target}'`);
      for (const one of this.loads.splice(0)) one.reject(error);
      this.emit('did-fail-load', {}, -2, errorText, target, true, 1, 1);
    } else if (loaderId === undefined) this.finishLoad();
    await loaded;
  }
  async loadFile(): Promise<void> {
    throw new NotInStandIn('webContents.loadFile: serve pages by protocol.handle');
  }
  reload(): void {
    if (this.url !== '') this.expectedUrls.add(withoutHash(this.url));
    void this.use((host) => (this.hasCrashed ? host.send('Page.navigate', { url: this.url }) : host.send('Page.reload')));
  }
  reloadIgnoringCache(): void {
    this.reload();
  }
  isLoading(): boolean {
    return this.isBusy;
  }
  isLoadingMainFrame(): boolean {
    return this.isBusy;
  }
  isCrashed(): boolean {
    return this.hasCrashed;
  }
  isDestroyed(): boolean {
    return this.isGone;
  }
  isFocused(): boolean {
    return false;
  }
  getURL(): string {
    return this.url;
  }
  getOSProcessId(): number {
    return 0;
  }
  getType(): string {
    return 'window';
  }
  focus(): void {
    this.owner.focus();
  }

  // Words

  /** Reaches the listeners of the current document; before a document is there it is lost, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    this.requireAlive();
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    this.page?.send(channel, args, []);
  }
  postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []): void {
    this.requireAlive();
    this.page?.send(channel, [message], transfer);
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.openHandler = handler;
  }
  async executeJavaScript(code: string): Promise<unknown> {
    const host = await this.ensureHost();
    const { result, exceptionDetails } = await host.send('Runtime.evaluate', { expression: code, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  async capturePage(): Promise<NativeImage> {
    const host = await this.ensureHost();
    const { data } = await host.send('Page.captureScreenshot', { format: 'png' });
    return new NativeImage(Buffer.from(data, 'base64'));
  }
  openDevTools(): void {
    console.error('[electron stand-in] Developer tools: attach to this Chromium with the DevTools of another one.');
  }
  closeDevTools(): void {}
  toggleDevTools(): void {
    this.openDevTools();
  }
  isDevToolsOpened(): boolean {
    return false;
  }
  setBackgroundThrottling(): void {}
  forcefullyCrashRenderer(): void {
    void this.use((host) => host.send('Page.crash'));
  }

  // For the stand-in itself

  /** Runs something on the page once it is there; a page that is gone is no failure. */
  async use(act: (host: PageHost) => Promise<unknown>): Promise<void> {
    try {
      await act(await this.ensureHost());
    } catch (error) {
      if (!this.isGone && this.host !== null) console.error('[electron stand-in]', error);
    }
  }
  get currentTargetId(): string | null {
    return this.host?.targetId ?? null;
  }
  /** Called for requests of a new main document; false when the app prevented the navigation. */
  mayNavigate(url: string): boolean {
    if (this.expectedUrls.delete(withoutHash(url)) || withoutHash(url) === withoutHash(this.url)) return true;
    const details = { url, isMainFrame: true, isSameDocument: false, frame: this.mainFrame, initiator: this.mainFrame };
    const frameEvent = preventable(details);
    this.emit('will-frame-navigate', frameEvent);
    if (frameEvent.defaultPrevented) return false;
    const event = preventable(details);
    this.emit('will-navigate', event, url);
    return !event.defaultPrevented;
  }
  applyColorScheme(): void {
    if (this.host === null) return;
    const scheme = pageColorScheme();
    void this.use((host) => host.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme ?? '' }] }));
  }
  /** Opens the page again, where it was, after its target was closed from outside. */
  revive(): void {
    if (this.host === null && !this.isGone && this.requestedUrl !== '') void this.loadURL(this.url === '' ? this.requestedUrl : this.url);
  }
  end(): void {
    if (this.isGone) return;
    this.isGone = true;
    all.delete(this.id);
    this.page?.end();
    this.page = null;
    const { host } = this;
    if (host !== null) host.chromium.send('Target.closeTarget', { targetId: host.targetId }).catch(() => {});
    else this.opening?.then((late) => late.chromium.send('Target.closeTarget', { targetId: late.targetId })).catch(() => {});
    this.emit('destroyed');
  }

  private requireAlive(): void {
    if (this.isGone) throw new TypeError('Object has been destroyed');
  }

  private ensureHost(): Promise<PageHost> {
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<PageHost> {
    const { preload } = this.preferences;
    const host = await openPage(
      {
        ...this.owner.size(),
        preload: preload === undefined ? null : { source: readFileSync(preload, 'utf8'), path: preload, arguments: this.preferences.additionalArguments ?? [] },
        colorScheme: pageColorScheme,
      },
      {
        word: (contextId, text) => this.hear(contextId, JSON.parse(text) as FromPage),
        contextGone: (contextId) => {
          if (contextId !== null && contextId !== this.page?.contextId) return;
          this.page?.end();
          this.page = null;
        },
        domReady: () => {
          if (this.url !== '') this.emit('dom-ready', {});
        },
        loaded: () => {
          if (this.url !== '') this.finishLoad();
        },
        navigated: (url) => {
          if (url.startsWith('about:blank')) return;
          this.url = url;
          this.hasCrashed = false;
          this.emit('did-navigate', {}, url, 200, 'OK');
        },
        navigatedInPage: (url) => {
          this.url = url;
          this.emit('did-navigate-in-page', {}, url, true, 1, 1);
        },
        windowOpened: (details) => this.windowOpened(details),
        consoleMessage: (level, message, sourceId, lineNumber) => {
          this.emit('console-message', { level, message, lineNumber, sourceId, frame: this.mainFrame });
          if (level === 'error') console.error(`[page ${this.id}] ${message}`);
        },
        crashed: () => {
          this.hasCrashed = true;
          this.page?.end();
          this.page = null;
          this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
        },
        gone: () => {
          this.page?.end();
          this.page = null;
          this.host = null;
          this.opening = null;
          if (!this.isGone) this.owner.targetGone();
        },
      },
    );
    this.host = host;
    return host;
  }

  private finishLoad(): void {
    this.isBusy = false;
    for (const one of this.loads.splice(0)) one.resolve();
    this.emit('did-stop-loading');
    this.emit('did-finish-load');
    if (this.hasBeenReady) return;
    this.hasBeenReady = true;
    this.owner.readyToShow();
  }

  private hear(contextId: number, word: FromPage): void {
    if (word.type === 'hello') {
      this.page?.end();
      this.page = this.host === null ? null : createPageDocument(this.host.chromium, this.host.sessionId, contextId);
      this.url = word.url;
      return;
    }
    const { page } = this;
    if (page === null || page.contextId !== contextId) return;
    // The isolated world reads its own address, so the page cannot lie about it.
    if ('url' in word) this.url = word.url;
    switch (word.type) {
      case 'invoke':
        void ipcMain.dispatchInvoke(this.self(), page, word.id, word.channel, word.args);
        return;
      case 'send':
        ipcMain.dispatchSend(this.self(), word.channel, word.args, []);
        return;
      case 'post':
        ipcMain.dispatchSend(this.self(), word.channel, word.args, page.takePorts(word.ports));
        return;
      case 'port-message':
        page.portMessage(word.port, word.data);
        return;
      case 'port-close':
        page.portClosed(word.port);
        return;
      case 'close-window':
        this.owner.closeAsked();
        return;
      case 'open-window':
        this.windowOpened({ url: word.url, frameName: word.frameName, features: word.features === '' ? [] : word.features.split(',') });
        return;
      case 'resized':
        this.owner.resized(word.width, word.height);
        return;
      case 'key':
        this.owner.key(word);
        return;
      case 'preload-failed':
        console.error(`Unable to load preload script: ${this.preferences.preload ?? ''}\n${word.message}`);
        this.emit('preload-error', {}, this.preferences.preload, new Error(word.message));
    }
  }

  private windowOpened({ url, frameName, features }: { url: string; frameName: string; features: string[] }): void {
    const answer = this.openHandler?.({ url, frameName, features: features.join(','), disposition: features.length > 0 ? 'new-window' : 'foreground-tab', referrer: { url: '', policy: '' } });
    if (answer?.action !== 'deny') console.error(`[electron stand-in] ${new NotInStandIn('windows opened by pages').message} It closed ${url}.`);
  }

  /** The guarded object that the app knows. */
  private self(): WebContents {
    return all.get(this.id) ?? this;
  }
}

function createMainFrame(contents: WebContents): object {
  const frame: object = guard('WebFrameMain', {
    get url() {
      return contents.getURL();
    },
    get origin() {
      const parsed = URL.parse(contents.getURL());
      return parsed === null || parsed.origin === 'null' ? '' : parsed.origin;
    },
    parent: null,
    get top() {
      return frame;
    },
    name: '',
    frames: [],
    get framesInSubtree() {
      return [frame];
    },
    routingId: 1,
    processId: 1,
    frameTreeNodeId: 1,
    frameToken: String(contents.id),
    detached: false,
    isDestroyed: () => contents.isDestroyed(),
    send: (channel: string, ...args: unknown[]) => contents.send(channel, ...args),
    postMessage: (channel: string, message: unknown, transfer?: MessagePortMain[]) => contents.postMessage(channel, message, transfer),
  });
  return frame;
}

function withoutHash(url: string): string {
  return url.split('#')[0] ?? url;
}

/** `webContents` as Electron exports it: the lookups. */
export const webContents = guard('webContents', {
  getAllWebContents: (): WebContents[] => [...all.values()],
  fromId: (id: number): WebContents | undefined => all.get(id),
});

const ofFrame = (frameId: string): WebContents | undefined => [...all.values()].find((one) => one.currentTargetId === frameId);

setNavigationGate(
  (frameId, url) => ofFrame(frameId)?.mayNavigate(url) ?? true,
  (frameId) => ofFrame(frameId)?.id,
);
onPageColorScheme(() => {
  for (const one of all.values()) one.applyColorScheme();
});
