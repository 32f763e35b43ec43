import { addContents, removeContents, webContents } from './all-web-contents.ts';
import { createFrameTree } from './frame-tree.ts';
import { emitProcessGone } from './open-windows.ts';
import type { FrameTree } from './frame-tree.ts';
import { NotInStandIn, StandInEmitter, guard } from './guard.ts';
import type { MessagePortMain } from './message-port.ts';
import { NativeImage } from './native-image.ts';
import { pageColorScheme } from './native-theme.ts';
import { createNavigationDecision, withoutHash } from './navigation-decision.ts';
import type { NavigationDecision } from './navigation-decision.ts';
import { toBrowserUrl } from './origin.ts';
import { createPageDocument } from './page-document.ts';
import type { PageHost, PageListener } from './page-host.ts';
import { createPageTarget } from './page-target.ts';
import type { PageTarget } from './page-target.ts';
import { handlePageMessage } from './page-messages.ts';
import type { PageRequests } from './page-messages.ts';
import type { FromPage } from './page/words.ts';
import { session } from './session.ts';
import { subtreeOf } from './web-frame.ts';
import { answerWindowOpen } from './window-open-answer.ts';
import type { WindowOpenHandler } from './window-open-answer.ts';
import type { WebPreferences } from './window-options.ts';

const events = [
  'did-finish-load',
  'did-fail-load',
  'did-start-loading',
  'did-stop-loading',
  'did-navigate',
  'did-navigate-in-page',
  'did-start-navigation',
  'did-redirect-navigation',
  'did-frame-navigate',
  'did-frame-finish-load',
  'did-fail-provisional-load',
  'dom-ready',
  'page-title-updated',
  'page-favicon-updated',
  'will-navigate',
  'will-frame-navigate',
  'will-redirect',
  'will-attach-webview',
  'did-attach-webview',
  'will-prevent-unload',
  'did-create-window',
  'render-process-gone',
  'unresponsive',
  'responsive',
  'destroyed',
  'preload-error',
  'console-message',
  'before-input-event',
  'context-menu',
  'focus',
  'blur',
  'zoom-changed',
  'certificate-error',
  'login',
] as const;

/** What a window does for its contents. */
export interface Owner extends Pick<PageRequests, 'closeAsked' | 'resized' | 'key'> {
  size(): { width: number; height: number };
  targetGone(): void;
  /** Main closes the contents, without asking. */
  endAsked(): void;
  readyToShow(): void;
  focus(): void;
  /** The zoom changed, so the page has another size. */
  zoomed(): void;
}

/** What throws once the contents are destroyed (electron_api_web_contents.cc: WebContentsDestroyed). */
const lost = new Set([
  'id',
  'session',
  'mainFrame',
  'loadURL',
  'loadFile',
  'reload',
  'reloadIgnoringCache',
  'isLoading',
  'isLoadingMainFrame',
  'isCrashed',
  'isFocused',
  'getURL',
  'getOSProcessId',
  'getType',
  'focus',
  'close',
  'send',
  'postMessage',
  'executeJavaScript',
  'capturePage',
  'openDevTools',
  'closeDevTools',
  'getZoomLevel',
  'getZoomFactor',
  'setZoomLevel',
  'toggleDevTools',
  'isDevToolsOpened',
  'setBackgroundThrottling',
  'forcefullyCrashRenderer',
]);

let lastId = 0;
/** A page that does not answer is ended without. */
const longestLeaveMs = 2_000;
/** Chromium keeps the zoom of an address. All windows of an app have the same one. */
let zoomLevel = 0;

export class WebContents extends StandInEmitter {
  readonly id: number;
  readonly session = session.defaultSession;
  readonly mainFrame: object;
  private readonly owner: Owner;
  private readonly target: PageTarget;
  private readonly frames: FrameTree;
  private readonly navigation: NavigationDecision;
  private readonly requests: PageRequests;
  private requestedUrl = '';
  private loads: { resolve(): void; reject(error: Error): void }[] = [];
  private isBusy = false;
  private lastLoad = 0;
  private hasCrashed = false;
  private isGone = false;
  private hasBeenReady = false;
  private openHandler: WindowOpenHandler | null = null;

  constructor(preferences: WebPreferences, owner: Owner) {
    super('webContents', events);
    lastId += 1;
    this.id = lastId;
    this.owner = owner;
    const self = guard('webContents', this, { isDestroyed: () => this.isGone, lost });
    this.frames = createFrameTree(this.id, () => this.isGone);
    this.mainFrame = this.frames.main.shown;
    this.target = createPageTarget(preferences, owner.size, self.pageListener());
    this.navigation = createNavigationDecision(self);
    this.requests = {
      closeAsked: owner.closeAsked,
      resized: owner.resized,
      key: owner.key,
      windowWanted: (wanted) => answerWindowOpen(self.openHandler, wanted),
      preloadFailed(message) {
        console.error(`Unable to load preload script: ${preferences.preload ?? ''}\n${message}`);
        self.emit('preload-error', {}, preferences.preload, new Error(message));
      },
    };
    addContents(self);
    return self;
  }

  // Loading

  /** Rejects if the page cannot be loaded, if another load takes its place, and if the contents are destroyed. */
  loadURL(url: string, options: object = {}): Promise<void> {
    if (Object.keys(options).length > 0) throw new NotInStandIn('options of loadURL');
    const target = toBrowserUrl(url);
    this.requestedUrl = target;
    if (withoutHash(this.url) !== withoutHash(target)) this.failLoads('ERR_ABORTED', -3, target);
    const loaded = new Promise<void>((resolve, reject) => this.loads.push({ resolve, reject }));
    loaded.catch(() => {});
    this.isBusy = true;
    this.lastLoad += 1;
    void this.navigate(target, this.lastLoad);
    return loaded;
  }
  private async navigate(url: string, load: number): Promise<void> {
    const fail = (code: string, errno: number): void => {
      if (load !== this.lastLoad || this.isGone) return;
      this.isBusy = false;
      this.failLoads(code, errno, url);
      this.emit('did-fail-load', {}, errno, code, url, true, 1, 1);
    };
    try {
      const host = await this.target.ensure();
      this.emit('did-start-loading', {});
      this.navigation.expect(url);
      const { errorText, loaderId } = await host.send('Page.navigate', { url });
      const code = errorText?.replace('net::', '');
      if (code !== undefined) fail(code, code === 'ERR_ABORTED' ? -3 : -2);
      else if (loaderId === undefined) this.finishLoad();
    } catch (error) {
      // A page that was closed meanwhile is not an error: its end settles what waits.
      if (!this.isGone) console.error('[electron stand-in]', error);
      fail('ERR_FAILED', -2);
    }
  }
  async loadFile(): Promise<void> {
    throw new NotInStandIn('webContents.loadFile: serve pages by protocol.handle');
  }
  reload(): void {
    if (this.hasCrashed) {
      // The page of a process that is gone is useless to a test, so another one replaces it.
      this.hasCrashed = false;
      this.target.replace();
      void this.loadURL(this.url);
      return;
    }
    if (this.url !== '') this.navigation.expect(this.url);
    void this.use((host) => host.send('Page.reload'));
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
  /** Also closes its window, whose `close` is not emitted. */
  close(): void {
    this.owner.endAsked();
  }

  // Words

  /** Reaches the listeners of the current document. Before there is a document, the message is lost, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    this.frames.main.document?.send(channel, args, []);
  }
  postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []): void {
    this.frames.main.document?.send(channel, [message], transfer);
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.openHandler = handler;
  }
  async executeJavaScript(code: string): Promise<unknown> {
    const host = await this.target.ensure();
    const { result, exceptionDetails } = await host.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  async capturePage(): Promise<NativeImage> {
    const host = await this.target.ensure();
    const { data } = await host.send('Page.captureScreenshot', { format: 'png' });
    return new NativeImage(Buffer.from(data, 'base64'));
  }
  openDevTools(): void {
    console.error('[electron stand-in] Developer tools: attach to this Chromium with the DevTools of another one.');
  }
  closeDevTools(): void {}
  getZoomLevel(): number {
    return zoomLevel;
  }
  getZoomFactor(): number {
    return 1.2 ** zoomLevel;
  }
  setZoomLevel(level: number): void {
    zoomLevel = level;
    for (const contents of webContents.getAllWebContents()) contents.owner.zoomed();
  }
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

  use(act: (host: PageHost) => Promise<unknown>): Promise<void> {
    return this.target.use(act);
  }
  /** The main frame and those in it. */
  get frameCount(): number {
    return subtreeOf(this.frames.main).length;
  }
  get currentTargetId(): string | null {
    return this.target.current()?.targetId ?? null;
  }
  /** Called for requests of a new main document. False if the app prevented the navigation. */
  mayNavigate(url: string): boolean {
    return this.navigation.mayNavigate(url);
  }
  applyColorScheme(): void {
    if (this.target.current() === null) return;
    const scheme = pageColorScheme();
    void this.use((host) =>
      host.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme ?? '' }] }),
    );
  }
  /** Opens the page again at its address, after its target was closed from outside. */
  revive(): void {
    if (this.target.current() === null && !this.isGone && this.requestedUrl !== '')
      void this.loadURL(this.url === '' ? this.requestedUrl : this.url);
  }
  /** What Chromium does before a page ends with its window: the page may still send what waits. */
  async leave(): Promise<void> {
    const host = this.target.current();
    if (host === null || this.hasCrashed || this.isGone) return;
    const expression = "dispatchEvent(new PageTransitionEvent('pagehide'))";
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, longestLeaveMs);
    // A page that is gone by now is not an error.
    await Promise.race([host.send('Runtime.evaluate', { expression }).catch(() => {}), late.promise]);
    clearTimeout(timer);
  }
  end(): void {
    if (this.isGone) return;
    removeContents(this.id);
    this.isGone = true;
    this.frames.ended(null);
    this.target.close();
    this.emit('destroyed', {});
    this.failLoads('ERR_FAILED', -2, this.requestedUrl);
  }
  /** Rejects every load that waits, as `loadURL` does (Electron’s lib/browser/api/web-contents: _awaitNextLoad). */
  private failLoads(code: string, errno: number, url: string): void {
    for (const one of this.loads.splice(0))
      one.reject(Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url }));
  }

  /** The address of the main frame. */
  private get url(): string {
    return this.frames.main.url;
  }
  private set url(url: string) {
    this.frames.main.url = url;
  }

  private pageListener(): PageListener {
    return {
      word: (contextId, text) => this.hear(contextId, JSON.parse(text) as FromPage),
      worldMade: (contextId, frameId) => this.frames.worldMade(contextId, frameId),
      worldGone: (contextId) => this.frames.ended(contextId),
      frameAttached: (frameId, parentId) => this.frames.attached(frameId, parentId),
      frameDetached: (frameId) => this.frames.detached(frameId),
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
      windowOpened: (wanted) => this.requests.windowWanted(wanted),
      consoleMessage: (level, message, sourceId, lineNumber) => {
        if (this.isGone) return;
        this.emit('console-message', { level, message, lineNumber, sourceId, frame: this.mainFrame });
        if (level === 'error') console.error(`[page ${this.id}] ${message}`);
      },
      crashed: () => {
        this.hasCrashed = true;
        this.frames.ended(null);
        const details = { reason: 'crashed', exitCode: 1 };
        this.emit('render-process-gone', {}, details);
        emitProcessGone(this, details);
      },
      gone: () => {
        this.frames.ended(null);
        if (!this.isGone) this.owner.targetGone();
      },
    };
  }

  private finishLoad(): void {
    this.isBusy = false;
    for (const one of this.loads.splice(0)) one.resolve();
    this.emit('did-stop-loading', {});
    this.emit('did-finish-load', {});
    if (this.hasBeenReady) return;
    this.hasBeenReady = true;
    this.owner.readyToShow();
  }

  private hear(contextId: number, word: FromPage): void {
    const frame = this.frames.ofWorld(contextId);
    if (frame === null) return;
    if (word.type === 'hello') {
      const host = this.target.current();
      this.frames.begin(frame, host === null ? null : createPageDocument(host.chromium, host.sessionId, contextId));
      frame.url = word.url;
      return;
    }
    const { document } = frame;
    if (document === null || document.contextId !== contextId) return;
    // The isolated world reads its own address, so the page cannot lie about it.
    if ('url' in word) frame.url = word.url;
    handlePageMessage(word, { sender: this, frame, document }, this.requests);
  }
}
