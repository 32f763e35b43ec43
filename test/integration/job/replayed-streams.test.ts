import { afterAll, afterEach, expect, describe, it } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { removeEngineFolders, startEngine, to, turnsUntil } from '../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../kit/engine.ts';
import { createScriptedService } from './scripted-service.ts';
import type { Reply, Script, ScriptedService } from './scripted-service.ts';

let engine: TestEngine;
let service: ScriptedService;
afterEach(async () => {
  await engine.close();
  await service.close();
});
afterAll(removeEngineFolders);

const running: Reply = { body: { id: 'job-1', status: 'IN_PROGRESS' } };
const ended = (status: string, output?: unknown): Reply => ({ body: { id: 'job-1', status, ...(output === undefined ? {} : { output }), ...(status === 'FAILED' ? { error: 'boom' } : {}) } });
/** Replies to reads of the stream, each with a chunk for every letter. */
const told = (...replies: string[]): Reply[] => replies.map((letters) => ({ body: [...letters].map((output) => ({ output })) }));

async function start(script: Script, options: Partial<TestEngineOptions> = {}): Promise<Job> {
  service = await createScriptedService({ status: [running], ...script });
  engine = await startEngine({ connections: to(service), ...options });
  const job = await engine.submit({});
  engine.jobs.setWatched([job.key]);
  return job;
}

/** Answers these replies, and with the last of them the job is over. */
async function playedUntil(end: Reply, ...replies: Reply[]): Promise<Job> {
  let reads = 0;
  const answers = replies.map((reply) => () => {
    reads += 1;
    return reply;
  });
  const job = await start({ stream: answers, status: [() => (reads < replies.length ? running : end)] });
  return await engine.untilEnd(job.key);
}

/** Asks the history until it answers so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!await isSo());
}

async function kept(key: string, attempt = 1): Promise<string> {
  return (await engine.history.chunks(key, attempt, 0, 1_000)).map(({ outputJson }) => String(JSON.parse(outputJson))).join('');
}

describe('a server that drains', () => {
  it('loses no chunk of a handler that yields one value again and again', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('w', 'w', 'w', 'w', 'w', 'w', ''));
    expect(await kept(end.key)).toBe('wwwwww');
    expect(end.chunkCount).toBe(6);
  });

  it('loses none of them when the app dies while they could still be told again', async () => {
    const job = await start({ stream: [...told('w'), ...told('w'), ...told('w'), { status: 503, body: {} }] });
    await engine.eventually(() => service.count('stream') >= 4);
    await engine.crash();
    service.script({ stream: told(''), status: [ended('FAILED')] });
    engine = await startEngine({ connections: to(service), dataDir: engine.dataDir });
    await engine.untilEnd(job.key);
    expect(await kept(job.key)).toBe('www');
    expect(await engine.history.documents('left-out-chunks')).toEqual([]);
  });

  it('loses none of them when the service forgets the job before anything tells', async () => {
    const job = await start({ stream: told('w', 'w', 'w'), health: [{ body: { jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 }, workers: { idle: 0, running: 1 } } }] });
    await engine.eventually(() => service.count('stream') >= 3);
    service.script({ stream: [{ status: 404, body: { error: 'No such job.' } }], status: [{ status: 404, body: { error: 'No such job.' } }] });
    expect(await engine.until(job.key, ({ phase }) => phase === 'gone')).toMatchObject({ goneReason: 'expired' });
    const reads = (await engine.history.requests(job.key)).filter(({ operation, httpStatus }) => operation === 'stream' && httpStatus === 200).length;
    await until(async () => await kept(job.key) === 'w'.repeat(reads));
    await until(async () => (await engine.history.documents('left-out-chunks')).length === 0);
  });
});

describe('a server that drains and repeats now and then', () => {
  it('leaves each chunk once in the end of a job that failed: a later reply tells that an earlier one told again', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('a', '', 'ab', 'c', 'abcd', ''));
    expect(await kept(end.key)).toBe('abcd');
    expect(end.chunkCount).toBe(4);
    expect((await engine.history.get(end.key))?.attempts[0]?.chunkCount).toBe(4);
    expect((await engine.history.get(end.key))?.job.chunkCount).toBe(4);
  });

  it('leaves each chunk once where the output is not the list of them', async () => {
    const end = await playedUntil(ended('COMPLETED', 'abcde'), ...told('ab', 'ab', 'c', 'abcde', ''));
    expect(await kept(end.key)).toBe('abcde');
  });

  it('leaves each chunk once where the output is the list, though no reply proves it', async () => {
    const end = await playedUntil(ended('COMPLETED', ['a', 'b', 'c']), ...told('a', 'a', 'a', 'bc', ''));
    expect(await kept(end.key)).toBe('abc');
  });

  it('is left as it came where nothing tells it from a handler that yields a chunk twice', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('a', '', 'ab', ''));
    expect(await kept(end.key)).toBe('aab');
  });
});

describe('a server that repeats from the start', () => {
  it('is read to its end, however little there is', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('w', 'w', 'w'));
    expect(await kept(end.key)).toBe('w');
    expect(end).toMatchObject({ status: 'FAILED', chunkCount: 1 });
  });
});

describe('a read that is under way while the job ends and runs again', () => {
  it('does not end the new attempt when it is refused', async () => {
    let taken = 0;
    const holds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    service = await createScriptedService({
      run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
      status: [ended('COMPLETED', 'plain')],
      stream: told(''),
      retry: [{ body: { id: 'job-4', status: 'IN_QUEUE' } }],
    });
    engine = await startEngine({
      connections: to(service),
      wrapApi: (api) => ({
        ...api,
        stream: async (endpointId, jobId, options) => {
          if (jobId === 'job-4') await holds[(reads += 1) - 1]?.promise;
          return await api.stream(endpointId, jobId, options);
        },
      }),
    });
    // Three jobs without a chunk: of the next one with a plain output the rest is not read.
    for (let silent = 0; silent < 3; silent += 1) await engine.untilEnd((await engine.submit({})).key);
    service.script({ status: [running] });
    const job = await engine.submit({});
    engine.jobs.setWatched([job.key]);
    await turnsUntil(() => reads === 1);
    service.script({ status: [ended('FAILED', { status: 'failed' })] });
    await engine.untilEnd(job.key);
    service.script({ status: [ended('COMPLETED', ['p', 'q'])], stream: [{ status: 400, body: { error: 'Refused.' } }, ...told('pq', '')] });
    expect((await engine.jobs.retry(job.key)).ok).toBe(true);
    await turnsUntil(() => reads === 2);
    await engine.until(job.key, ({ status }) => status === 'COMPLETED');
    holds[0]?.resolve();
    await until(async () => (await engine.history.requests(job.key)).some(({ httpStatus }) => httpStatus === 400));
    expect((await engine.history.get(job.key))?.job).toMatchObject({ attempt: 2, phase: 'active' });
    holds[1]?.resolve();
    await engine.until(job.key, ({ phase }) => phase === 'finished');
    expect(await kept(job.key, 2)).toBe('pq');
  });
});
