import { parentPort } from 'node:worker_threads';
import { readReply, type FromReplyThread, type ToReplyThread } from './read-reply.ts';

/** The thread that reads large replies. Only `read-reply.ts` starts it and talks to it. */
parentPort?.on('message', ({ id, bytes, reading }: ToReplyThread) => {
  const read = readReply(bytes, reading);
  const stream = read.stream?.ok === true ? read.stream.value : read.salvaged;
  const fields = read.fields?.ok === true ? read.fields.value : null;
  const moved = [read.clean, stream?.spans, stream?.composed, fields?.decodedError].flatMap((bytes) =>
    bytes instanceof Object && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [],
  );
  const answer: FromReplyThread = { id, read };
  parentPort?.postMessage(answer, moved);
});
