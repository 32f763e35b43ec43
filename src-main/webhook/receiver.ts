import { z } from 'zod';
import type { UnknownJob, WebhookCall, WebhookReceiverState } from '../../src-preload/webhook.ts';
import { byName, openCollection, type DocumentKind, type Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { Callers } from './callers.ts';
import { newCallbackPaths, callTargetOf, withOwnPath, type CallTarget, type CallbackPaths } from './callback-paths.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { isJobId } from '../../src-preload/job-bounds.ts';
import { createSerialQueue } from '../async/queues.ts';
import type { Clock } from '../time/clock.ts';
import { createThrottle } from '../time/timers.ts';
import { ownReplyReader, type ReplyReader } from '../service/read-reply.ts';
import { idOf } from '../service/shapes.ts';
import { webhookText } from '../messages/engine.ts';

/** The webhook receiver, controlled by the settings. */
export interface WebhookControl {
  /** Starts or stops it. Resolves when that is done. */
  apply(isWanted: boolean): Promise<void>;
  state(): WebhookReceiverState;
  /** Takes the unknown jobs that calls named. */
  noteUnknownJobs(unknownJobs: UnknownJob[]): void;
  /** The address to send with this submission. See `WebhookReceiver`. */
  callbackFor(webhook: string, jobKey: string): string;
  close(): Promise<void>;
}

export interface WebhookControlParts {
  documents: Documents;
  clock: Clock;
  onHint: (hint: WebhookCall) => void;
  onChange: (state: WebhookReceiverState) => void;
  log: Log;
  /** Reads the bodies of calls. */
  replies: ReplyReader;
}

/** If they are missing, as in former versions, they are created when they are read. */
const placeKind: DocumentKind<ReceiverPlace, string> = {
  kind: 'webhook',
  schema: z.object({
    port: z.number().int().min(1).max(65_535),
    token: z.string().regex(/^[\w-]{16,64}$/),
    secret: z
      .string()
      .min(32)
      .catch(() => newCallbackPaths().secret),
  }),
  id: byName,
};
const receiverName = 'receiver';
/** Thousands of calls may come in a second, and each report goes to every window. */
const reportedEveryMs = 100;

/** Starts and stops the webhook receiver as the user wants, and saves that choice. */
export function createWebhookControl({
  documents,
  clock,
  onHint,
  onChange,
  log,
  replies,
}: WebhookControlParts): WebhookControl {
  let state: WebhookReceiverState = {
    isOn: false,
    url: null,
    calls: 0,
    lastCallAtMs: null,
    problem: null,
    unknownJobs: [],
  };

  const reports = createThrottle({ clock, gapMs: reportedEveryMs, run: () => onChange(state) });

  function setState(changes: Partial<WebhookReceiverState>): void {
    state = { ...state, ...changes };
    reports.request();
  }

  const places = openCollection(documents, placeKind);
  const receiver = createWebhookReceiver({
    place: () => places.read(receiverName),
    savePlace: (place) => places.put(receiverName, place),
    onHint(hint) {
      setState({ calls: state.calls + 1, lastCallAtMs: clock.now() });
      onHint(hint);
    },
    log,
    replies,
  });

  async function applyNow(isWanted: boolean): Promise<void> {
    if (isWanted === state.isOn && (state.url !== null) === isWanted) return;
    if (!isWanted) {
      await receiver.stop();
      return setState({ isOn: false, url: null, problem: null });
    }
    const started = await receiver.start();
    setState(
      started.ok
        ? { isOn: true, url: started.value, problem: null }
        : { isOn: true, url: null, problem: started.failure.message },
    );
  }

  // In turn, so that each change is compared with the outcome of the one before.
  const changes = createSerialQueue();

  return {
    apply: (isWanted) => changes.run(() => applyNow(isWanted)),
    state: () => state,
    noteUnknownJobs: (unknownJobs) => setState({ unknownJobs }),
    callbackFor: receiver.callbackFor,
    close() {
      reports.cancel();
      return receiver.stop();
    },
  };
}

/** Where it listens. Saved, so that jobs sent before a restart still reach it. */
export interface ReceiverPlace extends CallbackPaths {
  port: number;
}

export interface ReceiverParts {
  /** The place of the last run. Null at the first start. */
  place: () => Promise<ReceiverPlace | null>;
  savePlace: (place: ReceiverPlace) => Promise<void>;
  onHint: (hint: WebhookCall) => void;
  log: Log;
  /**
   * A silent connection is closed after this time, because a few of them would keep all others out. 30 s by default.
   */
  quietForMs?: number;
  /** Reads the bodies of calls. If absent, a shared one is used. */
  replies?: ReplyReader;
}

/** Starts and stops run one after the other, in the order of the calls. */
export interface WebhookReceiver {
  /** Returns the address for the webhook field. If the former port is taken, another one is used. */
  start(): Promise<Result<string>>;
  stop(): Promise<void>;
  /** The address while it listens, otherwise null. */
  url(): string | null;
  /**
   * The address to send with this submission: one of its own if `webhook` is the receiver's address (ruling 25),
   * otherwise `webhook`.
   */
  callbackFor(webhook: string, jobKey: string): string;
}

/** A call repeats the job's input and output, each of which may have the largest payload's size (spec: Limits). */
const bodyMaxBytes = 64 * 2 ** 20;
const bodyWithinMs = 30_000;
/** The sandbox calls 64 times at once. */
const connectionsAtOnce = 128;
/** What calls may hold in memory together before they are read. One beyond that is answered with 503 and repeated. */
const heldMaxBytes = 4 * bodyMaxBytes;

/**
 * Receives job-completion notifications on 127.0.0.1 under a random path, and under one for each submission (spec:
 * Events; ruling 25). A call is answered with 200 as soon as it is read, and is only a hint to read its job now.
 * Everything else is refused: another path, method or Host, a body over 64 MiB or without a job id.
 */
export function createWebhookReceiver(parts: ReceiverParts): WebhookReceiver {
  const { place, savePlace, onHint, log, quietForMs = bodyWithinMs, replies = ownReplyReader } = parts;
  let listening: { server: Server; url: string } | null = null;
  /** Set when it has listened once. */
  let paths: CallbackPaths | null = null;
  const turns = createSerialQueue();
  let heldBytes = 0;

  async function start(): Promise<Result<string>> {
    if (listening !== null) return ok(listening.url);
    let isUnreadable = false;
    const former = await place().catch((error: unknown) => {
      isUnreadable = true;
      log.warn('the place of the webhook receiver cannot be read', { error });
      return null;
    });
    const { token, secret } = former ?? newCallbackPaths();
    const server = createServer({ requestTimeout: bodyWithinMs }, (request, response) =>
      receive(request, response, { token, secret }, callers),
    );
    const callers = new Callers(connectionsAtOnce);
    server.on('connection', (socket) => callers.opened(socket));
    // The request timeout only begins with the first byte.
    server.setTimeout(quietForMs);
    const port = (await listen(server, former?.port ?? 0)) ?? (await listen(server, 0));
    if (port === null) {
      return failed({ kind: 'defect', message: webhookText.couldNotStart });
    }
    // It continues to listen: with too many open files, for example, one call is refused, and the service repeats it.
    server.on('error', (error) => log.warn('the webhook receiver could not accept a call', { error }));
    const url = `http://127.0.0.1:${port}/${token}`;
    listening = { server, url };
    paths = { token, secret };
    // One that cannot be read now is read again at the next start: jobs were sent with it.
    if (!isUnreadable)
      await savePlace({ port, token, secret }).catch((error: unknown) =>
        log.warn('the place of the webhook receiver was not saved', { error }),
      );
    return ok(url);
  }

  async function stop(): Promise<void> {
    const current = listening;
    listening = null;
    if (current === null) return;
    await new Promise<void>((resolve) => {
      current.server.close(() => resolve());
      current.server.closeAllConnections();
    });
  }

  function receive(request: IncomingMessage, response: ServerResponse, paths: CallbackPaths, callers: Callers): void {
    const target = read(request, paths);
    if (typeof target === 'number') return answer(response, target);
    callers.setCalling(request.socket, true);
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('close', () => {
      heldBytes -= bytes;
      callers.setCalling(request.socket, false);
    });
    request.on('data', (piece: Buffer) => {
      if (response.writableEnded) return;
      bytes += piece.length;
      heldBytes += piece.length;
      if (bytes > bodyMaxBytes || heldBytes > heldMaxBytes) {
        pieces.length = 0;
        answer(response, bytes > bodyMaxBytes ? 413 : 503);
        request.destroy();
      } else pieces.push(piece);
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      if (response.writableEnded) return;
      jobIdIn(joined(pieces.splice(0), bytes), replies).then(
        (jobId) => {
          answer(response, jobId === null ? 400 : 200);
          if (jobId !== null) onHint({ jobId, jobKey: target.kind === 'submission' ? target.jobKey : null });
        },
        (error: unknown) => {
          log.warn('a webhook call was not read', { error });
          answer(response, 500);
        },
      );
    });
  }

  return {
    start: () => turns.run(start),
    stop: () => turns.run(stop),
    url: () => listening?.url ?? null,
    callbackFor: (webhook, jobKey) => (paths === null ? webhook : withOwnPath(webhook, paths, jobKey)),
  };
}

/**
 * The receiver or submission that a request calls, or the status of its refusal. A web page whose host name resolves to
 * 127.0.0.1 still sends that name as Host.
 */
function read({ headers, method, url }: IncomingMessage, paths: CallbackPaths): CallTarget | number {
  if (headers.host !== undefined && !/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(headers.host)) return 403;
  const target = callTargetOf(url?.split('?')[0] ?? '', paths);
  if (target === null) return 404;
  if (method !== 'POST') return 405;
  return Number(headers['content-length'] ?? 0) > bodyMaxBytes ? 413 : target;
}

/** The pieces of a body in memory that another thread can read in place. */
function joined(pieces: readonly Buffer[], bytes: number): Uint8Array {
  const body = new Uint8Array(new SharedArrayBuffer(bytes));
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return body;
}

/** The id of the job in the body of a call, or null. A large body is read in another thread. */
async function jobIdIn(body: Uint8Array, replies: ReplyReader): Promise<string | null> {
  const { fields } = await replies.read(body, {
    format: 'fields',
    wanted: ['id'],
    isWhole: true,
    // Only the id is used.
    redaction: { key: '', secrets: [], known: [], scope: 'strings' },
  });
  const id = fields?.ok === true ? idOf(fields.value.idText ?? undefined) : null;
  return id !== null && isJobId(id) ? id : null;
}

function answer(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  response.writeHead(status, {
    'content-type': 'text/plain',
    'content-length': 0,
    connection: status === 200 ? 'keep-alive' : 'close',
  });
  response.end();
}

/** The port it listens on. Null if this port is not available. */
function listen(server: Server, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const onError = (): void => resolve(null);
    server.once('error', onError);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
