import http from 'node:http';
import https from 'node:https';
import type { ClientRequest, RequestOptions } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guard } from './guard.ts';
import { records } from './records.ts';

const fileTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

type NetRequestOptions = RequestOptions & { session?: unknown; redirect?: unknown };

export const net = guard('net', {
  isOnline: (): boolean => records.isOnline,
  get online(): boolean {
    return records.isOnline;
  },
  /** Node's own request: it has everything of it that electron-updater uses. */
  request({ session: _session, redirect: _redirect, ...options }: NetRequestOptions): ClientRequest {
    return (options.protocol === 'http:' ? http : https).request(options);
  },
  /** Node's fetch, and files as Chromium serves them (type by extension). */
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    if (!url.startsWith('file:')) return fetch(input, init);
    const path = fileURLToPath(url);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch {
      throw new Error('net::ERR_FILE_NOT_FOUND');
    }
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': fileTypes[extname(path)] ?? 'application/octet-stream' },
    });
  },
});
