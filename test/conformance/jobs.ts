import { fieldsOf, shown } from './answers.ts';
import { cannotTell, must } from './rule.ts';
import type { CallOptions, Service } from './service.ts';

/** Longer than any check: such a job runs until it is cancelled. */
const ENDLESS_MS = 604_800_000;
const LONG_LIFE = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const POLL_MS = 100;
const MOST_WORKERS = 64;

/** The input of a job that runs until it is stopped. */
export const ENDLESS = { mock_delay: ENDLESS_MS };

export type Fields = Record<string, unknown>;

/** The submission body of a job that runs until it is stopped, also over days of the service's time. */
export function endless(policy: Fields = {}): Fields {
  return { input: ENDLESS, policy: { ...LONG_LIFE, ...policy } };
}

/** Submits with run and gives the id; the job is cancelled after the check if it has not finished. */
export async function submit(service: Service, body: Fields): Promise<string> {
  const answer = await service.call('run', { body });
  const { id } = fieldsOf(answer, 'a run');
  must(typeof id === 'string' && id !== '', `a run was answered without an id: ${shown(answer)}`);
  service.unfinished.add(id);
  return id;
}

/** Submits with runsync and gives the record. */
export async function runsync(service: Service, body: Fields, options: CallOptions = {}): Promise<Fields> {
  return fieldsOf(await service.call('runsync', { ...options, body }), 'a runsync');
}

export async function readStatus(service: Service, job: string): Promise<Fields> {
  return fieldsOf(await service.call('status', { job }), 'status');
}

/** Asks again and again until the answer is the wanted one; null when patience ends. */
export async function poll<T>(
  service: Service,
  read: () => Promise<T | null>,
  patienceMs = service.time.patienceMs,
): Promise<T | null> {
  const untilMs = service.time.now() + patienceMs;
  for (;;) {
    const found = await read();
    if (found !== null) return found;
    if (service.time.now() > untilMs) return null;
    await service.time.pass(POLL_MS);
  }
}

/** Polls status until the job is in one of these states, and gives the record. */
export async function reach(service: Service, job: string, ...states: string[]): Promise<Fields> {
  let last: Fields = {};
  const reached = await poll(service, async () => {
    last = await readStatus(service, job);
    return states.includes(String(last['status'])) ? last : null;
  });
  must(reached !== null, `the job did not become ${states.join(' or ')}: it stayed ${String(last['status'])}`);
  if (!['IN_QUEUE', 'IN_PROGRESS'].includes(String(reached['status']))) service.unfinished.delete(job);
  return reached;
}

/** Submits and waits until the job has ended; gives its record. */
export async function finish(service: Service, body: Fields): Promise<Fields> {
  return reach(service, await submit(service, body), 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED');
}

/** A job that runs until it is stopped, once it has started. */
export async function startEndless(service: Service, policy: Fields = {}): Promise<string> {
  const job = await submit(service, endless(policy));
  await reach(service, job, 'IN_PROGRESS');
  return job;
}

/** The jobs and workers of the health record. */
export async function readHealth(
  service: Service,
): Promise<{ jobs: Record<string, number>; workers: Record<string, number> }> {
  const health = fieldsOf(await service.call('health'), 'health');
  return { jobs: counts(health['jobs']), workers: counts(health['workers']) };
}

function counts(value: unknown): Record<string, number> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

/** Cancels and forgets a job that this check submitted. */
export async function stop(service: Service, job: string): Promise<void> {
  fieldsOf(await service.call('cancel', { job }), 'cancel');
  service.unfinished.delete(job);
}

/** Keeps every worker busy until `stop` is called for each, so that what is submitted next waits; gives the jobs. */
export async function fillWorkers(service: Service): Promise<string[]> {
  service.workers ??= await learnWorkers(service);
  const jobs: string[] = [];
  for (let count = 0; count < service.workers; count += 1) jobs.push(await submit(service, endless()));
  for (const job of jobs) await reach(service, job, 'IN_PROGRESS');
  return jobs;
}

/** A job that waits in the queue, behind jobs that keep every worker busy. */
export async function submitWaiting(
  service: Service,
  body: Fields = { input: { mock_return: 1 } },
): Promise<{ job: string; ahead: string[] }> {
  const ahead = await fillWorkers(service);
  const job = await submit(service, body);
  const { status } = await readStatus(service, job);
  must(status === 'IN_QUEUE', `with every worker busy a job is ${String(status)} instead of IN_QUEUE`);
  return { job, ahead };
}

/** How many jobs run at once when more than that are there. */
async function learnWorkers(service: Service): Promise<number> {
  const { time } = service;
  const steadyMs = Math.max(10_000, time.toleranceMs * 20);
  const jobs: string[] = [];
  try {
    while (jobs.length < MOST_WORKERS) {
      for (let count = 0; count < 8; count += 1) jobs.push(await submit(service, endless()));
      let running = -1;
      let sinceMs = time.now();
      while (time.now() - sinceMs < steadyMs && running < jobs.length) {
        await time.pass(POLL_MS * 5);
        const { inProgress = 0 } = (await readHealth(service)).jobs;
        if (inProgress !== running) sinceMs = time.now();
        running = inProgress;
      }
      if (running < jobs.length) return running;
    }
  } finally {
    for (const job of jobs) await stop(service, job);
  }
  return cannotTell(`the endpoint runs ${MOST_WORKERS} jobs at once; nothing can be made to wait`);
}
