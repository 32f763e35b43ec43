import { NotInStandIn, StandInEmitter, guard, preventable } from './guard.ts';
import { records } from './records.ts';
import { desktop, onChromiumStarted } from './shared-chromium.ts';
import { hasSchemeHandler, setBeforeRequest, setHeadersReceived, setSchemeHandler } from './interception.ts';
import { appOrigin } from './origin.ts';
import { isReady } from './readiness.ts';

type Permission = string;
type RequestHandler = (
  contents: null,
  permission: Permission,
  answer: (isGranted: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: null, permission: Permission, origin: string, details: object) => boolean;

/** Electron's permission names and Chromium's for the same thing. */
const permissionNames: [electron: string, chromium: string][] = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['media', 'camera'],
  ['media', 'microphone'],
  ['midi', 'midi'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['idle-detection', 'idle-detection'],
];

const [scheme] = appOrigin.split('://');
let requestHandler: RequestHandler | null = null;
let checkHandler: CheckHandler | null = null;

/**
 * Asks the app's handlers once for each permission and sets Chromium accordingly. Without a handler, Electron grants
 * it.
 */
async function applyPermissions(): Promise<void> {
  const { chromium } = await desktop();
  for (const [name, permission] of permissionNames) {
    const isChecked = checkHandler?.(null, name, appOrigin, {}) ?? true;
    const isGranted =
      isChecked &&
      (requestHandler === null || (await new Promise<boolean>((resolve) => requestHandler?.(null, name, resolve, {}))));
    await chromium
      .send('Browser.setPermission', { permission: { name: permission }, setting: isGranted ? 'granted' : 'denied' })
      .catch((error: unknown) => console.error('[electron stand-in]', error));
  }
}

function requireReady(): void {
  if (!isReady()) throw new TypeError('Session can only be received when app is ready');
}

function requireScheme(name: string): void {
  if (name !== scheme) throw new NotInStandIn(`scheme "${name}"; it serves "${scheme}"`);
}

type Privilege = 'standard' | 'secure' | 'supportFetchAPI' | 'codeCache';
/** Privileges that the stand-in's pages always have. Without them, the tests would run on a different kind of page. */
const neededPrivileges: readonly Privilege[] = ['standard', 'secure', 'supportFetchAPI'];
let areRegistered = false;

export const protocol = guard('protocol', {
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: Partial<Record<Privilege, boolean>> }[]): void {
    if (areRegistered)
      throw new Error('protocol.registerSchemesAsPrivileged was called twice: the first list is lost.');
    areRegistered = true;
    if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme: name, privileges = {} } of schemes) {
      requireScheme(name);
      for (const needed of neededPrivileges)
        if (privileges[needed] !== true) throw new NotInStandIn(`scheme "${name}" without the privilege ${needed}`);
      if (privileges.codeCache === true && privileges.standard !== true)
        throw new Error('Code cache can only be enabled when the custom scheme is registered as standard scheme.');
    }
  },
  handle(name: string, handler: (request: Request) => Response | Promise<Response>): void {
    requireReady();
    requireScheme(name);
    if (hasSchemeHandler()) throw new Error(`Failed to register protocol: ${name}`);
    setSchemeHandler(handler);
  },
  unhandle(name: string): void {
    requireScheme(name);
    setSchemeHandler(null);
  },
  isProtocolHandled: (name: string): boolean => name === scheme && hasSchemeHandler(),
});

/** Electron's forms: (listener), (filter, listener), (null). Filters are compared by address pattern. */
function listenerOf<L extends (...args: never[]) => void>(
  first: { urls: string[] } | L | null,
  second?: L | null,
): L | null {
  if (typeof first === 'function') return first;
  if (first !== null && (first.urls.length !== 1 || !['*://*/*', '<all_urls>'].includes(first.urls[0] ?? '')))
    throw new NotInStandIn('webRequest filters other than <all_urls>');
  return second ?? null;
}

const webRequest = guard('webRequest', {
  onBeforeRequest: (
    ...args: Parameters<typeof listenerOf<NonNullable<Parameters<typeof setBeforeRequest>[0]>>>
  ): void => setBeforeRequest(listenerOf(...args)),
  onHeadersReceived: (
    ...args: Parameters<typeof listenerOf<NonNullable<Parameters<typeof setHeadersReceived>[0]>>>
  ): void => setHeadersReceived(listenerOf(...args)),
});

class SessionEvents extends StandInEmitter {
  constructor() {
    super('session', ['will-download']);
  }
}
const sessionEvents = new SessionEvents();

onChromiumStarted(async ({ chromium }) => {
  await chromium.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
  chromium.on('Browser.downloadWillBegin', ({ suggestedFilename, url }) => {
    const event = preventable({});
    const item = guard('DownloadItem', { getFilename: () => suggestedFilename, getURL: () => url });
    sessionEvents.emit('will-download', event, item, null);
    if (!event.defaultPrevented) records.downloads.push(suggestedFilename);
  });
});

const defaultSession = guard('session.defaultSession', {
  on: (event: string, listener: (...args: unknown[]) => void): object => sessionEvents.on(event, listener),
  protocol,
  webRequest,
  /** As the test set it. Chromium itself sends nothing through it. */
  resolveProxy: async (_url: string): Promise<string> => process.env['ELECTRON_STAND_IN_PROXY'] ?? 'DIRECT',
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    requestHandler = handler;
    void applyPermissions();
  },
  setPermissionCheckHandler(handler: CheckHandler | null): void {
    checkHandler = handler;
    void applyPermissions();
  },
  /** Chromium starts without a spell checker here, so switching one on is refused. */
  setSpellCheckerEnabled(isEnabled: boolean): void {
    if (isEnabled) throw new NotInStandIn('spell checker');
  },
  isSpellCheckerEnabled: (): boolean => false,
  setSpellCheckerLanguages(languages: string[]): void {
    if (languages.length > 0) throw new NotInStandIn('spell checker');
  },
});

/** A session without windows, for requests of main itself. */
function partition(): object {
  return guard('session of a partition', {
    /** Requests of main are sent as Node sends them, whatever the proxy. */
    setProxy: async (_config: object): Promise<void> => {},
  });
}

export const session = guard('session', {
  get defaultSession() {
    requireReady();
    return defaultSession;
  },
  fromPartition(_name: string, _options: object): object {
    requireReady();
    return partition();
  },
});
