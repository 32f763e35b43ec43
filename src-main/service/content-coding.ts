import type { Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';

/** What a service may pack its replies with. */
export const acceptedCodings = 'gzip, br';

/** Layers of packing, one in another; nobody uses two in good faith. */
const mostLayers = 2;
/** Bytes told at once. */
const chunkSize = 65_536;

/** What undoes one layer: works outside the main thread, and tells what it makes piece by piece. */
export type Unpacker = () => Duplex;

const unpackers: Record<string, Unpacker> = {
  // Each knows gzip from deflate by itself; a stream that ends early is judged by what came of it.
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
export function unpackersOf(contentEncoding: string | null): Result<Unpacker[], string> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > mostLayers) return failed(`is compressed ${codings.length} times over, one in another`);
  const found: Unpacker[] = [];
  for (const coding of codings.toReversed()) {
    const unpacker = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
    if (unpacker === undefined)
      return failed(`is compressed in a way that Jobdeck cannot read (${coding.slice(0, 40)})`);
    found.push(unpacker);
  }
  return ok(found);
}
