import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { reportCrashing, reportThrown } from './error-report.ts';
import { failureLines, type FailureView } from './failure-lines.ts';
import { PRINTED_BYTES_MAX, type FromThread, type HandlerWorkerData, type OutputStream, type ToThread } from './handler-protocol.ts';
import { loadHandler, NoHandler } from './handlers/load.ts';
import { ReportedFailure, type Handler } from './handlers/job.ts';
import { createJobRun, type JobRun } from './job-run.ts';
import { followModuleLoading, type ModuleLoading } from './module-loading.ts';
import { shortPath } from './stack-text.ts';
import { captureOutput } from './thread-output.ts';

/** The entry of a handler thread: one "worker" of the specification, running one job at a time. */

/** Waiting for room to print ends after this time even so: a thread must not stand still for good. */
const PRINT_WAIT_MAX_MS = 1_000;
/** Enough to reach the handler below what node itself does when a thread exits. */
const EXIT_STACK_FRAMES = 50;

const port = parentPort;
if (port === null) throw new Error('handler-worker runs as a worker thread only.');
const data: HandlerWorkerData = workerData;
const printedCount = new Int32Array(data.printedBytes);
/** Null for the built-in handlers, whose frames are the sandbox's own. */
const moduleUrl = 'moduleUrl' in data.handler ? data.handler.moduleUrl : null;
const view: FailureView = {
  ownDirectory: new URL('.', import.meta.url).href,
  // npm runs its scripts in the project's folder and tells in INIT_CWD where the user was.
  fromDirectory: process.env['INIT_CWD'] ?? process.cwd(),
};
const ownDirectory = moduleUrl === null ? null : view.ownDirectory;
let current: JobRun | null = null;

function post(message: FromThread): void {
  port?.postMessage(message);
}

function print(stream: OutputStream, text: string): void {
  Atomics.add(printedCount, 0, text.length);
  post({ type: 'printed', stream, text, jobId: current?.jobId ?? null });
  for (let count = Atomics.load(printedCount, 0); count > PRINTED_BYTES_MAX; count = Atomics.load(printedCount, 0)) {
    if (Atomics.wait(printedCount, 0, count, PRINT_WAIT_MAX_MS) === 'timed-out') return;
  }
}

function tellPeople(lines: string[]): void {
  post({ type: 'failure-lines', lines, jobId: current?.jobId ?? null });
}

/** Says what the thread is about to fall over while it still can. */
function followCrashes(): void {
  let isTold = false;

  function tell(code: number, thrown: unknown): void {
    if (isTold) return;
    isTold = true;
    if (moduleUrl !== null) tellPeople(failureLines(thrown, view));
    post({ type: 'crashing', error: reportCrashing(code, thrown, data, ownDirectory) });
  }

  process.on('uncaughtExceptionMonitor', (thrown) => tell(1, thrown));
  process.on('exit', (code) => {
    if (current === null || isTold) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = EXIT_STACK_FRAMES;
    tell(code, new Error(`The handler called process.exit(${code}).`));
    Error.stackTraceLimit = limit;
  });
}

function followLoading(): ModuleLoading | null {
  if (moduleUrl === null) return null;
  const loading = followModuleLoading(view, (file) => post({ type: 'source-file', file }));
  // Only from here on: positions in the sandbox's own files are nobody's business.
  process.setSourceMapsEnabled(true);
  return loading;
}

async function loadFailure(error: unknown, loading: ModuleLoading | null): Promise<string[]> {
  if (error instanceof NoHandler) return [error.message];
  if (moduleUrl !== null && !existsSync(fileURLToPath(moduleUrl))) return ['There is no such file.'];
  return loading === null ? failureLines(error, view) : loading.failureLines(error);
}

async function load(loading: ModuleLoading | null): Promise<Handler> {
  try {
    return await loadHandler(data.handler);
  } catch (error) {
    const [first = '', ...rest] = await loadFailure(error, loading);
    const name = moduleUrl === null ? data.endpointId : shortPath(fileURLToPath(moduleUrl), view.fromDirectory);
    post({ type: 'load-failed', lines: [`${name} cannot be loaded, and jobs wait until it can. ${first}`, ...rest] });
    return process.exit(1);
  }
}

captureOutput(print);
followCrashes();
const loading = followLoading();
const handler = await load(loading);

async function report(thrown: unknown): Promise<string> {
  if (loading !== null && !(thrown instanceof ReportedFailure)) tellPeople(await loading.failureLines(thrown));
  return reportThrown(thrown, data, ownDirectory);
}

port.on('message', (message: ToThread) => {
  if (message.type === 'run') {
    const run = createJobRun({ handler, message, post, report });
    current = run;
    void run.begin().then(() => {
      if (current === run) current = null;
    });
    return;
  }
  if (message.runId !== current?.runId) return;
  if (message.type === 'stop') current.stop();
  else current.chunkTaken();
});
post({ type: 'ready' });
