import { gzipSync } from 'node:zlib';

/** A reply as it is served, and the expected result. */
export interface ServedReply {
  body: Buffer;
  isGzip: boolean;
  decodedBytes: number;
}

export interface ReplyKind {
  name: string;
  operation: 'status' | 'stream';
  /** It exceeds the limits of ruling 43 and must be refused. All others must be read to the last byte. */
  isRefused: boolean;
  make(): string;
}

const megabyte = 1_000_000;
const levels = 100_000;

const record = (output: string): string =>
  `{"id":"j","status":"COMPLETED","delayTime":15,"executionTime":60,"output":${output}}`;
const sentence = 'The checkout slowed down at 14:32 because one shard \\"b\\" was compacted while it was read.\\n';

function rows(bytes: number): string {
  const row = (at: number): string =>
    `{"at":${at},"name":"sample ${at}","scores":[${at / 7},${at % 13},null,true],"tags":{"unit":"ms","odd":"\u00e9\u4e2d"}}`;
  const count = Math.floor(bytes / Buffer.byteLength(row(100_000)));
  return `[${Array.from({ length: count }, (_, at) => row(100_000 + at)).join(',')}]`;
}

export const replyKinds: readonly ReplyKind[] = [
  { name: 'JSON of 20 MB', operation: 'status', isRefused: false, make: () => record(rows(20 * megabyte - 200)) },
  {
    name: 'list of 17 MB',
    operation: 'status',
    isRefused: false,
    make: () => record(`[${Array.from({ length: 2_125_000 }, (_, at) => String(1_000_000 + at)).join(',')}]`),
  },
  {
    name: 'text of 64 MB',
    operation: 'status',
    isRefused: false,
    make: () => record(`"${sentence.repeat(Math.floor((64 * megabyte - 200) / sentence.length))}"`),
  },
  {
    name: '100,000 levels, 20 MB',
    operation: 'status',
    isRefused: false,
    make: () => record(`${`{"note":"${'x'.repeat(185)}","a":`.repeat(levels)}1${'}'.repeat(levels)}`),
  },
  {
    name: 'stream of 300,000 chunks',
    operation: 'stream',
    isRefused: false,
    make: () =>
      `[${Array.from({ length: 300_000 }, (_, at) => `{"output":{"text":["token ${at}"]},"metrics":{"running":${at % 7},"stream_index":${at}}}`).join(',')}]`,
  },
  {
    name: 'gzip of 1,000:1',
    operation: 'status',
    isRefused: true,
    make: () => record(`"${' '.repeat(60 * megabyte)}"`),
  },
];

export function serve(kind: ReplyKind): ServedReply {
  const text = Buffer.from(kind.make());
  return {
    body: kind.isRefused ? gzipSync(text, { level: 9 }) : text,
    isGzip: kind.isRefused,
    decodedBytes: text.length,
  };
}
