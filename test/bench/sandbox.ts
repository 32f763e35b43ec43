import { loadavg } from 'node:os';
import type { BenchResult } from './run.ts';
import { openConnection } from './sandbox-load/connection.ts';
import { load, type LoadResult } from './sandbox-load/load.ts';
import { startMeasuredProcess, type MeasuredProcess } from './sandbox-load/measured-process.ts';
import type { ProbeReading } from './sandbox-load/probe.ts';

/**
 * The rate when both loads come together: a twentieth above the limits, so that a short delay does not count as a miss.
 */
const SUBMITS_PER_S = 2_100;
const READS_PER_S = 5_250;
const CONNECTIONS = 32;
const WARM_UP_MS = 2_000;
const ALONE_MS = 6_000;
/**
 * Results of jobs then expire 5 s after their end (30 minutes at speed 1), while the status of those of the last second
 * is read.
 */
const TIME_SCALE = 360;
const ASKED_ABOUT = SUBMITS_PER_S;
const SAMPLE_EVERY_JOBS = 10_000;

const API_KEY = 'bench-key';
const CLI = new URL('../../src-main/sandbox/cli.ts', import.meta.url);
const BARE_SERVER = new URL('./sandbox-load/bare-server.ts', import.meta.url);
const SANDBOX_ARGS = ['--api-key', API_KEY, '--limits', 'off', '--min-workers', '2', '--max-workers', '2'];

/**
 * The sandbox's command line under load (limits: 2,000 submissions and 5,000 status reads a second accepted, memory
 * flat over 100,000 jobs with retention active), compared with a bare node:http server under the same load.
 * JOBDECK_BENCH_JOBS sets the jobs of the long run (300000).
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const jobs = Number(process.env['JOBDECK_BENCH_JOBS'] ?? 300_000);
  return {
    'load average at the start': round(loadavg()[0] ?? 0),
    ...(await measurePeer()),
    ...(await measureAlone()),
    ...(await measureTogether(jobs)),
    'load average at the end': round(loadavg()[0] ?? 0),
  };
}

const INPUT = JSON.stringify({
  input: { prompt: 'Write an incident review of the checkout slowdown', max_tokens: 128 },
});

function submitRequest(): string {
  return `POST /v2/echo/run HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${API_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${INPUT.length}\r\n\r\n${INPUT}`;
}

function getRequest(path: string): string {
  return `GET /v2/echo/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${API_KEY}\r\n\r\n`;
}

/** The ids of the latest accepted jobs, and requests for the status of one after the other. */
function createRecentJobs(kept: number): { remember(status: number, body: Buffer): void; nextStatus(): string } {
  const ids: string[] = [];
  let accepted = 0;
  let asked = 0;
  return {
    remember: (status, body) => {
      if (status !== 200) return;
      ids[accepted % kept] = body.toString('latin1', 7, body.indexOf('"', 7));
      accepted += 1;
    },
    nextStatus: () => {
      asked += 1;
      return getRequest(`status/${ids[asked % ids.length] ?? 'none'}`);
    },
  };
}

async function measurePeer(): Promise<BenchResult> {
  console.error('peer: a bare node:http server');
  const peer = await startMeasuredProcess(BARE_SERVER, []);
  const fast = { port: peer.port, connections: CONNECTIONS, ratePerS: null };
  await load({ ...fast, durationMs: WARM_UP_MS, nextRequest: submitRequest });
  const submits = await load({ ...fast, durationMs: ALONE_MS, nextRequest: submitRequest });
  const reads = await load({ ...fast, durationMs: ALONE_MS, nextRequest: () => getRequest('status/none') });
  const offered = { port: peer.port, connections: CONNECTIONS, durationMs: ALONE_MS };
  const [together] = await Promise.all([
    load({ ...offered, ratePerS: SUBMITS_PER_S, nextRequest: submitRequest }),
    load({ ...offered, ratePerS: READS_PER_S, nextRequest: () => getRequest('status/none') }),
  ]);
  await peer.stop();
  return {
    'peer: POST a second': round(submits.acceptedPerS),
    'peer: GET a second': round(reads.acceptedPerS),
    'peer: both offered, POST p50 / p99 ms': latencies(together),
  };
}

async function measureAlone(): Promise<BenchResult> {
  console.error('submissions alone, status reads alone');
  const sandbox = await startMeasuredProcess(CLI, SANDBOX_ARGS);
  const recent = createRecentJobs(ASKED_ABOUT);
  const fast = { port: sandbox.port, connections: CONNECTIONS, ratePerS: null };
  await load({ ...fast, durationMs: WARM_UP_MS, nextRequest: submitRequest, onAnswer: recent.remember });
  await untilNothingWaits(sandbox.port);
  const finishedBefore = await finishedJobs(sandbox.port);
  const submitCpu = await cpuPerRequest(sandbox, () =>
    load({ ...fast, durationMs: ALONE_MS, nextRequest: submitRequest, onAnswer: recent.remember }),
  );
  const submits = submitCpu.result;
  const finishedMeanwhile = (await finishedJobs(sandbox.port)) - finishedBefore;
  await untilNothingWaits(sandbox.port);
  const readCpu = await cpuPerRequest(sandbox, () =>
    load({ ...fast, durationMs: ALONE_MS, nextRequest: recent.nextStatus }),
  );
  const reads = readCpu.result;
  await sandbox.stop();
  return {
    'submissions alone: accepted a second': round(submits.acceptedPerS),
    'submissions alone: p50 / p99 ms': latencies(submits),
    'submissions alone: failed, closed while idle': failures(submits),
    'submissions alone: jobs finished a second meanwhile': round((finishedMeanwhile / submits.tookMs) * 1_000),
    'submissions alone: CPU us each, with its job': submitCpu.cpuUs,
    'status reads alone: accepted a second': round(reads.acceptedPerS),
    'status reads alone: p50 / p99 ms': latencies(reads),
    'status reads alone: failed, closed while idle': failures(reads),
    'status reads alone: CPU us each': readCpu.cpuUs,
  };
}

async function measureTogether(jobs: number): Promise<BenchResult> {
  console.error(
    `${jobs} jobs at ${SUBMITS_PER_S} a second with ${READS_PER_S} status reads a second, retention running`,
  );
  const sandbox = await startMeasuredProcess(CLI, [...SANDBOX_ARGS, '--time-scale', String(TIME_SCALE)]);
  const recent = createRecentJobs(ASKED_ABOUT);
  const samples: ProbeReading[] = [];
  let accepted = 0;
  const offered = { port: sandbox.port, connections: CONNECTIONS };
  // Jobs to read from the first request on.
  await load({
    ...offered,
    durationMs: 1_000,
    ratePerS: SUBMITS_PER_S,
    nextRequest: submitRequest,
    onAnswer: recent.remember,
  });
  const before = await sandbox.read();
  const durationMs = (jobs / SUBMITS_PER_S) * 1_000;
  const startedAtMs = performance.now();
  const [submits, reads] = await Promise.all([
    load({
      ...offered,
      durationMs,
      ratePerS: SUBMITS_PER_S,
      nextRequest: submitRequest,
      onAnswer: (status, body) => {
        recent.remember(status, body);
        if (status !== 200) return;
        accepted += 1;
        if (accepted % SAMPLE_EVERY_JOBS === 0) {
          void sandbox.read().then((sample) => {
            samples.push(sample);
            console.error(
              `${accepted} jobs: RSS ${megabytes(sample.rssBytes)} MB, heap ${megabytes(sample.heapBytes)} MB`,
            );
          });
        }
      },
    }),
    load({ ...offered, durationMs, ratePerS: READS_PER_S, nextRequest: recent.nextStatus }),
  ]);
  const after = await sandbox.read();
  const tookS = (performance.now() - startedAtMs) / 1_000;
  await untilNothingWaits(sandbox.port);
  const finished = await finishedJobs(sandbox.port);
  await untilForgotten(sandbox.port, recent.nextStatus);
  const collected = await sandbox.read('collect');
  await sandbox.stop();

  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const half = samples[Math.floor(samples.length / 2) - 1];
  const end = samples.at(-1);
  return {
    'together: submissions accepted a second': round(submits.acceptedPerS),
    'together: submissions p50 / p99 ms': latencies(submits),
    'together: status reads accepted a second': round(reads.acceptedPerS),
    'together: status reads p50 / p99 ms': latencies(reads),
    'together: submissions failed, closed while idle': failures(submits),
    'together: status reads failed, closed while idle': failures(reads),
    'together: cores used by the sandbox': round((after.cpuMs - before.cpuMs) / 1_000 / tookS),
    'together: jobs submitted': submits.accepted,
    'together: jobs finished (with those of the warm-up)': finished,
    [`RSS MB every ${SAMPLE_EVERY_JOBS} jobs`]: samples.map(({ rssBytes }) => Math.round(rssBytes / 1e6)).join(' '),
    [`heap MB every ${SAMPLE_EVERY_JOBS} jobs`]: samples.map(({ heapBytes }) => Math.round(heapBytes / 1e6)).join(' '),
    'RSS MB mean, first third / last third': `${mean(first, 'rssBytes')} / ${mean(last, 'rssBytes')}`,
    'heap MB mean, first third / last third': `${mean(first, 'heapBytes')} / ${mean(last, 'heapBytes')}`,
    'RSS growth over the last half of the jobs MB': megabytes((end?.rssBytes ?? 0) - (half?.rssBytes ?? 0)),
    'heap MB when all jobs had left, collected': megabytes(collected.heapBytes),
  };
}

async function cpuPerRequest(
  sandbox: MeasuredProcess,
  work: () => Promise<LoadResult>,
): Promise<{ result: LoadResult; cpuUs: number }> {
  const before = await sandbox.read();
  const result = await work();
  const after = await sandbox.read();
  return { result, cpuUs: round(((after.cpuMs - before.cpuMs) / result.accepted) * 1_000) };
}

async function ask(port: number, request: string): Promise<{ status: number; text: string }> {
  const broken = Promise.withResolvers<never>();
  const connection = await openConnection(port, (reason) =>
    broken.reject(new Error(`The sandbox went away: ${reason}`)),
  );
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    connection.send(request, (status, body) => resolve({ status, text: body.toString() }));
  });
  try {
    return await Promise.race([answer, broken.promise]);
  } finally {
    connection.close();
  }
}

interface JobCounts {
  completed: number;
  inProgress: number;
  inQueue: number;
}

async function jobCounts(port: number): Promise<JobCounts> {
  const { jobs }: { jobs: JobCounts } = JSON.parse((await ask(port, getRequest('health'))).text);
  return jobs;
}

async function finishedJobs(port: number): Promise<number> {
  return (await jobCounts(port)).completed;
}

async function untilNothingWaits(port: number): Promise<void> {
  for (;;) {
    const { inQueue, inProgress } = await jobCounts(port);
    if (inQueue + inProgress === 0) return;
  }
}

/** Waits until the latest jobs are past their retention. */
async function untilForgotten(port: number, nextStatus: () => string): Promise<void> {
  for (let gone = 0; gone < ASKED_ABOUT / 10;) gone = (await ask(port, nextStatus())).status === 404 ? gone + 1 : 0;
}

/** Requests that failed, and connections that were closed without one, each with how. */
function failures({ failures: failed, idleCloses }: LoadResult): string {
  return `${byKind(failed)}, ${byKind(idleCloses)}`;
}

function byKind(kinds: Readonly<Record<string, number>>): string {
  const total = Object.values(kinds).reduce((sum, number) => sum + number, 0);
  const named = Object.entries(kinds).map(([kind, number]) => `${number} x ${kind}`);
  return total === 0 ? '0' : `${total} (${named.join('; ')})`;
}

function latencies({ p50Ms, p99Ms }: LoadResult): string {
  return `${round(p50Ms)} / ${round(p99Ms)}`;
}

function megabytes(bytes: number): number {
  return round(bytes / 1e6);
}

function mean(samples: readonly ProbeReading[], field: 'rssBytes' | 'heapBytes'): number {
  return megabytes(samples.reduce((sum, sample) => sum + sample[field], 0) / Math.max(1, samples.length));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
