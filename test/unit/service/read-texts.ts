import { failed, ok } from '../../../src-preload/failure.ts';
import { readReply, type ReadReply, type ReplyReading } from '../../../src-main/service/read-reply.ts';
import { chunksAt, fieldsAt, type Fields, type Parsed } from '../../../src-main/service/shapes.ts';
import type { StreamReply } from '../../../src-main/service/reply.ts';

const noSecrets: ReplyReading['redaction'] = { key: '', secrets: [], known: [], scope: 'strings' };

function read(
  raw: string | Uint8Array,
  reading: Pick<ReplyReading, 'format' | 'isWhole'> & Partial<ReplyReading>,
): { bytes: Uint8Array; read: ReadReply } {
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  return { bytes, read: readReply(bytes, { wanted: [], redaction: noSecrets, ...reading }) };
}

/** The fields of a text, read as in main. */
export async function fieldsIn(raw: string | Uint8Array): Promise<Parsed<Fields>> {
  const {
    bytes,
    read: { fields },
  } = read(raw, { format: 'fields', isWhole: true });
  if (fields === null) throw new Error('no fields were read');
  return fields.ok ? ok(await fieldsAt(bytes, fields.value)) : failed(fields.failure);
}

/** The stream of a text, read as in main. */
export async function streamIn(raw: string): Promise<Parsed<StreamReply>> {
  const {
    bytes,
    read: { stream },
  } = read(raw, { format: 'chunks', isWhole: true });
  if (stream === null) throw new Error('no stream was read');
  return stream.ok
    ? ok({ status: stream.value.status, chunks: await chunksAt(bytes, stream.value) })
    : failed(stream.failure);
}

/** The chunks that are rescued from a stream's incomplete reply. */
export async function salvagedIn(raw: string): Promise<StreamReply['chunks']> {
  const {
    bytes,
    read: { salvaged },
  } = read(raw, { format: 'chunks', isWhole: false });
  if (salvaged !== null) return await chunksAt(bytes, salvaged);
  throw new Error('nothing was saved');
}
