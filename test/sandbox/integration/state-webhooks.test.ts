import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import {
  createVirtualClock,
  startSandbox,
  startSandboxProcess,
  TEST_API_KEY,
  type VirtualClock,
} from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

const MOCK = {
  id: 'mock',
  handler: { builtIn: 'mock' },
  minWorkers: 0,
  maxWorkers: 1,
  coldStartMs: 0,
  idleTimeoutMs: 1e9,
};

let folder: string;
let stateFile: string;
let clock: VirtualClock;
let closing: (() => unknown)[];
let receiver: Server;
let webhook: string;
/** What the receiver answers; null leaves a call open. */
let answer: number | null;
let bodies: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-webhooks-'));
  stateFile = join(folder, 'state.db');
  clock = createVirtualClock();
  closing = [];
  bodies = [];
  answer = 500;
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      if (answer !== null) response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  webhook = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
});

afterEach(async () => {
  for (const close of closing) await close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ sandbox: Sandbox; caller: Caller }> {
  const sandbox = await startSandbox({ endpoints: [MOCK], stateFile, clock });
  closing.push(() => sandbox.close());
  return { sandbox, caller: createCaller(sandbox) };
}

/** As soon as it is true, checked in every turn of the event loop. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The attempts of a webhook that have been answered by now, as numbers. */
const attemptsOf = (sandbox: Sandbox): number[] => sandbox.webhookAttempts().map(({ attempt }) => attempt);

describe('webhooks with a state file', () => {
  it('a pause continues where it was when the sandbox ended, and attempts are counted further', async () => {
    const first = await start();
    await first.caller.run('mock', { mock_return: 'é' }, { webhook });
    await until(() => first.sandbox.webhookAttempts().length === 1);
    clock.advance(4_000);
    await first.sandbox.close();

    clock.advance(2_000);
    const second = await start();
    clock.advance(3_999);
    await second.caller.get('mock/health');
    expect(bodies).toHaveLength(1);
    clock.advance(1);
    await until(() => second.sandbox.webhookAttempts().length === 1);
    expect(attemptsOf(second.sandbox)).toEqual([2]);
    await second.sandbox.close();

    clock.advance(60_000);
    const third = await start();
    clock.advance(0);
    await until(() => third.sandbox.webhookAttempts().length === 1);
    expect(attemptsOf(third.sandbox)).toEqual([3]);
    expect(new Set(bodies).size).toBe(1);
    await third.sandbox.close();

    const fourth = await start();
    clock.advance(60_000);
    await fourth.caller.get('mock/health');
    expect(bodies).toHaveLength(3);
  });

  it('a call in progress is repeated, an answered one is not', async () => {
    answer = 200;
    const first = await start();
    const done = await first.caller.run('mock', { mock_return: 1 }, { webhook });
    await until(() => first.sandbox.webhookAttempts().length === 1);
    answer = null;
    const open = await first.caller.run('mock', { mock_return: 2 }, { webhook });
    await until(() => bodies.length === 2);
    await first.sandbox.close();

    answer = 200;
    const second = await start();
    clock.advance(0);
    await until(() => second.sandbox.webhookAttempts().length === 1);
    expect(bodies.map((body) => JSON.parse(body).id)).toEqual([done, open, open]);
    expect(attemptsOf(second.sandbox)).toEqual([1]);
  });

  it('a process killed right after the end of a job still sends its call', async () => {
    answer = null;
    const args = ['--state', stateFile];
    const first = await startSandboxProcess({ args });
    closing.push(() => first.kill());
    const caller = createCaller({ baseUrl: first.ready.base_url, apiKey: TEST_API_KEY });
    const { id } = await caller.runsync('mock', { mock_return: 1 }, { webhook });
    await first.kill('SIGKILL');
    const before = bodies.length;
    answer = 200;
    const second = await startSandboxProcess({ args });
    closing.push(() => second.kill());
    await until(() => bodies.length > before);
    expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ id, status: 'COMPLETED' });
  });
});
