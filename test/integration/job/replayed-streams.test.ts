import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, describe, it } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import { suspectedRepeats } from '../../../src-main/history/stream/suspected-repeats.ts';
import type { Job } from '../../../src-preload/job.ts';
import { createFastClock } from '../../kit/clock.ts';
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
/** Health in which one worker runs the job. */
const oneWorks: Reply = {
  body: {
    jobs: { completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 },
    workers: { idle: 0, running: 1 },
  },
};
const ended = (status: string, output?: unknown): Reply => ({
  body: {
    id: 'job-1',
    status,
    ...(output === undefined ? {} : { output }),
    ...(status === 'FAILED' ? { error: 'boom' } : {}),
  },
});
/** The same of whichever job is asked for: the service need not repeat its id. */
const ofAnyJob = ({ body }: Reply): Reply => ({ body: { ...Object(body), id: undefined } });
/** Replies to reads of the stream, each with a chunk for every letter. */
const told = (...replies: string[]): Reply[] =>
  replies.map((letters) => ({ body: [...letters].map((output) => ({ output })) }));

async function start(script: Script, options: Partial<TestEngineOptions> = {}): Promise<Job> {
  service = await createScriptedService({ status: [running], ...script });
  engine = await startEngine({ connections: to(service), ...options });
  const job = await engine.submit({});
  engine.jobs.setOnView([job.key], []);
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

/** Asks the history until it answers so, and leaves the processor to the engine between two questions. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(5);
}

async function kept(key: string, attempt = 1): Promise<string> {
  return (await engine.history.chunks(key, attempt, 0, 1_000))
    .map(({ outputJson }) => String(JSON.parse(outputJson)))
    .join('');
}

describe('a server that drains', () => {
  it('loses no chunk of a handler that yields one value repeatedly', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('w', 'w', 'w', 'w', 'w', 'w', ''));
    expect(await kept(end.key)).toBe('wwwwww');
    expect(end.chunkCount).toBe(6);
  });

  it('loses none of them if the app crashes while they might still be repeated', async () => {
    const job = await start({ stream: [...told('w'), ...told('w'), ...told('w'), { status: 503, body: {} }] });
    await engine.eventually(() => service.count('stream') >= 4);
    await engine.crash();
    service.script({ stream: told(''), status: [ended('FAILED')] });
    engine = await startEngine({ connections: to(service), dataDir: engine.dataDir });
    await engine.untilEnd(job.key);
    expect(await kept(job.key)).toBe('www');
    expect(await engine.history.documents('left-out-chunks')).toEqual([]);
  });

  it('all of them are kept from one reply with very many', async () => {
    const outputs = Array.from({ length: 150_000 }, (_, at) => at);
    const end = await playedUntil(ended('FAILED'), { body: outputs.map((output) => ({ output })) }, ...told(''));
    expect(end).toMatchObject({ status: 'FAILED', chunkCount: outputs.length });
    expect(await engine.history.chunks(end.key, 1, 149_999, 10)).toMatchObject([{ outputJson: '149999' }]);
  });

  it('no chunk is doubled by a disk that refuses right after it', async () => {
    let refused = 0;
    let isStored = false;
    const job = await start(
      { stream: told('ab', ''), status: [ended('FAILED')] },
      {
        wrapHistory: (history) => ({
          ...history,
          async appendChunks(...given) {
            const placed = await history.appendChunks(...given);
            isStored = true;
            return placed;
          },
          commit: (changes) =>
            isStored && (refused += 1) <= 1
              ? Promise.reject(new Error('The disk is full; nothing was saved.'))
              : history.commit(changes),
        }),
      },
    );
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'FAILED', chunkCount: 2 });
    expect(refused).toBeGreaterThan(0);
    expect(await kept(job.key)).toBe('ab');
  });

  it('loses none of them if the service deletes the job before the repetition is decided', async () => {
    const job = await start({ stream: told('w', 'w', 'w'), health: [oneWorks] }, { clock: createFastClock(20) });
    await engine.eventually(() => service.count('stream') >= 3);
    service.script({
      stream: [{ status: 404, body: { error: 'No such job.' } }],
      status: [{ status: 404, body: { error: 'No such job.' } }],
    });
    expect(await engine.until(job.key, ({ phase }) => phase === 'gone')).toMatchObject({ goneReason: 'expired' });
    const reads = (await engine.history.requests(job.key)).filter(
      ({ operation, httpStatus }) => operation === 'stream' && httpStatus === 200,
    ).length;
    await until(async () => (await kept(job.key)) === 'w'.repeat(reads));
    await until(async () => (await engine.history.documents('left-out-chunks')).length === 0);
  });
});

describe('a crash between two steps', () => {
  type Write = 'append' | 'note' | 'store left out';
  /** A history whose disk refuses where these writes come. */
  const stuck =
    (isStuck: (write: Write) => boolean) =>
    (history: History): History => {
      const or = <T>(write: Write, done: () => Promise<T>): Promise<T> =>
        isStuck(write) ? Promise.reject(new Error('The disk is full; nothing was saved.')) : done();
      return {
        ...history,
        appendChunks: (...given) => or('append', () => history.appendChunks(...given)),
        storeSuspectedRepeats: (...given) => or('store left out', () => history.storeSuspectedRepeats(...given)),
        putDocument: (kind, ...given) =>
          kind === 'left-out-chunks'
            ? or('note', () => history.putDocument(kind, ...given))
            : history.putDocument(kind, ...given),
      };
    };

  async function again(job: Job, options: Partial<TestEngineOptions> = {}): Promise<string> {
    await engine.crash();
    service.script({ stream: told(''), status: [ended('FAILED')] });
    engine = await startEngine({ connections: to(service), dataDir: engine.dataDir, ...options });
    if ((await engine.history.get(job.key))?.job.phase === 'active') await engine.untilEnd(job.key);
    await until(async () => (await engine.history.documents('left-out-chunks')).length === 0);
    return await kept(job.key);
  }

  it('doubles no chunk that was left out and then stored', async () => {
    const job = await start({ stream: told('w', 'w', 'w', '') });
    await until(async () => (await kept(job.key)) === 'www');
    expect(await again(job)).toBe('www');
  });

  it('loses no chunk that was left out and could not be stored', async () => {
    let tries = 0;
    const job = await start(
      { stream: told('w', 'w', 'w', '') },
      { wrapHistory: stuck((write) => write === 'store left out' && (tries += 1) > 0) },
    );
    await turnsUntil(() => tries > 0);
    expect(await kept(job.key)).toBe('w');
    expect(await again(job)).toBe('www');
  });

  it('doubles no chunk whose write was not confirmed', async () => {
    let stored = 0;
    const job = await start(
      { stream: told('w', 'wx', '') },
      {
        wrapHistory: (history) => ({
          ...history,
          async storeSuspectedRepeats(...given) {
            const count = await history.storeSuspectedRepeats(...given);
            if ((stored += 1) === 1) throw new Error('The disk is full; nothing was saved.');
            return count;
          },
        }),
      },
    );
    await until(async () => (await kept(job.key)) === 'wwx' && stored > 1);
    expect(await again(job)).toBe('wwx');
  });

  it('loses no chunk of a job that the service deleted', async () => {
    let isStuck = false;
    const clock = createFastClock(20);
    const job = await start(
      { stream: told('w', 'w', 'w'), health: [oneWorks] },
      { clock, wrapHistory: stuck(() => isStuck) },
    );
    const notes = async (): Promise<number> =>
      suspectedRepeats.schema.parse(
        JSON.parse((await engine.history.readDocument('left-out-chunks', `${job.key} 1`)) ?? '[]'),
      ).length;
    await until(async () => (await notes()) >= 2);
    service.script({
      stream: [{ status: 404, body: { error: 'No such job.' } }],
      status: [{ status: 404, body: { error: 'No such job.' } }],
    });
    isStuck = true;
    await engine.until(job.key, ({ phase }) => phase === 'gone');
    const left = await notes();
    expect(await kept(job.key)).toBe('w');
    expect(await again(job, { clock })).toBe('w'.repeat(1 + left));
  });
});

describe('a server that drains and sometimes repeats', () => {
  it('stores each chunk of a failed job once: a reply that begins with all stored chunks repeats them', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('abc', '', 'abcd', 'e', 'abcdef', ''));
    expect(await kept(end.key)).toBe('abcdef');
    expect(end.chunkCount).toBe(6);
    expect((await engine.history.get(end.key))?.attempts[0]?.chunkCount).toBe(6);
    expect((await engine.history.get(end.key))?.job.chunkCount).toBe(6);
  });

  it('stores each chunk once if the output is not the list of them', async () => {
    const end = await playedUntil(ended('COMPLETED', 'abcde'), ...told('ab', 'c', '', 'abcde', ''));
    expect(await kept(end.key)).toBe('abcde');
  });

  it('stores each chunk once if the output is the list, even though no reply proves it', async () => {
    const end = await playedUntil(ended('COMPLETED', ['a', 'b', 'c']), ...told('a', 'a', 'a', 'bc', ''));
    expect(await kept(end.key)).toBe('abc');
  });

  it('is stored as received if it looks the same as a handler that yields a chunk twice', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('a', '', 'ab', ''));
    expect(await kept(end.key)).toBe('aab');
  });
});

describe('a server that repeats from the start', () => {
  it('is read to its end, however short the stream is', async () => {
    const end = await playedUntil(ended('FAILED'), ...told('w', 'w', 'w'));
    expect(await kept(end.key)).toBe('w');
    expect(end).toMatchObject({ status: 'FAILED', chunkCount: 1 });
  });
});

describe('a read in progress while the job ends', () => {
  it('is waited for, so that its chunks do not go to the next attempt', async () => {
    let taken = 0;
    const hold = Promise.withResolvers<void>();
    let reads = 0;
    service = await createScriptedService({
      run: [() => ({ body: { id: `job-${(taken += 1)}`, status: 'IN_QUEUE' } })],
      status: [ofAnyJob(ended('COMPLETED', 'plain'))],
      stream: told(''),
      retry: [{ body: { id: 'job-4', status: 'IN_QUEUE' } }],
    });
    engine = await startEngine({
      connections: to(service),
      wrapApi: (api) => ({
        ...api,
        stream: async (endpointId, jobId, options) => {
          if (jobId === 'job-4' && (reads += 1) === 1) await hold.promise;
          return await api.stream(endpointId, jobId, options);
        },
      }),
    });
    // Three jobs without a chunk: of the next one with a plain output the rest is not read.
    for (let silent = 0; silent < 3; silent += 1) await engine.untilEnd((await engine.submit({})).key);
    service.script({ status: [ofAnyJob(running)] });
    const job = await engine.submit({});
    engine.jobs.setOnView([job.key], []);
    await turnsUntil(() => reads === 1);
    service.script({ status: [ofAnyJob(ended('FAILED', { status: 'failed' }))], stream: told('late', '') });
    await engine.until(job.key, ({ status }) => status === 'FAILED');
    expect(await engine.jobs.retry(job.key)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('still being fetched') },
    });
    hold.resolve();
    await engine.untilEnd(job.key);
    expect(await kept(job.key, 1)).toBe('late');
    service.script({ status: [ofAnyJob(ended('COMPLETED', ['p', 'q']))], stream: told('pq', '') });
    expect((await engine.jobs.retry(job.key)).ok).toBe(true);
    await engine.until(job.key, ({ phase, attempt }) => phase === 'finished' && attempt === 2);
    expect(await kept(job.key, 1)).toBe('late');
    expect(await kept(job.key, 2)).toBe('pq');
  });
});
