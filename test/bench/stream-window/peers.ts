import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { findChromium } from '../../kit/chromium.ts';
import { traceMainThread } from '../../kit/main-thread.ts';
import { handler } from '../../kit/stream-source.ts';
import type { BenchResult } from '../run.ts';
import { figures } from './figures.ts';

export interface StreamSize {
  chars: number;
  pieceChars: number;
}

/** Each peer is stopped then, finished or not. */
const maxSeconds = 60;
const waitMs = 600_000;
const require = createRequire(import.meta.url);

interface Peer {
  name: string;
  /** The content of its page. */
  html: string;
  /** Runs in its page: shows what arrives for at most `seconds`, and resolves with the number of characters shown. */
  show: (seconds: number) => Promise<number>;
}

/** The plainest window: what arrives is appended to a <pre> that stays scrolled to its end. */
const pre: Peer = {
  name: 'peer <pre>',
  html: '<pre style="height:600px;width:580px;overflow:auto;white-space:pre-wrap"></pre>',
  show: async (seconds) => {
    const shown = document.querySelector('pre');
    const body = (await fetch('/stream')).body;
    if (shown === null || body === null) return 0;
    const until = performance.now() + seconds * 1_000;
    let chars = 0;
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      chars += piece.length;
      shown.append(piece);
      shown.scrollTop = shown.scrollHeight;
      if (performance.now() > until) break;
    }
    return chars;
  },
};

/** The terminal of VS Code, which keeps every line. */
const xterm: Peer = {
  name: 'peer @xterm/xterm',
  html: '<link rel="stylesheet" href="/xterm.css"><script src="/xterm.js"></script><div id="terminal"></div>',
  show: async (seconds) => {
    interface Shown {
      open(element: HTMLElement | null): void;
      write(text: string, done: () => void): void;
    }
    const make: unknown = Reflect.get(window, 'Terminal');
    if (typeof make !== 'function') return 0;
    const terminal: Shown = Reflect.construct(make, [{ cols: 80, rows: 36, scrollback: 2_000_000, convertEol: true }]);
    terminal.open(document.querySelector('#terminal'));
    const body = (await fetch('/stream')).body;
    if (body === null) return 0;
    const until = performance.now() + seconds * 1_000;
    let chars = 0;
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      chars += piece.length;
      await new Promise<void>((resolve) => terminal.write(piece, resolve));
      if (performance.now() > until) break;
    }
    return chars;
  },
};

/** The same pieces in other windows, in the same Chromium. */
export async function measurePeers(size: StreamSize, what: string): Promise<BenchResult> {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    const result: BenchResult = {};
    for (const peer of [pre, xterm]) {
      console.error(`${peer.name}, ${what}`);
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      Object.assign(result, await measurePeer(page, peer, size, what));
      await page.close();
    }
    return result;
  } finally {
    await browser.close();
  }
}

async function measurePeer(page: Page, peer: Peer, size: StreamSize, what: string): Promise<BenchResult> {
  const server = servePeer(peer, size);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    let chars = 0;
    const use = await traceMainThread(page, async () => {
      chars = await page.evaluate(peer.show, maxSeconds);
    });
    const name = `${peer.name}, ${what}`;
    return { [`${name}: MB shown in at most ${maxSeconds} s`]: Math.round(chars / 1e5) / 10, ...figures(name, use) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function servePeer({ html }: Peer, { chars, pieceChars }: StreamSize): ReturnType<typeof createServer> {
  const files: Readonly<Record<string, string>> = {
    '/xterm.js': require.resolve('@xterm/xterm/lib/xterm.js'),
    '/xterm.css': require.resolve('@xterm/xterm/css/xterm.css'),
  };
  return createServer((request, response) => {
    const file = files[request.url ?? ''];
    if (request.url === '/') response.end(`<!doctype html>${html}`);
    else if (file !== undefined) {
      response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript');
      void readFile(file).then((bytes) => response.end(bytes));
    } else if (request.url !== '/stream') response.writeHead(404).end();
    else
      void (async () => {
        response.once('close', () => response.emit('drain'));
        const input = { chars, piece_chars: pieceChars };
        const signal = AbortSignal.timeout(waitMs);
        for await (const piece of handler({ id: '', input, signal, progress: () => undefined })) {
          if (response.destroyed) return;
          if (!response.write(piece)) await once(response, 'drain');
        }
        response.end();
      })();
  });
}
