import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { removeEngineFolders, startEngine, startStillEngine, to } from '../../kit/engine.ts';
import type { TestEngine, TestEngineOptions } from '../../kit/engine.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';

let engine: TestEngine;
let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  await engine.close();
  await sandbox.close();
});
afterAll(removeEngineFolders);

/** What breaks; the test says when, and how often before it is whole again. */
const broken = { times: 0 };
function isBroken(): boolean {
  if (broken.times === 0) return false;
  broken.times -= 1;
  return true;
}
function breakIf(what: string): void {
  if (isBroken()) throw new Error(`The ${what} is locked.`);
}

async function start(options: Partial<TestEngineOptions> = {}): Promise<void> {
  broken.times = 0;
  engine = await startEngine({ connections: to(sandbox), ...options });
}

const submitted = (): number => sandbox.transitions().filter(({ cause }) => cause === 'submitted').length;
const isHeld = ({ phase, reason }: Job): boolean =>
  phase === 'waiting' && reason?.kind === 'not-sent' && reason.said.includes('is locked');

/** Submits into the outbox, from where it is sent as soon as `resume` is called. */
async function queued(s3ProfileId?: string): Promise<Job> {
  engine.jobs.pause();
  return await engine.submit({
    endpointId: 'echo',
    input: { a: 1 },
    ...(s3ProfileId === undefined ? {} : { s3ProfileId }),
  });
}

/** What throws before the request can have left: where it is, and how an engine is made in which it does. */
const beforeIt: [string, () => Partial<TestEngineOptions>][] = [
  [
    'the key of the connection',
    () => ({
      connections: {
        main: {
          baseUrl: sandbox.baseUrl,
          get apiKey() {
            breakIf('keychain');
            return TEST_API_KEY;
          },
        },
      },
    }),
  ],
  [
    'the route to the service',
    () => ({
      wrapApi: (api) => {
        breakIf('keychain');
        return api;
      },
    }),
  ],
];
const beforeItFromTheOutbox: [string, () => Partial<TestEngineOptions>][] = [
  ...beforeIt,
  [
    'the address of the connection',
    () => ({
      connections: {
        main: {
          get baseUrl() {
            breakIf('list of connections');
            return sandbox.baseUrl;
          },
          apiKey: TEST_API_KEY,
        },
      },
    }),
  ],
  [
    'the submission',
    () => ({
      wrapHistory: (history) => ({
        ...history,
        get: async (key) => {
          breakIf('disk');
          return await history.get(key);
        },
      }),
    }),
  ],
  [
    'the note before it leaves',
    () => ({ wrapHistory: (history) => refusing(history, ({ phase }) => phase === 'submitting') }),
  ],
];

/** The real history, that refuses to keep jobs as long as something is broken. */
function refusing(history: History, when: (job: Job) => boolean): History {
  return {
    ...history,
    commit: async (changes) => {
      if (changes.some(({ job }) => when(job))) breakIf('disk');
      return await history.commit(changes);
    },
  };
}

describe('an error before a submission left', () => {
  it.each(beforeIt)('holds it back, says why, and tries again: %s', async (_what, options) => {
    await start(options());
    broken.times = 1;
    const job = await engine.submit({ endpointId: 'echo', input: { a: 1 } });
    await engine.until(job.key, ({ phase, reason }) => phase === 'waiting' && reason !== null);
    engine.jobs.connectionChanged('main');
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(submitted()).toBe(1);
  });

  it.each(beforeItFromTheOutbox)('holds it back in the outbox too, and tries again: %s', async (_what, options) => {
    await start(options());
    const job = await queued();
    broken.times = 1;
    engine.jobs.resume();
    await engine.eventually(() =>
      engine.changes.some(
        ({ key, phase, reason }) => key === job.key && phase === 'waiting' && reason?.kind === 'not-sent',
      ),
    );
    engine.jobs.connectionChanged('main');
    expect(await engine.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect(submitted()).toBe(1);
  });

  it('keeps trying while the keychain is locked, at growing intervals', async () => {
    await start({
      wrapApi: (api) => {
        breakIf('keychain');
        return api;
      },
    });
    broken.times = 5;
    const { key } = await engine.submit({ endpointId: 'echo' });
    expect(await engine.until(key, isHeld)).toMatchObject({
      phase: 'waiting',
      reason: { kind: 'not-sent', said: 'The keychain is locked.' },
    });
    expect(await engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
    expect(broken.times).toBe(0);
    expect(submitted()).toBe(1);
  });

  it('is saved even if the disk refuses at first', async () => {
    let refusals = 3;
    await start({
      wrapApi: (api) => {
        breakIf('keychain');
        return api;
      },
      wrapHistory: (history) => ({
        ...history,
        commit: async (changes) => {
          if (changes.some(({ job }) => job.phase === 'waiting') && refusals > 0) {
            refusals -= 1;
            throw new Error('The disk is full; nothing was saved.');
          }
          return await history.commit(changes);
        },
      }),
    });
    broken.times = 1;
    const { key } = await engine.submit({ endpointId: 'echo' });
    await engine.until(key, isHeld);
    expect(refusals).toBe(0);
    expect(await engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
  });

  it('holds back a job whose s3 secret cannot be read, and refuses one whose profile is gone', async () => {
    const answers = [
      () => failed({ kind: 'storage' as const, message: 'The keychain is locked.' }),
      () => failed({ kind: 'absent' as const, message: 'There is no such profile.' }),
    ];
    await start({
      s3Config: async () => (engine.jobs.trackerState().isPaused ? ok({}) : (answers.shift()?.() ?? ok({}))),
    });
    const job = await queued('profile');
    engine.jobs.resume();
    await engine.until(job.key, isHeld);
    expect(await engine.untilEnd(job.key)).toMatchObject({
      phase: 'refused',
      reason: { kind: 'refused', said: 'There is no such profile.' },
    });
    expect(submitted()).toBe(0);
  });
});

describe('an error after a submission may have left', () => {
  it.each(['immediately', 'from the outbox'])(
    'leaves its outcome unknown, and it is not sent again: %s',
    async (way) => {
      await start({
        wrapApi: (api) => ({
          ...api,
          run: async (...args) => {
            const reply = await api.run(...args);
            breakIf('reply');
            return reply;
          },
        }),
      });
      const job = way === 'immediately' ? null : await queued();
      broken.times = 1;
      engine.jobs.resume();
      const { key } = job ?? (await engine.submit({ endpointId: 'echo' }));
      expect(await engine.untilEnd(key)).toMatchObject({
        phase: 'outcome-unknown',
        reason: { kind: 'unanswered', why: { kind: 'error', said: 'The reply is locked.' } },
      });
      expect(submitted()).toBe(1);
    },
  );

  it('is saved even if the disk refuses at first', async () => {
    await start({ wrapHistory: (history) => refusing(history, ({ phase }) => phase === 'active') });
    broken.times = 4;
    const { key } = await engine.submit({ endpointId: 'echo' });
    expect(await engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
    expect(broken.times).toBe(0);
    expect(submitted()).toBe(1);
  });
});

it('that a submission got no answer is saved even if the disk refuses at first', async () => {
  await start({ wrapHistory: (history) => refusing(history, ({ phase }) => phase === 'outcome-unknown') });
  broken.times = 4;
  sandbox.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
  const { key } = await engine.submit({ endpointId: 'echo' });
  expect(await engine.untilEnd(key)).toMatchObject({ phase: 'outcome-unknown' });
  expect([broken.times, submitted()]).toEqual([0, 1]);
});

it('a submission that the rate limit held back is sent later even if the disk refuses at first to note that', async () => {
  await start({ wrapHistory: (history) => refusing(history, ({ phase }) => phase === 'waiting') });
  broken.times = 4;
  sandbox.setFault({ kind: 'status', status: 429, operation: 'run', times: 1 });
  const { key } = await engine.submit({ endpointId: 'echo' });
  expect(await engine.untilEnd(key)).toMatchObject({ status: 'COMPLETED' });
  expect([broken.times, submitted()]).toEqual([0, 1]);
});

describe('the journal', () => {
  it('is written before anything leaves: jobs that wait for the disk are not sent', async () => {
    const disk = Promise.withResolvers<undefined>();
    let asked = 0;
    ({ engine } = await startStillEngine({
      connections: to(sandbox),
      wrapHistory: (history) => ({
        ...history,
        commit: async (changes) => {
          await disk.promise;
          return await history.commit(changes);
        },
      }),
      wrapApi: (api) => ({
        ...api,
        run: async (...args) => {
          asked += 1;
          return await api.run(...args);
        },
      }),
    }));
    const job = engine.submit({ endpointId: 'echo' });
    await engine.settle();
    expect([asked, submitted()]).toEqual([0, 0]);
    disk.resolve(undefined);
    await engine.until((await job).key, ({ phase }) => phase === 'active');
    expect([asked, submitted()]).toEqual([1, 1]);
  });
});
