import { app, BrowserWindow, protocol, WebContentsView } from 'electron';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { serveContract } from '../../../../src-main/desktop/pages/ipc.ts';
import { trustedOrigin } from '../../../../src-main/desktop/pages/app-protocol.ts';
import { createLog } from '../../../../src-main/log.ts';
import type { Handlers } from '../../../../src-preload/contract.ts';
import { ok } from '../../../../src-preload/failure.ts';

/*
 * An app that consists only of the contract, served as Jobdeck serves it, to senders of all kinds: a window of ours
 * with a frame in it, windows at foreign addresses, and a page of ours that is in no window. All of them have the same
 * bridge.
 */
const log = createLog({ write: (line) => process.stdout.write(line), now: Date.now });
const nothing = () => ok(null);
serveContract(
  {
    'app:preparation': (_nothing, { windowId }) => {
      log.info('a call was answered', { windowId });
      return ok({ kind: 'check', jobs: windowId });
    },
    'window:minimize': nothing,
    'window:toggleMaximize': nothing,
    'window:close': nothing,
  },
  new Promise<Handlers>(() => undefined),
  log,
);

const page = (title: string, body = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`;
const webPreferences = {
  preload: join(import.meta.dirname, '..', 'fixture', 'preload.cjs'),
  sandbox: true,
  contextIsolation: true,
  nodeIntegrationInSubFrames: true,
};
/** Referenced, so that it is not collected with its page. */
const views: WebContentsView[] = [];

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

function open(url: string): void {
  void new BrowserWindow({ webPreferences }).loadURL(url);
}

void app.whenReady().then(() => {
  protocol.handle(
    'app',
    ({ url }) =>
      new Response(
        new URL(url).pathname === '/index.html' ? page('ours', '<iframe src="/inner.html"></iframe>') : page('inner'),
        { headers: { 'content-type': 'text/html' } },
      ),
  );
  open(`${trustedOrigin()}/index.html`);
  const elsewhere = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page('elsewhere')),
  );
  elsewhere.listen(0, '127.0.0.1', () => {
    const address = elsewhere.address();
    if (typeof address === 'object' && address !== null) open(`http://127.0.0.1:${address.port}/index.html`);
  });
  open(`data:text/html,${encodeURIComponent(page('no origin'))}`);
  const view = new WebContentsView({ webPreferences });
  views.push(view);
  void view.webContents.loadURL(`${trustedOrigin()}/inner.html#in-no-window`);
});
