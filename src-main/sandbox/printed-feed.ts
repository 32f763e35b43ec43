import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from './workers/handler-protocol.ts';
import type { HandlerLog } from './workers/start-handler-thread.ts';

/** A printed line for the watcher. */
export interface SeenLine {
  /** Ascends over one run of the sandbox. A line without an end comes again under its number, with more. */
  seq: number;
  /** When it was begun, in real time. */
  atMs: number;
  endpointId: string;
  workerId: string;
  /** The job whose code printed it. Null: it is not certain which, or none did. */
  jobId: string | null;
  stream: OutputStream;
  /** Without control sequences. */
  text: string;
  /** How many further characters the line has. */
  cutChars: number;
  /** It has no end yet, such as a progress bar. */
  isOpen: boolean;
}

/** A line of one job. */
type JobLine = Pick<SeenLine, 'atMs' | 'stream' | 'text' | 'cutChars'>;

/** The first and the last lines that a job printed in this run of the sandbox. */
export interface SeenJob {
  endpointId: string;
  jobId: string;
  head: JobLine[];
  /** How many lines between the two are not kept. */
  dropped: number;
  tail: JobLine[];
}

/** What is reported of what handlers print. */
export type PrintedNews =
  /** `missed`: how many more there were that came too fast to be shown. */
  { type: 'printed'; lines: SeenLine[]; missed: number } | { type: 'jobs-printed'; jobs: SeenJob[] };

export interface PrintedFeedParts {
  post: (news: PrintedNews) => void;
  /** Real time, epoch milliseconds. */
  now: () => number;
  /** Calls `run` after `afterMs`, unless the returned function is called before. */
  later: (afterMs: number, run: () => void) => () => void;
}

/** The most lines and characters of a batch. */
export const BATCH_LINES_MAX = 1_000;
const BATCH_CHARS_MAX = 262_144;
const BATCH_EVERY_MS = 100;
/** Jobs are posted whole, so less often than lines. */
const JOBS_EVERY_BATCHES = 5;
/** The rest of a longer line is counted. */
export const LINE_SHOWN_MAX = 8_192;
/** How many characters of the first and of the last lines of a job are kept. */
export const JOB_PART_CHARS_MAX = 64_000;
/** What a line counts beyond its text, so that the number of empty ones is limited too. */
const LINE_COST = 16;
/** Of this many jobs the lines are kept here. They were posted before. */
export const JOBS_MAX = 128;
const FORGOTTEN_MAX = 10_000;

interface OpenLine {
  line: SeenLine;
  /** Of pieces that were reported as such. */
  before: string;
  cutBefore: number;
  isWaiting: boolean;
}

/** With the number of the line. */
type NumberedLine = JobLine & Pick<SeenLine, 'seq'>;

interface JobLines {
  endpointId: string;
  jobId: string;
  head: NumberedLine[];
  /** Null: the head is complete. */
  headRoom: number | null;
  tail: NumberedLine[];
  tailCost: number;
  dropped: number;
  isChanged: boolean;
}

/** As much of a text is read as can be shown of it with its control sequences. */
const READ_MAX = 2 * LINE_SHOWN_MAX;

/** Colours and other control sequences say nothing as text. A tab does. */
function plain(text: string): string {
  return /[^\P{Cc}\t]/u.test(text) ? stripVTControlCharacters(text).replace(/[^\P{Cc}\t]/gu, '') : text;
}

/** The same text, without the larger one that it was cut from and that it would keep in memory. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Adds a line where it was begun: a progress bar may end after lines that came later. */
function insert(lines: NumberedLine[], line: NumberedLine): void {
  let at = lines.length;
  while (at > 0 && (lines[at - 1]?.seq ?? 0) > line.seq) at -= 1;
  lines.splice(at, 0, line);
}

function unnumbered({ atMs, stream, text, cutChars }: NumberedLine): JobLine {
  return { atMs, stream, text, cutChars };
}

function costOf({ text }: JobLine): number {
  return text.length + LINE_COST;
}

function setText({ line, before, cutBefore }: OpenLine, text: string): void {
  const isFull = before.length >= LINE_SHOWN_MAX;
  const all = isFull ? before : before + plain(text.slice(0, READ_MAX));
  line.text = all.slice(0, LINE_SHOWN_MAX);
  line.cutChars =
    cutBefore + all.length - line.text.length + (isFull ? text.length : Math.max(0, text.length - READ_MAX));
}

function trimTail(job: JobLines): void {
  let from = 0;
  for (; job.tailCost > JOB_PART_CHARS_MAX; from += 1) {
    const line = job.tail[from];
    if (line === undefined) break;
    job.tailCost -= costOf(line);
  }
  job.dropped += from;
  job.tail = job.tail.slice(from);
}

interface JobRecords {
  /** Adds a line that has its end. */
  add(endpointId: string, jobId: string, line: NumberedLine): void;
  /** A line of this job that has no end yet goes further. */
  noteChange(endpointId: string, jobId: string): void;
  isChanged(): boolean;
  postChanged(): void;
}

/** The first and the last lines of the jobs that printed last. `open`: all lines that have no end yet. */
function createJobRecords(open: ReadonlyMap<string, OpenLine>, post: PrintedFeedParts['post']): JobRecords {
  const jobs = new Map<string, JobLines>();
  /** Jobs whose lines are no longer kept here: what they still print is not added to the job. */
  const forgotten = new Set<string>();
  /** The job that printed last, which is the last in the map: in a flood it prints the next line too. */
  let last: JobLines | null = null;

  function jobOf(endpointId: string, jobId: string): JobLines | null {
    if (last?.jobId === jobId && last.endpointId === endpointId) return last;
    const name = `${endpointId}/${jobId}`;
    if (forgotten.has(name)) return null;
    const found = jobs.get(name) ?? {
      endpointId,
      jobId,
      head: [],
      headRoom: JOB_PART_CHARS_MAX,
      tail: [],
      tailCost: 0,
      dropped: 0,
      isChanged: false,
    };
    jobs.delete(name);
    jobs.set(name, found);
    last = found;
    if (jobs.size > JOBS_MAX) forgetFirst();
    return found;
  }

  function forgetFirst(): void {
    const [first] = jobs;
    if (first === undefined) return;
    const [name, job] = first;
    if (job.isChanged) post({ type: 'jobs-printed', jobs: [seenJob(job)] });
    jobs.delete(name);
    forgotten.add(name);
    const [oldest] = forgotten;
    if (forgotten.size > FORGOTTEN_MAX && oldest !== undefined) forgotten.delete(oldest);
  }

  function add(endpointId: string, jobId: string, { seq, atMs, stream, text, cutChars }: NumberedLine): void {
    const job = jobOf(endpointId, jobId);
    if (job === null) return;
    const line = { seq, atMs, stream, text, cutChars };
    job.isChanged = true;
    if (job.headRoom !== null && job.headRoom >= costOf(line)) {
      job.headRoom -= costOf(line);
      insert(job.head, line);
      return;
    }
    job.headRoom = null;
    insert(job.tail, line);
    job.tailCost += costOf(line);
    if (job.tailCost >= 2 * JOB_PART_CHARS_MAX) trimTail(job);
  }

  function seenJob(job: JobLines): SeenJob {
    const { endpointId, jobId } = job;
    job.isChanged = false;
    trimTail(job);
    job.head = job.head.map((line) => ({ ...line, text: detached(line.text) }));
    job.tail = job.tail.map((line) => ({ ...line, text: detached(line.text) }));
    const [head, tail] = [[...job.head], [...job.tail]];
    for (const { line } of open.values())
      if (line.jobId === jobId && line.endpointId === endpointId) insert(job.headRoom === null ? tail : head, line);
    return { endpointId, jobId, head: head.map(unnumbered), dropped: job.dropped, tail: tail.map(unnumbered) };
  }

  return {
    add,
    noteChange(endpointId, jobId) {
      const job = jobOf(endpointId, jobId);
      if (job !== null) job.isChanged = true;
    },
    isChanged: () => [...jobs.values()].some(({ isChanged }) => isChanged),
    postChanged() {
      const changed = [...jobs.values()].filter(({ isChanged }) => isChanged);
      if (changed.length > 0) post({ type: 'jobs-printed', jobs: changed.map(seenJob) });
    },
  };
}

/**
 * Collects what handlers print, at a bounded cost: a handler that prints without end must not slow the queue, and what
 * comes too fast is dropped and counted. Nothing happens here while nothing is printed.
 */
export class PrintedFeed {
  readonly #parts: PrintedFeedParts;
  /** The lines without an end, by worker, stream and job. */
  readonly #open = new Map<string, OpenLine>();
  readonly #jobs: JobRecords;
  /** The numbers of lines that were posted without an end. */
  readonly #postedOpen = new Set<number>();
  #waiting: SeenLine[] = [];
  #waitingChars = 0;
  #missed = 0;
  #lastSeq = 0;
  #ticks = 0;
  #cancel: (() => void) | null = null;

  constructor(parts: PrintedFeedParts) {
    this.#parts = parts;
    this.#jobs = createJobRecords(this.#open, parts.post);
  }

  /** Adds a printed line. `isBegun`: as far as it goes, because it has no end yet. */
  note(log: HandlerLog, isBegun: boolean): void {
    const name = `${log.workerId} ${log.stream} ${log.jobId ?? ''}`;
    const entry = this.#entryOf(name, log);
    setText(entry, log.line);
    if (log.isContinued === true) {
      entry.cutBefore = entry.line.cutChars;
      entry.before = entry.line.text;
    } else if (!isBegun) this.#endLine(name, entry);
    else if (log.jobId !== null) this.#jobs.noteChange(log.endpointId, log.jobId);
    if (!entry.isWaiting) this.#wait(entry.line);
    entry.isWaiting = entry.line.isOpen;
    this.#plan();
  }

  /** Posts what waits. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#postLines();
    this.#jobs.postChanged();
  }

  #wait(line: SeenLine): void {
    this.#waiting.push(line);
    this.#waitingChars += line.text.length;
    // Cut at twice the limit, so that not every line of a flood copies the list.
    if (this.#waiting.length >= 2 * BATCH_LINES_MAX || this.#waitingChars >= 2 * BATCH_CHARS_MAX) this.#trim();
  }

  #trim(): void {
    let from = Math.max(0, this.#waiting.length - BATCH_LINES_MAX);
    let chars = 0;
    for (let index = this.#waiting.length - 1; index >= from; index -= 1) {
      chars += this.#waiting[index]?.text.length ?? 0;
      if (chars > BATCH_CHARS_MAX) from = index + 1;
    }
    if (from === 0) return;
    const dropped = this.#waiting.slice(0, from);
    // What was posted as far as it went must get its end.
    const kept = dropped.filter(({ seq }) => this.#postedOpen.has(seq));
    // An open line comes again.
    this.#missed += dropped.filter(({ seq, isOpen }) => !isOpen && !this.#postedOpen.has(seq)).length;
    this.#waiting = [...kept, ...this.#waiting.slice(from)];
    for (const entry of this.#open.values()) entry.isWaiting = this.#waiting.includes(entry.line);
    this.#waitingChars = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
  }

  #entryOf(name: string, { endpointId, workerId, jobId, stream }: HandlerLog): OpenLine {
    const found = this.#open.get(name);
    if (found !== undefined) return found;
    this.#lastSeq += 1;
    const place = { seq: this.#lastSeq, atMs: this.#parts.now(), endpointId, workerId, jobId, stream };
    const entry = {
      line: { ...place, text: '', cutChars: 0, isOpen: true },
      before: '',
      cutBefore: 0,
      isWaiting: false,
    };
    this.#open.set(name, entry);
    return entry;
  }

  #endLine(name: string, { line }: OpenLine): void {
    this.#open.delete(name);
    line.isOpen = false;
    if (line.jobId !== null) this.#jobs.add(line.endpointId, line.jobId, line);
  }

  #postLines(): void {
    this.#trim();
    if (this.#waiting.length === 0 && this.#missed === 0) return;
    const lines = this.#waiting.map((line) => ({ ...line }));
    for (const { seq, isOpen } of this.#waiting)
      if (isOpen) this.#postedOpen.add(seq);
      else this.#postedOpen.delete(seq);
    for (const entry of this.#open.values()) entry.isWaiting = false;
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#parts.post({ type: 'printed', lines, missed: this.#missed });
    this.#missed = 0;
  }

  #tick(): void {
    this.#cancel = null;
    this.#ticks += 1;
    this.#postLines();
    if (this.#ticks % JOBS_EVERY_BATCHES === 0) this.#jobs.postChanged();
    if (this.#jobs.isChanged()) this.#plan();
  }

  #plan(): void {
    this.#cancel ??= this.#parts.later(BATCH_EVERY_MS, () => this.#tick());
  }
}
