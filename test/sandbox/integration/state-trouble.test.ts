import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { createVirtualClock, startSandbox, type VirtualClock } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

/** Jobs end when the test says so, not after a while: the service's time is the test's own as well. */
const GATED = {
  id: 'gated',
  handler: { moduleUrl: new URL('./fixture/gated-handler.mjs', import.meta.url).href },
  minWorkers: 0,
  maxWorkers: 1,
  coldStartMs: 0,
  idleTimeoutMs: 1e9,
};
const BEGIN_MS = 1_700_000_000_000;

/** The input of a job that runs until it is stopped. */
const never = { until: '/nowhere/at/all' };

let folder: string;
let stateFile: string;
let clock: VirtualClock;
let told: (string | null)[];
let closing: (() => unknown)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-trouble-'));
  stateFile = join(folder, 'state.db');
  clock = createVirtualClock(BEGIN_MS);
  told = [];
  closing = [];
});

afterEach(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; caller: Caller }> {
  const sandbox = await startSandbox({
    endpoints: [GATED],
    stateFile,
    clock,
    limits: 'off',
    onStateTrouble: (sentence) => told.push(sentence),
    ...options,
  });
  closing.push(() => sandbox.close());
  return { sandbox, caller: createCaller(sandbox) };
}

/** A file that refuses every change of a job between these moments, counted from the beginning, as a full disk does. */
async function refusingBetween(fromMs: number, untilMs: number): Promise<void> {
  const { sandbox } = await start();
  await sandbox.close();
  const db = new DatabaseSync(stateFile);
  db.exec(
    `CREATE TRIGGER no_room BEFORE UPDATE ON endpoints WHEN NEW.clock_ms >= ${BEGIN_MS + fromMs} AND NEW.clock_ms < ${BEGIN_MS + untilMs} BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  db.close();
  told = [];
}

async function stateTrouble({ baseUrl, apiKey }: Sandbox): Promise<unknown> {
  const response = await fetch(`${baseUrl}/_sandbox/stats`, { headers: { authorization: apiKey } });
  const stats: Record<string, unknown> = JSON.parse(await response.text());
  return stats['stateTrouble'];
}

async function reached(caller: Caller, jobId: string, status: string): Promise<void> {
  while ((await caller.status('gated', jobId)).status !== status);
}

describe('a state file that refuses to be written', () => {
  it('does not end a running job: its end is kept in memory, reported, and written when possible', async () => {
    await refusingBetween(1_000, 60_000);
    const first = await start();
    const running = await first.caller.run('gated', { until: join(folder, 'done'), gives: 'done' });
    const timingOut = await first.caller.run('gated', never, { policy: { executionTimeout: 5_000 } });
    // Never finished on its own: the worker may start it before its ttl has passed.
    const short = await first.caller.run('gated', never, { policy: { ttl: 12_000 } });
    await reached(first.caller, running, 'IN_PROGRESS');
    expect(await stateTrouble(first.sandbox)).toBeNull();

    clock.advance(5_000);
    writeFileSync(join(folder, 'done'), '');
    await reached(first.caller, running, 'COMPLETED');
    await reached(first.caller, timingOut, 'IN_PROGRESS');
    clock.advance(5_000);
    await reached(first.caller, timingOut, 'TIMED_OUT');
    clock.advance(5_000);
    expect((await first.caller.get(`gated/status/${short}`)).status).toBe(404);
    expect(told).toEqual([expect.stringContaining(`The state file ${stateFile} cannot be written (no room)`)]);
    expect(await stateTrouble(first.sandbox)).toBe(told[0]);
    const refused = await first.caller.post('gated/run', { input: {} });
    expect([refused.status, refused.body]).toEqual([500, { error: told[0] }]);
    expect((await first.caller.get('gated/health')).body).toMatchObject({
      jobs: { inQueue: 0, inProgress: 0, completed: 1, failed: 1 },
    });

    // Retried while nothing can be written: it has a new place in the queue, and none in the file yet.
    const retried = (await first.caller.post(`gated/retry/${timingOut}`)).body;
    expect(retried).toEqual({ id: timingOut, status: 'IN_QUEUE' });
    await reached(first.caller, timingOut, 'IN_PROGRESS');
    clock.advance(60_000);
    // The latest change is one that the file would take; with it, at the next try, it takes all the others.
    expect((await first.caller.get(`gated/status/${timingOut}?ttl=86400000`)).body).toMatchObject({
      status: 'TIMED_OUT',
    });
    clock.advance(2_000);
    expect(told.at(-1)).toBeNull();
    expect(await stateTrouble(first.sandbox)).toBeNull();
    const before = await Promise.all([running, timingOut].map((id) => first.caller.status('gated', id)));
    await first.sandbox.close();

    const second = await start();
    expect(await Promise.all([running, timingOut].map((id) => second.caller.status('gated', id)))).toEqual(before);
    expect((await second.caller.get(`gated/status/${short}`)).status).toBe(404);
    expect((await second.caller.get('gated/health')).body).toMatchObject({
      jobs: { inQueue: 0, inProgress: 0, completed: 1, failed: 2, retried: 1 },
    });
  });

  it('pending changes are written with the next successful submission, and at the end', async () => {
    await refusingBetween(1_000, 6_500);
    const first = await start();
    const one = await first.caller.run('gated', { until: join(folder, 'done') });
    const two = await first.caller.run('gated', {});
    await reached(first.caller, one, 'IN_PROGRESS');
    clock.advance(3_000);
    expect((await first.caller.post(`gated/cancel/${two}`)).body).toEqual({ id: two, status: 'CANCELLED' });
    expect(told).toHaveLength(1);
    clock.advance(3_500);
    const three = await first.caller.run('gated', {});
    expect(told.slice(1)).toEqual([null]);
    await first.sandbox.close();

    const second = await start();
    expect((await second.caller.status('gated', two)).status).toBe('CANCELLED');
    writeFileSync(join(folder, 'done'), '');
    await reached(second.caller, three, 'COMPLETED');
  });

  it('a release and a template update still take effect', async () => {
    const { sandbox } = await start();
    await sandbox.close();
    const db = new DatabaseSync(stateFile);
    db.exec("CREATE TRIGGER no_room BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no room'); END");
    db.close();
    const second = await start();
    const [template = ''] = second.sandbox.templates;
    const response = await fetch(`${second.sandbox.restUrl}/v1/templates/${template}/update`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ readme: 'new' }),
    });
    expect([response.status, JSON.parse(await response.text()).readme]).toEqual([200, 'new']);
    expect(told).toHaveLength(1);
    expect((await second.caller.runsync('gated', { gives: 1 })).output).toBe(1);
    await second.sandbox.close();
    expect(told.at(-1)).toMatch(/^What the state file could not be given until the end is lost \(changes: \d+\)\.$/);
  });
});
