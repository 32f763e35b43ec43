import { createLog } from '../../../../src-main/log.ts';
import type { FaultRule } from '../../../../src-main/sandbox/faults/faults.ts';
import type { Dialect } from '../../../../src-main/sandbox/specification.ts';
import { createWebhookReceiver } from '../../../../src-main/webhook/receiver.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import { isLive } from '../../../../src-preload/job.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { createScene } from '../one-clock/scene.ts';
import type { Scene } from '../one-clock/scene.ts';
import type { BaggedJob } from './bag.ts';
import { createServiceLog } from './service-log.ts';
import type { ServiceLog } from './service-log.ts';

export interface PlayedBag {
  scene: Scene;
  log: ServiceLog;
  /** The history at the end, by marker. */
  jobs: ReadonlyMap<string, Job>;
  /** The answers to the user's actions, by marker. */
  answers: ReadonlyMap<string, Result<Job>>;
  /** How long it took until nothing was expected any longer. */
  tookMs: number;
}

export interface BagOptions {
  seed: number;
  dialect: Dialect;
  faults: readonly FaultRule[];
  /** Every job has a webhook, to the app's own receiver. */
  hasWebhooks: boolean;
}

const stepMs = 500;
/** A sixteenth of the app's limit, so that longer replies are quick to create. */
const limitBytes = 4 * 2 ** 20;
const replyLimitBytes = {
  run: limitBytes,
  runsync: limitBytes,
  status: limitBytes,
  stream: limitBytes,
  cancel: limitBytes,
  retry: limitBytes,
  health: limitBytes,
};
/** Everything must be in the history well before the service deletes the results. */
const longestMs = 25 * 60_000;

/**
 * Submits a bag job by job while faults are active, and continues until nothing more is expected. The caller closes the
 * scene.
 */
export async function playBag(bag: readonly BaggedJob[], options: BagOptions): Promise<PlayedBag> {
  const { seed, dialect, faults, hasWebhooks } = options;
  const scene = await createScene({
    seed,
    endpoints: ['plain', 'llm'],
    workers: 4,
    hasWebhooks,
    sandbox: { dialect, faults, faultSeed: seed },
    replyLimitBytes,
  });
  const { clock, sandbox, played } = scene;
  const log = createServiceLog(sandbox, { rules: faults, dialect, nowMs: clock.now() });
  const { jobs, history, changes } = await scene.open();
  const receiver = createWebhookReceiver({
    place: async () => null,
    savePlace: async () => undefined,
    onHint: (hint) => jobs.noteWebhookCall(hint),
    log: createLog({ write: () => undefined, now: clock.now }),
  });
  const receiving = hasWebhooks ? await receiver.start() : null;
  const webhook = receiving?.ok === true ? receiving.value : null;
  const startMs = clock.now();
  const keys = new Map<string, string>();
  const candidates = new Map<string, BaggedJob>();
  const answers = new Map<string, Result<Job>>();
  let asking = 0;
  /** Jobs as last reported, by key. What is reported is on the disk. */
  const told = new Map<string, Job>();
  let heard = 0;

  function jobOf(key: string | undefined): Job | undefined {
    for (const job of changes.slice(heard)) told.set(job.key, job);
    heard = changes.length;
    return key === undefined ? undefined : told.get(key);
  }

  function ask(marker: string, answer: Promise<Result<Job>>): void {
    candidates.delete(marker);
    asking += 1;
    void answer.then((result) => {
      answers.set(marker, result);
      asking -= 1;
    });
  }

  function grant(marker: string, { candidate, submitAtMs }: BaggedJob): void {
    const job = jobOf(keys.get(marker));
    if (job === undefined) return;
    if (!isLive(job) && !(job.phase === 'finished' && candidate === 'retry')) return void candidates.delete(marker);
    if (candidate === 'retry') {
      if (job.phase === 'finished') ask(marker, jobs.retry(job.key));
      return;
    }
    if (job.phase === 'active' && clock.now() - startMs - submitAtMs >= (candidate === 'cancel late' ? 4_000 : 0))
      ask(marker, jobs.cancel(job.key));
  }

  const isQuiet = (): boolean =>
    sandbox.endpoints.every((endpointId) => {
      const health = sandbox.health(endpointId);
      return health === null || health.jobs.inQueue + health.jobs.inProgress === 0;
    });
  /** A job that was marked as gone is read again after five minutes, while its result may exist. */
  const isExpected = (key: string): boolean => {
    const job = jobOf(key);
    if (job?.phase === 'gone') return clock.now() - (job.finishedSeenAtMs ?? 0) < 6 * 60_000;
    return job !== undefined && isLive(job);
  };
  const waiting = [...bag];
  while (clock.now() - startMs < longestMs) {
    for (let next = waiting[0]; next !== undefined && next.submitAtMs <= clock.now() - startMs; next = waiting[0]) {
      waiting.shift();
      const plan = webhook === null ? next.plan : { ...next.plan, draft: { ...next.plan.draft, webhook } };
      keys.set(plan.marker, (await scene.submit(plan)).key);
      await scene.settle();
      if (next.candidate !== null) candidates.set(next.plan.marker, next);
    }
    for (const [marker, bagged] of candidates) grant(marker, bagged);
    const isOver = waiting.length === 0 && candidates.size === 0 && asking === 0 && isQuiet();
    if (isOver && ![...keys.values()].some(isExpected) && (await history.liveJobs()).length === 0) break;
    await clock.advanceTo(clock.now() + stepMs);
  }
  const tookMs = clock.now() - startMs;
  // Without faults from here on.
  sandbox.setFault(null);
  await receiver.stop();
  played.fates();
  const found = new Map<string, Job>();
  for (const [marker, key] of keys) {
    const stored = await history.get(key);
    if (stored !== null) found.set(marker, stored.job);
  }
  return { scene, log, jobs: found, answers, tookMs };
}
