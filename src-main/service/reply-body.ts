import type { Duplex, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { constants, createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { replyBodyText } from '../messages/service/failures.ts';

/** What arrived of a reply, and how that ended. Reasons end the sentence "the reply ...". */
export interface ReplyBody {
  /** Unpacked. From `largeReplyBytes` on the memory is shared, so that another thread can read it in place. */
  bytes: Uint8Array;
  end:
    | { kind: 'whole' }
    | { kind: 'beyond'; why: string }
    | { kind: 'unreadable'; why: string }
    | { kind: 'broken'; error: unknown };
}

/** How many unpacked bytes of a reply are read (ruling 43: 64 MB, measured as in ruling 16). */
export const maxReplyBytes = 64 * 2 ** 20;

/** A longer reply is read in another thread (ruling 43). */
export const largeReplyBytes = 262_144;

/** ruling 43: a reply whose unpacked size is more than this many times its packed size is refused... */
const maxUnpacked = 500;
/** ...if it has at least this many bytes. A smaller one does no harm. */
const alwaysUnpackedBytes = 1_000_000;

/** A reply that is larger or more compressed than is ever read. */
class BeyondLimits extends Error {}

export interface BodyLimits {
  /** How many unpacked bytes are read, of the reply and of each layer of its packing. */
  limitBytes: number;
  /** A reply with this beginning is not read any further. */
  beyondBeginning?: string | undefined;
  /** Called with the number of bytes that came over the network. */
  onBytes: (bytes: number) => void;
}

/**
 * Reads a reply's body and unpacks it, up to the limits. What has arrived is returned even if the rest does not come or
 * is refused. Takes the stream of the packed body, and the reply's `content-encoding`.
 */
export function readReplyBody(body: Readable, contentEncoding: string | null, limits: BodyLimits): Promise<ReplyBody> {
  return new BodyReading(body, contentEncoding, limits).read();
}

/** The reading of one reply. */
class BodyReading {
  readonly #body: Readable;
  readonly #contentEncoding: string | null;
  readonly #limits: BodyLimits;
  readonly #gathered: Gathered;
  #receivedBytes = 0;
  #largestLayerBytes = 0;
  #networkError: unknown = null;
  #isCompared: boolean;

  constructor(body: Readable, contentEncoding: string | null, limits: BodyLimits) {
    this.#body = body;
    this.#contentEncoding = contentEncoding;
    this.#limits = limits;
    this.#gathered = createGathered(limits.limitBytes);
    this.#isCompared = limits.beyondBeginning === undefined;
  }

  async read(): Promise<ReplyBody> {
    const packing = unpackersOf(this.#contentEncoding);
    try {
      if (!packing.ok) return this.#ended({ kind: 'unreadable', why: packing.failure });
      if (packing.value.length === 0) await this.#gatherPlain();
      else await this.#gatherPacked(packing.value);
      const isPacked = this.#largestLayerBytes > Math.max(alwaysUnpackedBytes, this.#receivedBytes * maxUnpacked);
      return this.#ended(
        isPacked ? { kind: 'beyond', why: replyBodyText.tooCompressed(maxUnpacked) } : { kind: 'whole' },
      );
    } catch (error) {
      if (error instanceof BeyondLimits) return this.#ended({ kind: 'beyond', why: error.message });
      return this.#ended(
        this.#networkError === null
          ? { kind: 'unreadable', why: replyBodyText.cannotUnpack }
          : { kind: 'broken', error: this.#networkError },
      );
    } finally {
      // The connection of a reply that is not read to its end is closed.
      if (!this.#body.readableEnded) this.#body.destroy();
    }
  }

  #ended(end: ReplyBody['end']): ReplyBody {
    return { bytes: this.#gathered.bytes(), end };
  }

  /** Piece by piece as they come. A slow reader would get several joined, which takes their memory twice. */
  async #gatherPlain(): Promise<void> {
    this.#body.on('data', (piece: Buffer) => {
      this.#count(piece);
      const beyond = this.#add(piece);
      if (beyond !== null) this.#body.destroy(beyond);
      else if (this.#gathered.isShared()) release(piece);
    });
    try {
      await finished(this.#body);
    } catch (error) {
      if (!(error instanceof BeyondLimits)) this.#networkError = error;
      throw error;
    }
  }

  async #gatherPacked(layers: readonly Unpacker[]): Promise<void> {
    const { first, pieces } = await readAhead(this.#received());
    let source = pieces;
    if (!isUnpacked(this.#contentEncoding, first))
      for (const unpacker of layers) source = this.#unpacked(source, unpacker());
    for await (const piece of source) {
      const beyond = this.#add(piece);
      if (beyond !== null) throw beyond;
    }
  }

  async *#received(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of this.#body) {
        if (!(piece instanceof Buffer)) continue;
        this.#count(piece);
        yield piece;
      }
    } catch (error) {
      this.#networkError = error;
      throw error;
    }
  }

  async *#unpacked(source: AsyncIterable<Buffer>, unpacker: Duplex): AsyncGenerator<Buffer> {
    const { limitBytes } = this.#limits;
    // An error on one side shows on the other, which is read below.
    pipeline(source, unpacker).catch(() => undefined);
    let bytes = 0;
    for await (const piece of unpacker) {
      if (!(piece instanceof Buffer)) continue;
      if (bytes > limitBytes) throw new BeyondLimits(replyBodyText.tooLong(limitBytes));
      bytes += piece.byteLength;
      this.#largestLayerBytes = Math.max(this.#largestLayerBytes, bytes);
      yield piece;
    }
  }

  #count(piece: Buffer): void {
    this.#receivedBytes += piece.byteLength;
    this.#limits.onBytes(this.#receivedBytes);
  }

  /** Returns why nothing more must be read, or null. */
  #add(piece: Buffer): BeyondLimits | null {
    const { limitBytes, beyondBeginning } = this.#limits;
    if (!this.#gathered.add(piece)) return new BeyondLimits(replyBodyText.tooLong(limitBytes));
    if (this.#isCompared || this.#gathered.length() < beginningBytes) return null;
    this.#isCompared = true;
    const isSame = beginningMark(this.#gathered.bytes()) === beyondBeginning;
    return isSame ? new BeyondLimits(replyBodyText.sameBeginning) : null;
  }
}

/**
 * Frees the memory of a piece as soon as it was copied, because until the next garbage collection a long reply would be
 * in memory twice. Only for memory that is exactly this piece: Node's shared pool is never used by a single one.
 */
function release({ buffer, byteOffset, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength) buffer.transfer(0);
}

interface Gathered {
  /** False if the limit is reached. What fits is kept. */
  add(piece: Uint8Array): boolean;
  /** Whether the pieces were copied. */
  isShared(): boolean;
  length(): number;
  bytes(): Uint8Array;
}

/** Small replies have memory of their own. Larger ones are in shared memory that grows without being copied. */
function createGathered(limitBytes: number): Gathered {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let shared: SharedArrayBuffer | null = null;

  function place(piece: Uint8Array, at: number): void {
    if (shared === null) return;
    if (at + piece.byteLength > shared.byteLength)
      shared.grow(Math.min(limitBytes, Math.max(at + piece.byteLength, shared.byteLength * 2)));
    new Uint8Array(shared, at, piece.byteLength).set(piece);
  }

  return {
    add(piece) {
      const room = limitBytes - length;
      const fitting = piece.byteLength > room ? piece.subarray(0, room) : piece;
      if (shared === null && length + fitting.byteLength > largeReplyBytes) {
        shared = new SharedArrayBuffer(largeReplyBytes, { maxByteLength: limitBytes });
        let at = 0;
        for (const former of pieces.splice(0)) {
          place(former, at);
          at += former.byteLength;
        }
      }
      if (shared === null) pieces.push(fitting);
      else place(fitting, length);
      length += fitting.byteLength;
      return fitting === piece;
    },
    isShared: () => shared !== null,
    length: () => length,
    bytes: () => (shared === null ? Buffer.concat(pieces) : new Uint8Array(shared, 0, length)),
  };
}

/** How much of a long reply is compared to recognise it. */
export const beginningBytes = 1_000_000;

/** A text that is equal for replies with the same beginning. Null if the reply is shorter than that. */
export function beginningMark(bytes: Uint8Array): string | null {
  return bytes.length < beginningBytes
    ? null
    : createHash('sha1').update(bytes.subarray(0, beginningBytes)).digest('base64');
}

/** The encodings in which a service may pack its replies. */
export const acceptedCodings = ['gzip', 'br'].join(', ');

/** The most nested layers of packing. Honest services never use two. */
const maxLayers = 2;
/** How many bytes are passed on at a time. */
const chunkSize = 65_536;

/** The pieces of `source`, and the first of them. */
async function readAhead(
  source: AsyncGenerator<Buffer>,
): Promise<{ first: Buffer | undefined; pieces: AsyncIterable<Buffer> }> {
  const read = await source.next();
  async function* all(): AsyncGenerator<Buffer> {
    if (read.done === true) return;
    yield read.value;
    yield* source;
  }
  return { first: read.done === true ? undefined : read.value, pieces: all() };
}

/** Some proxies unpack a body and leave the header. Nothing that these encodings pack begins like JSON. */
function isUnpacked(contentEncoding: string | null, first: Buffer | undefined): boolean {
  return (
    /^\s*(?:(?:x-)?gzip|deflate)\s*$/i.test(contentEncoding ?? '') &&
    /^[{[]/.test(first?.toString('latin1', 0, 1) ?? '')
  );
}

/** Unpacks one layer outside of the main thread, and passes the result on piece by piece. */
type Unpacker = () => Duplex;

const unpackers: Record<string, Unpacker> = {
  // Each detects gzip or deflate automatically. A stream that ends early is judged by its result.
  gzip: () => createUnzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createUnzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createUnzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ chunkSize }),
  zstd: () => createZstdDecompress({ chunkSize }),
};

/**
 * What undoes the packing that `content-encoding` names, the outermost layer first; a failure ends the sentence "the
 * reply ...".
 */
function unpackersOf(contentEncoding: string | null): Result<Unpacker[], string> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxLayers) return failed(replyBodyText.tooManyLayers(codings.length));
  const found: Unpacker[] = [];
  for (const coding of codings.toReversed()) {
    const unpacker = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
    if (unpacker === undefined) return failed(replyBodyText.unknownCoding(coding.slice(0, 40)));
    found.push(unpacker);
  }
  return ok(found);
}
