import { loadavg } from 'node:os';
import { percentile } from '../../src-main/history/jobs/run-times.ts';
import { createSeededRandom } from '../../src-main/sandbox/seeded-random.ts';
import { faultsOf } from './durability/faults.ts';
import { runFolder } from './durability/folder.ts';
import type { FolderEnd, Subject } from './durability/folder.ts';
import { judge } from './durability/judge.ts';
import type { Ledgers, Verdict } from './durability/judge.ts';
import { readReceipts, withReceipts } from './durability/receipts.ts';
import { readApp, readNaive } from './durability/saved-jobs.ts';
import type { BenchService } from './durability/service.ts';
import { startService } from './durability/service.ts';
import type { BenchResult } from './run.ts';

const runs = Number(optionOf('--kills') ?? process.env['JOBDECK_BENCH_RUNS'] ?? 200);
const killsPerFolder = Number(process.env['JOBDECK_BENCH_KILLS'] ?? 10);
const seed = Number(process.env['JOBDECK_BENCH_SEED'] ?? 1);

const app: Subject = {
  endpointId: 'app',
  script: new URL('./durability/engine-process.ts', import.meta.url),
  readKept: readApp,
  readReceipts,
};
const naive: Subject = {
  endpointId: 'naive',
  script: new URL('./durability/naive-process.ts', import.meta.url),
  readKept: (folder) => Promise.resolve(readNaive(folder)),
  readReceipts: null,
};

/**
 * Checks whether anything is ever lost. The app's engine is killed (SIGKILL) at random moments under load, with a
 * service that answers a fourth of the requests wrongly or in a strange way. What is on the disk at the end is compared
 * with what was submitted and with what the service did. For comparison, a naive client runs under the same kills and
 * faults. `--kills N` or JOBDECK_BENCH_RUNS sets the number of kills (200), JOBDECK_BENCH_KILLS the number of kills per
 * folder (10), JOBDECK_BENCH_SEED the seed. JOBDECK_BENCH_KEEP keeps the folders.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  const service = await startService([app.endpointId, naive.endpointId], seed);
  const random = createSeededRandom(seed);
  const startedAt = performance.now();
  try {
    const ends: FolderEnd[] = [];
    for (let done = 0; done < runs; done += killsPerFolder) {
      ends.push(
        ...(await runFolder({
          service,
          subjects: [app, naive],
          name: `s${seed}-${done}`,
          kills: Math.min(killsPerFolder, runs - done),
          faults: faultsOf(random),
          random,
        })),
      );
      console.error(
        `${Math.min(runs, done + killsPerFolder)} of ${runs} kills, ${Math.round((performance.now() - startedAt) / 1_000)} s`,
      );
    }
    const figures = { ...figuresOf(service, app, ends), ...prefixed('naive: ', figuresOf(service, naive, ends)) };
    return {
      runs,
      seed,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      'load average': loadavg()
        .map((average) => average.toFixed(1))
        .join(' '),
      ...figures,
    };
  } finally {
    await service.sandbox.close();
  }
}

function ledgersOf(service: BenchService, subject: Subject, ends: readonly FolderEnd[]): Ledgers {
  const mine = ends.filter((end) => end.subject === subject);
  const receipts = subject.readReceipts === null ? null : mine.flatMap((end) => end.receipts ?? []);
  const jobs = service.jobs(subject.endpointId);
  return {
    intents: mine.flatMap(({ intents }) => intents),
    kept: mine.flatMap(({ kept }) => kept),
    service:
      receipts === null ? jobs : jobs.map((job) => ({ ...job, reads: withReceipts(job.id, job.reads, receipts) })),
    reported: new Map(mine.flatMap(({ reported }) => [...reported])),
  };
}

function figuresOf(service: BenchService, subject: Subject, ends: readonly FolderEnd[]): BenchResult {
  const mine = ends.filter((end) => end.subject === subject);
  const ledgers = ledgersOf(service, subject, ends);
  const verdict = judge(ledgers);
  if (subject === app) printLosses(verdict, ledgers);
  const intents = mine.flatMap(({ intents }) => intents);
  return {
    intents: intents.length,
    'intents taken': intents.filter(({ answer }) => answer === 'taken').length,
    jobs: service.jobs(subject.endpointId).length,
    streams: intents.filter(({ chunks }) => chunks.length > 0).length,
    requests: service.requests(subject.endpointId),
    'requests gone wrong': service.requestsGoneWrong(subject.endpointId),
    'lost results': verdict.lostResults.length,
    'lost chunks': verdict.lostChunks.length,
    'doubled chunks': verdict.doubledChunks.length,
    'misplaced streams': verdict.misplacedStreams.length,
    'doubled submissions': verdict.doubledSubmissions.length,
    'missing intents': verdict.missingIntents.length,
    'reported but not on disk': verdict.reportedTooMuch.length,
    'never settled': verdict.unsettled.length,
    'outcome unknown': verdict.outcomeUnknown.length,
    'outcome unknown, taken by the service': verdict.outcomeUnknownButTaken,
    'chunks rebuilt from the output': verdict.rebuiltChunks,
    'streams saved only as output, because no chunk could be read': verdict.streamsOnlyInOutput.length,
    'chunks of streams that did not complete, saved twice because they were sent twice':
      verdict.doubledChunksUnexplained,
    'chunks that never arrived': verdict.chunksLostOnTheWay,
    'chunks in progress at a kill': verdict.chunksInProgressAtKill,
    ...percentiles(
      'start ms',
      mine.flatMap(({ startMs }) => startMs),
    ),
    ...percentiles(
      'recovery ms',
      mine.flatMap(({ recoveryMs }) => recoveryMs ?? []),
    ),
  };
}

/** The argument after this one on the command line. */
function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

/** Prints each loss by name, and what happened to the jobs that lost chunks, to help find the cause. */
function printLosses(verdict: Verdict, { intents, service }: Ledgers): void {
  for (const [what, found] of Object.entries(verdict)) {
    if (!Array.isArray(found) || what === 'outcomeUnknown') continue;
    for (const line of found.slice(0, 20)) console.error(`${what}: ${String(line)}`);
  }
  const hasLost = (marker: string): boolean => verdict.lostChunks.some((line) => /^[^,:]*/.exec(line)?.[0] === marker);
  for (const { marker, kills } of intents.filter((intent) => hasLost(intent.marker)))
    console.error(JSON.stringify({ marker, kills, runs: service.filter((job) => job.marker === marker) }));
}

function prefixed(prefix: string, result: BenchResult): BenchResult {
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [`${prefix}${name}`, value]));
}

function percentiles(name: string, values: readonly number[]): BenchResult {
  const at = (share: number): number => Math.round(percentile(values, share) ?? 0);
  return { [`${name} p50`]: at(0.5), [`${name} p95`]: at(0.95) };
}
