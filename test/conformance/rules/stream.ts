import { fieldsOf, isRecord, mustEqual, shown, shownValue } from '../answers.ts';
import type { Answer } from '../http-client.ts';
import { fillWorkers, finish, poll, reach, startEndless, submit, submitWaiting } from '../jobs.ts';
import { spanOf } from '../passing.ts';
import { must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';

const SOURCE = 'spec: Stream chunk';
const MIB = 2 ** 20;

type Chunk = Record<string, unknown>;

/** The chunks of a reply, in the form of the dialect (ruling 1). */
function chunksIn(service: Service, answer: Answer): Chunk[] {
  must(answer.status === 200, `stream was answered ${shown(answer)} instead of 200`);
  let list = answer.json;
  if (service.dialect === 'observed') {
    const { status, stream } = fieldsOf(answer, 'stream');
    must(typeof status === 'string', `the reply of stream has no status: ${shown(answer)}`);
    list = stream;
  }
  must(
    Array.isArray(list),
    `the reply of stream is not ${service.dialect === 'spec' ? 'an array' : '{status, stream: [...]}'}: ${shown(answer)}`,
  );
  return list.map((chunk: unknown) => {
    must(isRecord(chunk), `a chunk is ${shownValue(chunk)} instead of an object`);
    return chunk;
  });
}

async function read(service: Service, job: string): Promise<Chunk[]> {
  return chunksIn(service, await service.call('stream', { job }));
}

async function streamed(service: Service, values: readonly unknown[]): Promise<string> {
  const record = await finish(service, { input: { mock_stream: values } });
  must(record['status'] === 'COMPLETED', `a job that streams ended ${String(record['status'])}`);
  return String(record['id']);
}

const outputs = (chunks: readonly Chunk[]): unknown[] => chunks.map((chunk) => chunk['output']);

/** A text of the chunks put together; the handler's text came as pieces of it. */
function joined(chunks: readonly Chunk[]): string {
  return outputs(chunks)
    .map((output) => (typeof output === 'string' ? output : JSON.stringify(output)))
    .join('');
}

export const streamRules: readonly Rule[] = [
  rule(
    {
      id: 'stream.form',
      says: 'stream answers a JSON array of chunks.',
      source: SOURCE,
      observed: 'It answers {status, stream: [chunks]}.',
      mock: true,
    },
    async (service) => {
      must(
        (await read(service, await streamed(service, [{ text: 'a' }, { text: 'b' }]))).length === 2,
        'the array does not hold the two chunks',
      );
    },
  ),
  rule(
    {
      id: 'stream.chunk.output',
      says: 'Each chunk is an object with one increment of the output.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const values = [
        { text: ['a'], input_tokens: 1 },
        { text: ['b'], output_tokens: 2 },
      ];
      mustEqual(outputs(await read(service, await streamed(service, values))), values, 'output of the chunks');
    },
  ),
  rule(
    {
      id: 'stream.chunk.metrics',
      says: 'A chunk carries the metrics that the worker reports.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const value = { output: { text: ['a'] }, metrics: { running: 1, stream_index: 0, scenario: 'stream' } };
      const [chunk] = await read(service, await streamed(service, [value]));
      mustEqual(chunk, value, 'a chunk');
    },
  ),
  rule(
    {
      id: 'stream.order',
      says: 'Chunks come in the order in which the handler made them.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      const values = Array.from({ length: 40 }, (_, index) => ({ index }));
      mustEqual(outputs(await read(service, await streamed(service, values))), values, 'output of the chunks');
    },
  ),
  rule(
    { id: 'stream.equal-chunks', says: 'Two equal increments are two chunks.', source: 'ruling 2', mock: true },
    async (service) => {
      mustEqual(
        outputs(await read(service, await streamed(service, ['na', 'na', 'na']))),
        ['na', 'na', 'na'],
        'output of the chunks',
      );
    },
  ),
  rule(
    {
      id: 'stream.drains',
      says: 'A read of stream removes its chunks: the next read does not repeat them.',
      source: 'ruling 2',
      mock: true,
    },
    async (service) => {
      const job = await streamed(service, ['one', 'two']);
      await read(service, job);
      mustEqual(await read(service, job), [], 'the second reading');
    },
  ),
  rule(
    {
      id: 'stream.readers',
      says: 'Several readers of one stream share its chunks: each chunk is given to one of them.',
      source: 'ruling 2',
      mock: true,
    },
    async (service) => {
      const values = Array.from({ length: 40 }, (_, index) => index);
      const job = await streamed(service, values);
      const replies = await Promise.all([1, 2, 3].map(() => read(service, job)));
      const found = replies.flatMap(outputs).sort((one, other) => Number(one) - Number(other));
      mustEqual(found, values, 'output of the chunks of all readers');
    },
  ),
  rule(
    {
      id: 'stream.while-running',
      says: 'Chunks can be read while the job runs, each of them once.',
      source: 'spec: What the service does',
      mock: true,
    },
    async (service) => {
      const values = ['a', 'b', 'c', 'd', 'e', 'f'];
      const job = await submit(service, { input: { mock_stream: values, mock_delay: 20 } });
      const found: unknown[] = [];
      await poll(service, async () => {
        const { status } = fieldsOf(await service.call('status', { job }), 'status');
        found.push(...outputs(await read(service, job)));
        return status === 'COMPLETED' ? true : null;
      });
      mustEqual(found, values, 'output of all chunks read');
    },
  ),
  rule(
    { id: 'stream.waiting', says: 'A job that has not started has no chunks.', source: SOURCE, mock: true },
    async (service) => {
      const { job } = await submitWaiting(service, { input: { mock_stream: ['a'] } });
      mustEqual(await read(service, job), [], 'the chunks of a waiting job');
    },
  ),
  rule(
    {
      id: 'stream.running-silent',
      says: 'A running job that has streamed nothing has no chunks.',
      source: SOURCE,
      mock: true,
    },
    async (service) => {
      mustEqual(await read(service, await startEndless(service)), [], 'the chunks of a silent job');
    },
  ),
  rule(
    { id: 'stream.split', says: 'A single chunk is at most 1 MB.', source: 'spec: Limits', mock: true },
    async (service) => {
      const chunks = await read(service, await streamed(service, ['x'.repeat(2.5 * MIB)]));
      const largest = Math.max(0, ...chunks.map((chunk) => Buffer.byteLength(JSON.stringify(chunk))));
      must(largest > 0 && largest <= MIB, `the largest chunk has ${largest} bytes`);
    },
  ),
  rule(
    {
      id: 'stream.split.whole',
      says: 'Larger output is split across chunks; nothing of it is lost.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const text = Array.from({ length: 250_000 }, (_, index) => `${index} `).join('');
      const chunks = await read(service, await streamed(service, [text, 'end']));
      must(chunks.length >= 3, `${text.length} characters and "end" came in ${chunks.length} chunks`);
      must(joined(chunks) === `${text}end`, 'the chunks put together are not the output');
    },
  ),
  rule(
    {
      id: 'stream.split.unicode',
      says: 'Splitting does not tear characters apart.',
      source: 'spec: Queue operations',
      mock: true,
    },
    async (service) => {
      const text = `a${'👩‍🚀ü'.repeat(120_000)}`;
      const chunks = await read(service, await streamed(service, [text]));
      must(
        chunks.every((chunk) => Buffer.byteLength(JSON.stringify(chunk)) <= MIB),
        'a chunk is larger than 1 MB',
      );
      must(joined(chunks) === text, 'the chunks put together are not the output');
    },
  ),
  rule(
    { id: 'stream.not-split', says: 'Output below 1 MB is one chunk.', source: 'spec: Queue operations', mock: true },
    async (service) => {
      const text = 'y'.repeat(900_000);
      mustEqual((await read(service, await streamed(service, [text]))).length, 1, 'the number of chunks');
    },
  ),
  rule(
    {
      id: 'stream.retried',
      says: 'A retry removes what the job had streamed, because that is its previous output.',
      source: 'spec: States and transitions',
      mock: true,
      waitsMs: 60_000,
    },
    async (service) => {
      const input = { mock_stream: Array.from({ length: 10_000 }, () => 'old'), mock_delay: 20 };
      const job = await submit(service, { input, policy: { executionTimeout: spanOf(service, 5_000) } });
      const found = await poll(service, async () => ((await read(service, job)).length > 0 ? true : null));
      must(found === true, 'the job has streamed nothing');
      await reach(service, job, 'TIMED_OUT', 'FAILED');
      await fillWorkers(service);
      fieldsOf(await service.call('retry', { job }), 'retry');
      service.unfinished.add(job);
      mustEqual((await read(service, job)).length, 0, 'the number of chunks of a job that waits for its retry');
    },
  ),
];
