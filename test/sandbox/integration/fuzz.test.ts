import { describe, expect, it } from 'vitest';
import { startSandboxProcess, TEST_API_KEY, type ReadyLine } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';
import { createDice } from './fuzz/dice.ts';
import type { FuzzRequest } from './fuzz/fuzz-request.ts';
import { createFuzzClient } from './fuzz/exchange.ts';
import { makeRequest } from './fuzz/requests.ts';
import type { Area } from './fuzz/valid-requests.ts';
import { describeFinding, problemsOf } from './fuzz/verdict.ts';

/** Repeat a run with `FUZZ_SEED=...`; a finding names its seed and the request's number. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_120);
const CLIENTS = 32;
const KEPT_JOBS = 300;
const SHOWN_FINDINGS = 12;

interface Campaign {
  name: string;
  args: string[];
  requests: number;
  firstNumber: number;
  /** As often as they are named. */
  areas: [Area, ...Area[]];
  /** Operations with at least one request that must have been answered 200. */
  mustSucceed: string[];
}

/**
 * Time runs fast, so that a held request is held for a moment and jobs expire in progress; workers stay, since starting
 * one is expensive.
 */
const FAST = ['--time-scale', '100', '--idle-timeout-ms', '3600000'];
const MIXED: [Area, ...Area[]] = [
  'queue',
  'queue',
  'queue',
  'queue',
  'queue',
  'queue',
  'queue',
  'management',
  'management',
];

const QUEUE = ['run', 'runsync', 'status', 'stream', 'cancel', 'retry', 'purge-queue', 'health'];
const MANAGEMENT = ['get-pod', 'update-template'];

const CAMPAIGNS: Campaign[] = [
  {
    name: 'queue and management, spec, with limits',
    args: [...FAST, '--dialect', 'spec'],
    requests: 9_000,
    firstNumber: 0,
    areas: MIXED,
    mustSucceed: [...QUEUE, ...MANAGEMENT],
  },
  {
    name: 'queue and management, observed, without limits',
    args: [...FAST, '--dialect', 'observed', '--limits', 'off'],
    requests: 9_000,
    firstNumber: 9_000,
    areas: MIXED,
    mustSucceed: [...QUEUE, 'status-sync', ...MANAGEMENT],
  },
  // Faults and speeds set by the requests themselves hit the queue, so the queue is left alone here.
  {
    name: 'control',
    args: FAST,
    requests: 2_000,
    firstNumber: 18_000,
    areas: ['control'],
    mustSucceed: ['stats', 'requests', 'faults', 'time-scale', 'workers'],
  },
];

interface Outcome {
  findings: string[];
  /** How often each operation was answered with each status. */
  counts: Map<string, number>;
}

function idIn(body: Buffer): string | null {
  return /^\{"id":"([\w-]{1,80})","status":"(?:IN_QUEUE|IN_PROGRESS)"/.exec(body.toString('latin1'))?.[1] ?? null;
}

async function runCampaign(
  { requests, firstNumber, areas }: Campaign,
  ready: ReadyLine & { pods?: string[]; templates?: string[] },
): Promise<Outcome> {
  const port = Number(new URL(ready.base_url).port);
  const [first = 'echo', ...others] = ready.endpoints;
  const jobs: { endpointId: string; jobId: string }[] = [];
  const grounds = {
    endpoints: [first, ...others] as const,
    pods: ready.pods ?? [],
    templates: ready.templates ?? [],
    jobs,
  };
  const findings: string[] = [];
  const counts = new Map<string, number>();
  let next = firstNumber;

  function remember(request: FuzzRequest, status: number, body: Buffer): void {
    const key = `${request.operation} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const jobId = status === 200 ? idIn(body) : null;
    if (jobId === null || !ready.endpoints.includes(request.endpointId)) return;
    jobs.push({ endpointId: request.endpointId, jobId });
    if (jobs.length > KEPT_JOBS) jobs.shift();
  }

  async function keepSending(): Promise<void> {
    const client = createFuzzClient(port);
    while (next < firstNumber + requests) {
      const number = next;
      next += 1;
      const dice = createDice(SEED, number);
      const request = makeRequest(dice, { number, area: dice.pick(areas), grounds, apiKey: TEST_API_KEY, port });
      const exchange = await client.send(request);
      if (request.form === 'kept') for (const { status, body } of exchange.answers) remember(request, status, body);
      const problems = problemsOf(request, exchange, TEST_API_KEY);
      if (problems.length > 0) findings.push(describeFinding(SEED, request, exchange, problems));
    }
    client.close();
  }
  await Promise.all(Array.from({ length: CLIENTS }, keepSending));
  return { findings, counts };
}

/** Reverts what the control requests have set. */
async function undoControl({ base_url, endpoints }: ReadyLine): Promise<void> {
  async function put(path: string, body: unknown): Promise<void> {
    const { status } = await fetch(`${base_url}/_sandbox/${path}`, {
      method: 'PUT',
      headers: { authorization: TEST_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, status]).toEqual([path, 200]);
  }
  await put('faults', []);
  await put('time-scale', { timeScale: 100 });
  for (const endpointId of endpoints)
    await put(`endpoints/${endpointId}/workers`, { maxWorkers: 3, throttledWorkers: 0, coldStartMs: 0 });
}

describe(`20,000 random and mutated requests (FUZZ_SEED=${SEED})`, () => {
  it('are 20,000', () => {
    expect(CAMPAIGNS.reduce((sum, { requests }) => sum + requests, 0)).toBe(20_000);
  });

  it.each(CAMPAIGNS)(
    '$name: each is answered in JSON or refused, and the service continues',
    async (campaign) => {
      const { ready, kill } = await startSandboxProcess({ args: campaign.args });
      const { findings, counts } = await runCampaign(campaign, ready);
      if (process.env['FUZZ_COUNTS'] !== undefined)
        process.stderr.write(
          `${[...counts]
            .map((entry) => entry.join(': '))
            .toSorted((a, b) => a.localeCompare(b))
            .join('\n')}\n`,
        );
      expect(
        findings.length === 0 ? '' : `${findings.length} findings:\n${findings.slice(0, SHOWN_FINDINGS).join('\n\n')}`,
      ).toBe('');

      // Otherwise the fuzzing would only have knocked at closed doors.
      for (const operation of campaign.mustSucceed) {
        expect([operation, counts.get(`${operation} 200`) ?? 0]).toEqual([
          operation,
          expect.toSatisfy((count: number) => count > 0),
        ]);
      }
      for (const path of ['stats', 'requests']) {
        const response = await fetch(`${ready.base_url}/_sandbox/${path}`, {
          headers: { authorization: TEST_API_KEY },
        });
        expect([response.status, (await response.text()).includes(TEST_API_KEY)]).toEqual([200, false]);
      }
      await undoControl(ready);
      const caller = createCaller({ baseUrl: ready.base_url, apiKey: TEST_API_KEY });
      for (const endpointId of ready.endpoints) {
        const id = await caller.run(endpointId, {
          prompt: 'after',
          max_tokens: 3,
          tokens_per_second: 1_000,
          mock_return: 'after',
        });
        let record = await caller.status(endpointId, id);
        while (record.status === 'IN_QUEUE' || record.status === 'IN_PROGRESS')
          record = await caller.status(endpointId, id);
        expect([endpointId, record]).toMatchObject([endpointId, { id, status: 'COMPLETED' }]);
      }
      expect(await kill('SIGTERM')).toEqual({ code: 0, signal: null });
    },
    300_000,
  );
});
