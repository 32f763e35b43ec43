import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { reportCrashing, reportThrown } from './error-report.ts';
import { PRINTED_BYTES_MAX } from './handler-protocol.ts';
import type { FromThread, OutputStream, OwnThreadData, ToOwnThread } from './handler-protocol.ts';
import { NoHandler, ReportedFailure, type Handler } from './handlers/job.ts';
import { loadHandler } from './handlers/load.ts';
import { JobRun } from './job-run.ts';
import type { ModuleLoading } from './module-loading.ts';
import { captureOutput } from './printed.ts';
import { currentJob } from './current-job.ts';
import { shortPath } from './stack-text.ts';

/** A handler thread of one "worker" of the specification, running one job at a time. */

/** Not written in `new URL(...)`, because a bundler would include it as a file. */
const OWN_FOLDER = '.';
/** The longest wait for room to print, so that a thread never waits for ever. */
const PRINT_WAIT_MAX_MS = 1_000;
/** More is sent in pieces, between which the server can do other things. In UTF-16 units. */
const PRINTED_PIECE_MAX = 2 ** 14;
/** At most this many writes within `PRINT_WINDOW_MS` are sent one by one. */
const SENT_IN_WINDOW_MAX = 16;
const PRINT_WINDOW_MS = 10;
/** Enough to reach the handler below Node's own frames when a thread exits. */
const EXIT_STACK_FRAMES = 50;

const port = parentPort;
const data: OwnThreadData = workerData;
const printedCount = new Int32Array(data.printedBytes);
/** Null for the built-in handlers, whose frames belong to the sandbox. */
const moduleUrl = 'moduleUrl' in data.handler ? data.handler.moduleUrl : null;
const ownDirectory = moduleUrl === null ? null : new URL(OWN_FOLDER, import.meta.url).href;
/** npm runs its scripts in the project's folder, and passes the user's folder in INIT_CWD. */
const fromDirectory = process.env['INIT_CWD'] ?? process.cwd();
/** Null for the built-in handlers. */
let loading: ModuleLoading | null = null;
/** The handler was loaded, or it is known why not. */
let isLoadSettled = false;
let current: JobRun | null = null;
/** Prints what is left of a character. */
let endPrinting = (): void => undefined;
/** What is printed and not sent yet. */
let pending: { stream: OutputStream; jobId: string | null; text: string } | null = null;
let windowStartMs = -Infinity;
let sentInWindow = 0;

function post(message: FromThread): void {
  sendPrinted();
  port?.postMessage(message);
}

/**
 * The first writes of a moment are sent one by one, so that what is printed before a long computation is seen. The
 * others are sent together, because a message for each of a million lines would keep the server from its requests.
 */
function print(stream: OutputStream, text: string): void {
  const jobId = currentJob.getStore() ?? null;
  if (pending !== null && (pending.stream !== stream || pending.jobId !== jobId)) sendPrinted();
  if (pending === null) {
    pending = { stream, jobId, text };
    setImmediate(sendPrinted).unref();
  } else pending.text += text;
  const nowMs = performance.now();
  if (nowMs - windowStartMs >= PRINT_WINDOW_MS) {
    windowStartMs = nowMs;
    sentInWindow = 0;
  }
  if (sentInWindow < SENT_IN_WINDOW_MAX || pending.text.length >= PRINTED_PIECE_MAX) {
    sentInWindow += 1;
    sendPrinted();
  }
}

function sendPrinted(): void {
  const printed = pending;
  if (printed === null) return;
  pending = null;
  for (let at = 0; at < printed.text.length; at += PRINTED_PIECE_MAX)
    sendPiece({ ...printed, text: printed.text.slice(at, at + PRINTED_PIECE_MAX) });
}

function sendPiece(printed: { stream: OutputStream; jobId: string | null; text: string }): void {
  Atomics.add(printedCount, 0, printed.text.length);
  port?.postMessage({ type: 'printed', ...printed } satisfies FromThread);
  for (let count = Atomics.load(printedCount, 0); count > PRINTED_BYTES_MAX; count = Atomics.load(printedCount, 0)) {
    if (Atomics.wait(printedCount, 0, count, PRINT_WAIT_MAX_MS) === 'timed-out') return;
  }
}

function printForPeople(lines: string[]): void {
  post({ type: 'failure-lines', lines, jobId: current?.jobId ?? null });
}

/** Reports what will crash the thread while that is still possible. */
function followCrashes(): void {
  let isPosted = false;

  function postCrash(code: number, thrown: unknown): void {
    if (isPosted) return;
    isPosted = true;
    const lines = loading?.failureLinesNow(thrown) ?? [];
    if (!isLoadSettled) return reportLoadFailure(lines);
    if (loading !== null) printForPeople(lines);
    post({ type: 'crashing', error: reportCrashing(code, thrown, data, ownDirectory) });
  }

  process.on('uncaughtExceptionMonitor', (thrown) => {
    // A handler that listens for it continues.
    if (process.listenerCount('uncaughtException') === 0) postCrash(1, thrown);
  });
  process.on('exit', (code) => {
    if (isPosted || (isLoadSettled && current === null)) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = EXIT_STACK_FRAMES;
    postCrash(code, exitError(code));
    Error.stackTraceLimit = limit;
  });
}

/** Why the thread ends, with the stack of the call that ends it. Without one, it has nothing left to wait for. */
function exitError(code: number): Error {
  if (isLoadSettled) return new Error(`The handler called process.exit(${code}).`);
  const exit = new Error(`The worker ended with code ${code} before the module was loaded.`);
  if (exit.stack?.includes('at process.exit ') === true) return exit;
  return new Error('A top-level await never settles: nothing else is running.');
}

async function followLoading(): Promise<ModuleLoading | null> {
  if (ownDirectory === null) return null;
  // Workers of built-in handlers start faster without it.
  const { followModuleLoading } = await import('./module-loading.ts');
  const followed = followModuleLoading({ ownDirectory, fromDirectory }, (file) => post({ type: 'source-file', file }));
  // Only from here on, because positions in the sandbox's own files are of no use to the author of a handler.
  process.setSourceMapsEnabled(true);
  return followed;
}

async function loadFailure(error: unknown): Promise<string[]> {
  if (moduleUrl !== null && !existsSync(fileURLToPath(moduleUrl))) return ['There is no such file.'];
  if (error instanceof NoHandler) return error.message.split('\n');
  return loading === null ? [String(error)] : loading.failureLines(error);
}

function reportLoadFailure([first = '', ...rest]: string[]): void {
  isLoadSettled = true;
  const name = moduleUrl === null ? data.endpointId : shortPath(fileURLToPath(moduleUrl), fromDirectory);
  post({ type: 'load-failed', lines: [`${name} cannot be loaded, and jobs wait until it can. ${first}`, ...rest] });
}

async function load(): Promise<Handler> {
  try {
    return await loadHandler(data.handler, (file) => post({ type: 'source-file', file }));
  } catch (error) {
    reportLoadFailure(await loadFailure(error));
    return process.exit(1);
  } finally {
    isLoadSettled = true;
  }
}

async function report(thrown: unknown): Promise<string> {
  if (loading !== null && !(thrown instanceof ReportedFailure)) printForPeople(await loading.failureLines(thrown));
  return reportThrown(thrown, data, ownDirectory);
}

function take(message: ToOwnThread, handler: Handler): void {
  if (message.type === 'run') {
    const run = new JobRun({
      handler,
      message,
      post: (about) => {
        // What it printed comes before its end.
        if (about.type !== 'chunk' && about.type !== 'progress') currentJob.run(message.jobId, endPrinting);
        post(about);
      },
      report,
      advise: (sentence) => printForPeople([sentence]),
    });
    current = run;
    void currentJob
      .run(message.jobId, () => run.begin())
      .then(() => {
        if (current === run) current = null;
      });
    return;
  }
  const run = current;
  if (message.type === 'close' || message.runId !== run?.runId) return;
  // Listeners of the handler's signal print for its job.
  currentJob.run(run.jobId, () => run.take(message));
}

async function serve(): Promise<void> {
  endPrinting = captureOutput(print);
  followCrashes();
  loading = await followLoading();
  const handler = await load();
  port?.on('message', (message: ToOwnThread) => take(message, handler));
  post({ type: 'ready' });
}

// Not awaited here: in a bundle, what is imported later may be part of this file and would wait for it.
void serve();
