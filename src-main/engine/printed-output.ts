import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Result } from '../../src-preload/failure.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { addPrinted, emptyPrinted, joinPrinted } from '../../src-preload/printed.ts';
import type { JobPrinted, PrintedLine, PrintedLines } from '../../src-preload/printed.ts';
import { createSerialQueue } from '../async/queues.ts';
import { parseDocument } from '../history/collection.ts';
import { fromHistory, type History } from '../history/history.ts';
import type { Log } from '../log.ts';
import type { PrintedNews, SeenJob } from '../sandbox/printed-feed.ts';
import type { News } from './engine-events.ts';

export interface PrintedOutputParts {
  emit: News['emit'];
  history: Pick<History, 'newestByServiceId' | 'job' | 'body' | 'storePrinted'>;
  /** Removes known keys and secrets from a text. */
  hide: (text: string) => string;
  log: Log;
}

const jobLine = z.object({
  atMs: z.number(),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string(),
  cutChars: z.number(),
});

const jobPrinted = z.object({ head: z.array(jobLine), dropped: z.number(), tail: z.array(jobLine) });

/** What is saved of a job. It is in files, so its form must not change. */
const savedPrinted = z.object({
  /** The run of the sandbox that `now` is of. A later one begins with nothing. */
  runId: z.string(),
  before: jobPrinted.nullable(),
  now: jobPrinted,
});

type SavedPrinted = z.infer<typeof savedPrinted>;

/** What the sandbox said last of a job that is not saved yet. */
interface Unsaved {
  runId: string;
  endpointId: string;
  jobId: string;
  printed: JobPrinted;
}

/** Printed lines of at most this many jobs stay in memory until the job is over. Those of others are saved before. */
const unsavedMax = 64;
/** While the disk refuses, those of at most this many jobs stay in memory: 128,000 characters each at most. */
const refusedMax = 256;

/**
 * What handlers of the sandbox print: the last lines of all in memory, and the first and last of each job in the
 * history when it is over (docs/decisions/128). Secrets are taken out before anything else happens.
 */
export class PrintedOutput {
  readonly #parts: PrintedOutputParts;
  readonly #writes = createSerialQueue();
  readonly #unsaved = new Map<string, Unsaved>();
  #buffer = emptyPrinted;
  /** Added to the sandbox's own numbers. */
  #base = 0;
  #lastSeq = 0;
  #runId: string = randomUUID();
  #isWatched = false;

  /** At first nothing was printed, and no window shows it. */
  constructor(parts: PrintedOutputParts) {
    this.#parts = parts;
  }

  /** Whether any window gets lines as they come. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
  }

  /** A new run of the sandbox begins, with new numbers. Jobs that were running run again. */
  sandboxStarted(): void {
    this.#base = this.#lastSeq;
    for (const entry of this.#unsaved.values()) void this.#save(entry);
    this.#runId = randomUUID();
  }

  /** Takes what the sandbox reports. */
  take(news: PrintedNews): void {
    if (news.type === 'printed') return this.#takeLines(news);
    for (const seen of news.jobs) void this.#takeJob(seen).catch((error: unknown) => this.#noteFailure(error));
  }

  /** Jobs as they are now: what those printed that are over is saved. */
  jobsChanged(jobs: readonly Job[]): void {
    if (this.#unsaved.size === 0) return;
    for (const job of jobs) {
      const entry =
        job.jobId === null || isLive(job) ? undefined : this.#unsaved.get(nameOf(job.endpointId, job.jobId));
      if (entry !== undefined) void this.#save(entry);
    }
  }

  /** The last lines of all handlers. */
  last(): PrintedLines {
    return { lines: [...this.#buffer.lines], missed: this.#buffer.missed };
  }

  /** What a job printed. Null: nothing is known of that. Errors: `storage`. */
  readJob(key: string): Promise<Result<JobPrinted | null>> {
    return fromHistory(this.#readJob(key));
  }

  /** Saves what is not saved yet, also of jobs that are not over. */
  async close(): Promise<void> {
    for (const entry of this.#unsaved.values()) void this.#save(entry);
    await this.#writes.idle();
  }

  #takeLines({ lines, missed }: Extract<PrintedNews, { type: 'printed' }>): void {
    const shown = this.#hidden(lines).map((line): PrintedLine => ({ ...line, seq: this.#base + line.seq }));
    for (const { seq } of shown) this.#lastSeq = Math.max(this.#lastSeq, seq);
    this.#buffer = addPrinted(this.#buffer, { lines: shown, missed });
    if (this.#isWatched) this.#parts.emit('sandbox:linesPrinted', { lines: shown, missed });
  }

  async #takeJob({ endpointId, jobId, head, dropped, tail }: SeenJob): Promise<void> {
    const name = nameOf(endpointId, jobId);
    const printed = { head: this.#hidden(head), dropped, tail: this.#hidden(tail) };
    const entry = { runId: this.#runId, endpointId, jobId, printed };
    // The one that printed last is the last in the map.
    this.#unsaved.delete(name);
    this.#unsaved.set(name, entry);
    if (this.#unsaved.size > unsavedMax) void this.#saveOldest();
    const job = await this.#jobOf(entry);
    if (job !== null) this.#parts.emit('job:printed', { key: job.key });
    if (job !== null && !isLive(job)) await this.#save(entry);
  }

  /** Makes room in memory: saves the lines of the job that printed longest ago. */
  async #saveOldest(): Promise<void> {
    const [oldest] = this.#unsaved.values();
    if (oldest === undefined) return;
    const result = await this.#save(oldest);
    // There is no place to save what a job of another client printed.
    if (result === 'unknown-job') this.#forget(oldest);
    if (result !== 'refused' || this.#unsaved.size <= refusedMax) return;
    this.#parts.log.error('the disk refuses what jobs print, and there is no room left in memory', {
      endpointId: oldest.endpointId,
      jobId: oldest.jobId,
    });
    this.#forget(oldest);
  }

  #forget(entry: Unsaved): void {
    const name = nameOf(entry.endpointId, entry.jobId);
    if (this.#unsaved.get(name) === entry) this.#unsaved.delete(name);
  }

  /** Saves what a job printed, if Jobdeck knows the job. What the disk refuses stays in memory. */
  #save(entry: Unsaved): Promise<'saved' | 'unknown-job' | 'refused'> {
    const name = nameOf(entry.endpointId, entry.jobId);
    return this.#writes.run(async () => {
      // A newer one of the same job took its place.
      if (this.#unsaved.get(name) !== entry) return 'saved';
      try {
        const job = await this.#jobOf(entry);
        if (job === null) return 'unknown-job';
        const saved = withRun(await this.#savedOf(job.key), entry);
        await this.#parts.history.storePrinted(job.key, JSON.stringify(saved));
        this.#forget(entry);
        this.#parts.emit('job:printed', { key: job.key });
        return 'saved';
      } catch (error) {
        this.#noteFailure(error);
        return 'refused';
      }
    });
  }

  async #readJob(key: string): Promise<JobPrinted | null> {
    const job = await this.#parts.history.job(key);
    if (job === null) return null;
    const saved = await this.#savedOf(key);
    const entry = job.jobId === null ? undefined : this.#unsaved.get(nameOf(job.endpointId, job.jobId));
    const all = entry === undefined ? saved : withRun(saved, entry);
    if (all === null) return null;
    return all.before === null ? all.now : joinPrinted(all.before, all.now);
  }

  async #savedOf(key: string): Promise<SavedPrinted | null> {
    const body = await this.#parts.history.body(key, 'printed', null, null);
    return body === null ? null : parseDocument(savedPrinted, body.text);
  }

  async #jobOf({ endpointId, jobId }: Unsaved): Promise<Job | null> {
    const job = await this.#parts.history.newestByServiceId(jobId);
    return job?.endpointId === endpointId ? job : null;
  }

  #hidden<L extends { text: string }>(lines: readonly L[]): L[] {
    const text = lines.map((line) => line.text).join('\n');
    // Nearly always there is nothing to hide, and one search is cheaper than one for each line.
    if (this.#parts.hide(text) === text) return [...lines];
    return lines.map((line) => ({ ...line, text: this.#parts.hide(line.text) }));
  }

  #noteFailure(error: unknown): void {
    this.#parts.log.warn('what a job printed was not saved', { error });
  }
}

function nameOf(endpointId: string, jobId: string): string {
  return `${endpointId}/${jobId}`;
}

/** What is to be saved: this run's lines after those of earlier runs. */
function withRun(saved: SavedPrinted | null, { runId, printed }: Unsaved): SavedPrinted {
  if (saved === null) return { runId, before: null, now: printed };
  if (saved.runId === runId) return { ...saved, now: printed };
  return { runId, before: saved.before === null ? saved.now : joinPrinted(saved.before, saved.now), now: printed };
}
