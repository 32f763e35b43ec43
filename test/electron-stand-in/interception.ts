import { toAppUrl, standInOrigin } from './origin.ts';
import type { Chromium, Protocol } from './chromium-pipe.ts';
import { onChromiumStarted } from './shared-chromium.ts';

type Paused = Protocol.Fetch.requestPausedPayload;
type Handler = (request: Request) => Response | Promise<Response>;

export interface RequestDetails {
  id: number;
  url: string;
  method: string;
  resourceType: string;
  webContentsId?: number;
}
type BeforeRequest = (
  details: RequestDetails,
  callback: (answer: { cancel?: boolean; redirectURL?: string }) => void,
) => void;
type HeadersReceived = (
  details: RequestDetails & { responseHeaders: Record<string, string[]>; statusCode: number; statusLine: string },
  callback: (answer: { cancel?: boolean; responseHeaders?: Record<string, string | string[]> }) => void,
) => void;

/** What the app registered, one of each, as in Electron. */
const registered: {
  handler: Handler | null;
  beforeRequest: BeforeRequest | null;
  headersReceived: HeadersReceived | null;
} = { handler: null, beforeRequest: null, headersReceived: null };

/** Called for every document request. False if the app prevented the navigation. */
let mayNavigate: (frameId: string, url: string) => boolean = () => true;
let contentsIdOf: (frameId: string) => number | undefined = () => undefined;
let enable: () => Promise<void> = () => Promise.resolve();
let lastRequest = 0;

/** Sets the function that decides about navigations, and which webContents a frame belongs to. */
export function setNavigationGate(gate: typeof mayNavigate, contentsId: typeof contentsIdOf): void {
  mayNavigate = gate;
  contentsIdOf = contentsId;
}

export function setSchemeHandler(handler: Handler | null): void {
  registered.handler = handler;
}
export function hasSchemeHandler(): boolean {
  return registered.handler !== null;
}
export function setBeforeRequest(listener: BeforeRequest | null): void {
  registered.beforeRequest = listener;
  void enable();
}
export function setHeadersReceived(listener: HeadersReceived | null): void {
  registered.headersReceived = listener;
  void enable();
}

onChromiumStarted(async ({ chromium }) => {
  enable = async () => {
    const seesAll = registered.beforeRequest !== null || registered.headersReceived !== null;
    const patterns = seesAll
      ? [{ urlPattern: '*' }]
      : [{ urlPattern: `${standInOrigin}/*` }, { urlPattern: '*', resourceType: 'Document' as const }];
    await chromium.send('Fetch.enable', {
      patterns: [
        ...patterns,
        ...(registered.headersReceived === null ? [] : [{ urlPattern: '*', requestStage: 'Response' as const }]),
      ],
    });
  };
  let hasEnded = false;
  void chromium.exited.then(() => {
    hasEnded = true;
  });
  chromium.on('Fetch.requestPaused', (paused, sessionId) => {
    if (sessionId !== undefined) return;
    answer(chromium, paused).catch((error: unknown) => {
      if (hasEnded || isGone(error)) return;
      console.error(`[electron stand-in] ${paused.request.url}:`, error);
      chromium.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' }).catch(() => {});
    });
  });
  await enable();
});

/** The page was left while its request was being answered. Chromium then forgets the request. */
function isGone(error: unknown): boolean {
  return error instanceof Error && error.message.includes('Invalid InterceptionId');
}

async function answer(chromium: Chromium, paused: Paused): Promise<void> {
  const { requestId, request, frameId, resourceType } = paused;
  if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined) {
    await answerHeaders(chromium, paused);
    return;
  }
  const details = detailsOf(paused);
  if (resourceType === 'Document' && !mayNavigate(frameId, request.url)) {
    await chromium.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    return;
  }
  const { beforeRequest } = registered;
  if (beforeRequest !== null) {
    const verdict = await new Promise<{ cancel?: boolean; redirectURL?: string }>((resolve) =>
      beforeRequest(details, resolve),
    );
    if (verdict.cancel === true) {
      await chromium.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    if (verdict.redirectURL !== undefined) {
      await chromium.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: 307,
        responseHeaders: [{ name: 'location', value: verdict.redirectURL }],
      });
      return;
    }
  }
  if (!request.url.startsWith(`${standInOrigin}/`)) {
    await chromium.send('Fetch.continueRequest', { requestId });
    return;
  }
  if (resourceType === 'Other' && request.url === `${standInOrigin}/favicon.ico`) {
    // Chromium requests it for its tabs; Electron never does.
    await chromium.send('Fetch.fulfillRequest', { requestId, responseCode: 204 });
    return;
  }
  if (registered.handler === null) throw new Error('nothing handles the scheme app: (protocol.handle was not called)');
  const body = (request.postDataEntries ?? []).map((entry) => Buffer.from(entry.bytes ?? '', 'base64'));
  const response = await registered.handler(
    new Request(toAppUrl(request.url), {
      method: request.method,
      headers: request.headers,
      ...(body.length > 0 ? { body: Buffer.concat(body) } : {}),
    }),
  );
  if (response.type === 'error') {
    await chromium.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    return;
  }
  let headers = [...response.headers].map(([name, value]) => ({ name, value }));
  if (registered.headersReceived !== null) headers = await askHeaders(details, response.status, headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  await chromium.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: headers,
    body: bytes.toString('base64'),
  });
}

async function answerHeaders(chromium: Chromium, paused: Paused): Promise<void> {
  const { requestId, responseStatusCode, responseHeaders } = paused;
  if (responseStatusCode === undefined || registered.headersReceived === null) {
    await chromium.send('Fetch.continueRequest', { requestId });
    return;
  }
  const headers = await askHeaders(detailsOf(paused), responseStatusCode, responseHeaders ?? []);
  await chromium.send('Fetch.continueResponse', {
    requestId,
    responseCode: responseStatusCode,
    responseHeaders: headers,
  });
}

type HeaderList = { name: string; value: string }[];

async function askHeaders(details: RequestDetails, statusCode: number, headers: HeaderList): Promise<HeaderList> {
  const listener = registered.headersReceived;
  if (listener === null) return headers;
  const grouped: Record<string, string[]> = {};
  for (const { name, value } of headers) (grouped[name] ??= []).push(value);
  const verdict = await new Promise<{ cancel?: boolean; responseHeaders?: Record<string, string | string[]> }>(
    (resolve) =>
      listener({ ...details, responseHeaders: grouped, statusCode, statusLine: `HTTP/1.1 ${statusCode}` }, resolve),
  );
  if (verdict.cancel === true) throw new Error('The app cancelled this response.');
  return Object.entries(verdict.responseHeaders ?? grouped).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
}

const resourceTypes: Record<string, string> = {
  Document: 'mainFrame',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  XHR: 'xhr',
  Fetch: 'xhr',
  Media: 'media',
  WebSocket: 'webSocket',
  Ping: 'ping',
};

function detailsOf(paused: Paused): RequestDetails {
  lastRequest += 1;
  const webContentsId = contentsIdOf(paused.frameId);
  return {
    id: lastRequest,
    url: paused.request.url,
    method: paused.request.method,
    resourceType: resourceTypes[paused.resourceType] ?? 'other',
    ...(webContentsId === undefined ? {} : { webContentsId }),
  };
}
