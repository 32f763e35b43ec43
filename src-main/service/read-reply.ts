import { failed, ok } from '../../src-preload/failure.ts';
import { threadEnv } from '../async/thread-env.ts';
import { holdsSecret, type Secret } from '../redaction/find-secrets.ts';
import { bufferOf, createJsonScanner, startOfJson, textAt, type Member } from './json-scan.ts';
import { inUtf8 } from './charset.ts';
import { redactOutsideEnv } from './mask-env.ts';
import { withNumberNamesQuoted } from './number-names.ts';
import { redactor, type Redactor } from '../redaction/redactor.ts';
import { scanStream, type ScannedStream } from './scan-stream.ts';
import type { ScannedFields, Parsed } from './shapes.ts';
import { Worker } from 'node:worker_threads';
import { largeReplyBytes } from './reply-body.ts';
import { replyText } from '../messages/service/failures.ts';

/** What to read from a reply's bytes. Plain values, because another thread may do it. */
export interface ReplyReading {
  /** The members of an object, or the chunks of a stream in either shape (ruling 1). */
  format: 'fields' | 'chunks';
  /** Members that are always returned. */
  wanted: readonly string[];
  /** False if the reply is incomplete: then only complete chunks are read. */
  isWhole: boolean;
  /** As its `content-type` names it. Absent: UTF-8. */
  charset?: string | null;
  redaction: Redaction;
}

export interface Redaction {
  key: string;
  secrets: readonly string[];
  known: readonly Secret[];
  /**
   * Which secrets are removed: all inside strings, or only the key and nothing inside an `env`, because a template is
   * sent back unchanged.
   */
  scope: 'strings' | 'outside-env';
}

/** The result of reading a reply. Flat for any reply, so that sending it between threads costs nothing. */
export interface ReadReply {
  /** The failure ends the sentence "the reply ...". */
  fields: Parsed<ScannedFields> | null;
  stream: Parsed<ScannedStream> | null;
  /** The complete chunks of a stream that cannot be read as a whole. */
  salvaged: ScannedStream | null;
  /** The bytes that all places refer to. Null if they are those of the reply. */
  clean: Uint8Array<ArrayBuffer> | null;
  /** How many secrets were hidden in a successful reply. */
  hiddenSecrets: number;
  /** How many of its numbers JSON does not know, which are text in `clean`. */
  namedNumbers: number;
  /** The whole reply is JSON of an object or list. */
  isJson: boolean;
}

/** How many other members are returned. Further ones are only in the raw reply. */
const maxOtherMembers = 1_000;
/** Bytes; a longer `error` is decoded in the thread that reads the reply. */
const longError = 65_536;

/**
 * Reads a reply: removes secrets, checks it, and returns places in its bytes. A worker in Python writes NaN and
 * Infinity as numbers, which are not JSON. Its result must not be lost for that, so they are read as text.
 */
export function readReply(shared: Uint8Array, reading: ReplyReading): ReadReply {
  const decoded = inUtf8(shared, reading.charset ?? null);
  const came = decoded ?? bufferOf(shared);
  const named = reading.isWhole && formOf(came) !== 'broken' ? null : withNumberNamesQuoted(came);
  if (named === null) {
    const read = readJson(came, reading);
    return decoded === null ? read : { ...read, clean: read.clean ?? new Uint8Array(decoded) };
  }
  const read = readJson(bufferOf(named.bytes), reading);
  return { ...read, clean: read.clean ?? named.bytes, namedNumbers: named.count };
}

function readJson(bytes: Buffer, reading: ReplyReading): ReadReply {
  const { key, secrets, known, scope } = reading.redaction;
  const redact = redactor(key, secrets, known);
  const form = reading.isWhole ? formOf(bytes) : 'broken';
  const isJson = form === 'object' || form === 'list';
  const none = { fields: null, stream: null, salvaged: null, clean: null, hiddenSecrets: 0, namedNumbers: 0, isJson };

  const isDirty = isJson && holdsSecret(bytes, scope === 'strings' ? redact.inResults : redact.all);
  const clean = isDirty
    ? without(bytes, scope === 'strings' ? redact.json : (text) => redactOutsideEnv(text, redact.key))
    : null;
  const read = clean ?? bytes;
  const hiddenSecrets = redact.hidden();
  if (reading.format === 'fields') {
    const fields = form === 'object' ? fieldsOf(read, bytes, reading.wanted) : failed(whyNoObject[form]);
    return { ...none, fields, clean, hiddenSecrets };
  }
  const stream = isJson || form === 'scalar' ? scanStream(read) : failed(whyNoObject[form]);
  if (stream.ok) return { ...none, stream, clean, hiddenSecrets };
  const broken = holdsSecret(bytes, redact.all) ? without(bytes, redact.broken) : null;
  return { ...none, stream, salvaged: salvage(broken ?? bytes), clean: broken };
}

/** The bytes after `redact` was applied to their text. Null if it removed nothing. */
function without(bytes: Uint8Array, redact: Redactor['text']): Uint8Array<ArrayBuffer> | null {
  const text = textAt(bytes, 0, bytes.length);
  const clean = redact(text);
  return clean === text ? null : new Uint8Array(Buffer.from(clean));
}

type Form = 'object' | 'list' | 'scalar' | 'page' | 'empty' | 'broken';

const whyNoObject: Record<Form, string> = {
  object: replyText.notObject,
  list: replyText.notObject,
  scalar: replyText.notObject,
  page: replyText.page,
  empty: replyText.empty,
  broken: replyText.notJson,
};

function formOf(bytes: Uint8Array): Form {
  const scanner = createJsonScanner(bytes);
  const start = startOfJson(bytes);
  if (start === bytes.length) return 'empty';
  const end = scanner.valueEnd(start);
  if (end === -1 || scanner.skipSpace(end) !== bytes.length) return bytes[start] === 0x3c ? 'page' : 'broken';
  return bytes[start] === 0x7b ? 'object' : bytes[start] === 0x5b ? 'list' : 'scalar';
}

/** For an object, which `read` and `asItCame` both are. */
function fieldsOf(read: Uint8Array, asItCame: Uint8Array, wanted: readonly string[]): Parsed<ScannedFields> {
  const members = membersOf(read, new Set(wanted));
  const id = (read === asItCame ? members : membersOf(asItCame, new Set(['id']))).get('id');
  const error = members.get('error');
  return ok({
    members: [...members.values()],
    idText: id === undefined ? null : textAt(asItCame, id.start, id.end),
    decodedError:
      error !== undefined && error.end - error.start > longError && read[error.start] === 0x22
        ? decoded(textAt(read, error.start, error.end))
        : null,
  });
}

/** The last of duplicate members wins, as in JSON.parse. */
function membersOf(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, Member> {
  const members = new Map<string, Member>();
  createJsonScanner(bytes).members(startOfJson(bytes), (member) => {
    if (wanted.has(member.name) || members.size < maxOtherMembers || members.has(member.name))
      members.set(member.name, member);
  });
  return members;
}

function decoded(quoted: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(String(JSON.parse(quoted))));
}

/** Reading a stream drains it (ruling 2), so the complete chunks of an incomplete reply are all there will ever be. */
function salvage(bytes: Uint8Array): ScannedStream {
  const read = scanStream(bytes, { isBroken: true });
  return read.ok ? read.value : { status: null, id: null, spans: new Uint32Array(), composed: new Uint8Array() };
}

/** A message to the thread with a reply to read. Its bytes are shared and no longer written. */
export interface ToReplyThread {
  id: number;
  bytes: Uint8Array;
  reading: ReplyReading;
}

export interface FromReplyThread {
  id: number;
  read: ReadReply;
}

/**
 * Reads the bytes of replies: short ones directly, large ones in a thread of their own, so that main stays responsive
 * (ruling 43).
 */
export interface ReplyReader {
  read(bytes: Uint8Array, reading: ReplyReading): Promise<ReadReply>;
}

interface Waiting {
  message: ToReplyThread;
  /** How many threads have ended because of it. */
  ends: number;
  resolve: (read: ReadReply) => void;
}

/** Small, because the thread keeps little and releases its memory early. */
const youngMb = 4;
/** A reply that ended two threads would end a third. */
const maxEnds = 2;

/**
 * A reader whose thread is started at the first large reply, and again after it has ended. Takes the thread's script,
 * by default the source beside this file. The process may end while nothing is read.
 */
export function createReplyReader(threadUrl: URL = new URL('./reply-thread.ts', import.meta.url)): ReplyReader {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let nextId = 1;

  function ended(which: Worker): void {
    if (thread !== which) return;
    thread = null;
    // They are read in the order they came, so the first one ended the thread.
    const [first] = waiting;
    if (first !== undefined) {
      const [id, blamed] = first;
      blamed.ends += 1;
      if (blamed.ends === maxEnds)
        settle(id, {
          fields: failed(replyText.threadEnded),
          stream: failed(replyText.threadEnded),
          salvaged: null,
          clean: null,
          hiddenSecrets: 0,
          namedNumbers: 0,
          isJson: false,
        });
    }
    for (const { message } of waiting.values()) running().postMessage(message, []);
  }

  function settle(id: number, read: ReadReply): void {
    const settled = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) thread?.unref();
    settled?.resolve(read);
  }

  function running(): Worker {
    if (thread !== null) return thread;
    const started = new Worker(threadUrl, {
      name: 'replies',
      env: threadEnv(),
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
    });
    started.on('message', ({ id, read }: FromReplyThread) => settle(id, read));
    started.on('error', () => ended(started));
    started.on('exit', () => ended(started));
    thread = started;
    return started;
  }

  return {
    read(bytes, reading) {
      if (bytes.length <= largeReplyBytes) return Promise.resolve(readReply(bytes, reading));
      return new Promise((resolve) => {
        const message = { id: nextId, bytes, reading };
        nextId += 1;
        waiting.set(message.id, { message, ends: 0, resolve });
        running().ref();
        running().postMessage(message, []);
      });
    },
  };
}

/** Used by default. */
export const ownReplyReader = createReplyReader();
