import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { FromThread, ToOwnThread } from '../handler-protocol.ts';
import { JsonText } from '../output-json.ts';
import { currentJob } from '../current-job.ts';
import { fileState, type SourceFile } from '../source-watch.ts';
import { NoHandler, ReportedFailure, type Handler, type HandlerContext, type Job } from './job.ts';

/**
 * Beside this file. It runs in the Python process and says there what the two tell each other. In a packed program it
 * is outside the archive, which Python cannot read.
 */
const BRIDGE = join(import.meta.dirname, 'python-bridge.py').replace(/([/\\]app\.asar)([/\\])/, '$1.unpacked$2');
/** As Python is called on each system; in an activated environment it is that environment's. */
const PYTHON = process.platform === 'win32' ? 'python' : 'python3';
/** No files are written beside the handler, where they would count as changes, and nothing is held back in buffers. */
const PYTHON_FLAGS = ['-B', '-u'];

const NEWLINE = 10;
/** If this many messages wait to be read, no more are taken from the process, and so its handler waits as well. */
const MESSAGES_WAITING_MAX = 64;

/** What the process says, without the messages that are not about a job. `text` is JSON or a text, by its kind. */
interface Message {
  kind: string;
  text: string;
  /** Of what was printed: the job whose code did. Null if none is certain. */
  jobId: string | null;
}

/** Each job ends with one of these. */
const LAST_KINDS: ReadonlySet<string> = new Set(['output', 'nothing', 'end', 'failed', 'refused', 'stopped']);

/** A job that runs in the process. */
interface Run {
  number: number;
  job: Job;
  /** Messages that were not read yet. */
  waiting: Message[];
  /** The last of them has come. */
  isOver: boolean;
  wake: () => void;
}

/** Calls `onMessage` with each whole message in the bytes that come: a line of kind, length and job, then the text. */
function createMessageReader(onMessage: (message: Message) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let neededLength = 0;
  return (piece) => {
    pieces.push(piece);
    length += piece.length;
    // A long message comes in many pieces, which are joined once.
    if (length < neededLength) return;
    let bytes = Buffer.concat(pieces);
    for (;;) {
      const headEnd = bytes.indexOf(NEWLINE);
      const [kind = '', size = '0', jobId = null] = headEnd === -1 ? [] : bytes.toString('utf8', 0, headEnd).split(' ');
      const end = headEnd + 1 + Number(size);
      neededLength = headEnd === -1 ? 0 : end;
      if (headEnd === -1 || bytes.length < end) break;
      onMessage({ kind, text: bytes.toString('utf8', headEnd + 1, end), jobId });
      bytes = bytes.subarray(end);
    }
    pieces = [bytes];
    length = bytes.length;
  };
}

/** Throws where nothing catches it, which ends the worker as a crash of its handler does. */
function endWorker(reason: string): void {
  setImmediate(() => {
    throw new Error(reason);
  });
}

/** A Python process with the handler of one file. */
class PythonProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #onFile: (file: SourceFile) => void;
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isClosing = false;
  /** Why its handler cannot be loaded, as soon as it has said so. */
  #loadFailure: string | null = null;
  #runCount = 0;
  #run: Run | null = null;

  constructor(path: string, onFile: (file: SourceFile) => void) {
    this.#onFile = onFile;
    // The state before it is read, so that no change since then is missed.
    onFile({ path, state: fileState(path) });
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8' };
    this.#child = spawn(PYTHON, [...PYTHON_FLAGS, BRIDGE, path], { env });
    const read = createMessageReader((message) => this.#take(message));
    this.#child.stdout.on('data', read);
    // What bypasses Python: extensions written in C, and programs that the handler starts.
    this.#child.stderr.on('data', (printed: Buffer) => void process.stderr.write(printed));
    // Its end is reported as such.
    this.#child.stdin.on('error', () => undefined);
    this.#child.on('error', (error) => this.#failToStart(error));
    this.#child.on('close', (code, signal) => this.#end(code, signal));
    parentPort?.on('message', ({ type }: ToOwnThread) => (type === 'close' ? this.#close() : undefined));
  }

  /** Resolves when its handler is loaded. Rejects with {@link NoHandler}. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Runs one job: its output, or what it streams. */
  async run(job: Job, { submissionText }: HandlerContext): Promise<unknown> {
    this.#runCount += 1;
    const run: Run = { number: this.#runCount, job, waiting: [], isOver: false, wake: () => undefined };
    this.#run = run;
    job.signal.addEventListener('abort', () => {
      this.#send({ stop: run.number });
      this.#child.stdout.resume();
    });
    this.#send({ run: run.number, id: job.id, submission: submissionText });
    const first = await this.#next(run);
    if (first.kind === 'stream') return this.#streamed(run);
    if (first.kind === 'output-of-failed') return ended(await this.#next(run), new JsonText(first.text));
    return ended(first);
  }

  async *#streamed(run: Run): AsyncGenerator<JsonText | { output: JsonText; metrics: JsonText }> {
    let metrics: JsonText | null = null;
    try {
      for (;;) {
        const message = await this.#next(run);
        if (message.kind === 'metrics') metrics = new JsonText(message.text);
        else if (message.kind === 'chunk') {
          const output = new JsonText(message.text);
          yield metrics === null ? output : { output, metrics };
          metrics = null;
        } else return void ended(message);
      }
    } finally {
      // A stopped job is over when Python says so, and not before: the next one would wait for it.
      while (!run.isOver) await this.#next(run);
    }
  }

  async #next(run: Run): Promise<Message> {
    for (;;) {
      const message = run.waiting.shift();
      if (run.waiting.length < MESSAGES_WAITING_MAX / 2) this.#child.stdout.resume();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => {
        run.wake = resolve;
      });
    }
  }

  #send(command: object): void {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  #take(message: Message): void {
    const { kind, text, jobId } = message;
    switch (kind) {
      case 'out':
        return print('stdout', text, jobId);
      case 'err':
        return print('stderr', text, jobId);
      case 'source':
        return this.#onFile({ path: text, state: fileState(text) });
      case 'ready':
        this.#isReady = true;
        return this.#ready.resolve();
      case 'load-failed':
        this.#loadFailure = text;
        return;
      case 'refresh':
        return parentPort?.postMessage({ type: 'refresh' } satisfies FromThread);
      case 'progress':
        return this.#run?.job.progress(new JsonText(text));
      default:
        return this.#takeOfRun(message);
    }
  }

  #takeOfRun(message: Message): void {
    const run = this.#run;
    if (run === null) return;
    run.waiting.push(message);
    run.isOver = LAST_KINDS.has(message.kind);
    run.wake();
    if (run.waiting.length >= MESSAGES_WAITING_MAX && !run.job.signal.aborted) this.#child.stdout.pause();
  }

  #failToStart(error: Error): void {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const reason = isMissing
      ? `There is no ${PYTHON} on the PATH, which a Python handler needs.`
      : `${PYTHON} cannot be started: ${error.message}`;
    this.#ready.reject(new NoHandler(reason));
  }

  #close(): void {
    this.#isClosing = true;
    this.#child.stdout.resume();
    // It does not exist, or no longer.
    if (!this.#child.kill('SIGKILL')) sayClosed();
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    const reason = signal === null ? `Python ended with code ${code}.` : `Python was ended by ${signal}.`;
    if (this.#isClosing) sayClosed();
    else if (this.#isReady) endWorker(reason);
    else this.#ready.reject(new NoHandler(this.#loadFailure ?? reason));
  }
}

/** Prints for a job or, with null, for none. */
function print(stream: 'stdout' | 'stderr', text: string, jobId: string | null): void {
  if (jobId === null) process[stream].write(text);
  else currentJob.run(jobId, () => process[stream].write(text));
}

function sayClosed(): void {
  parentPort?.postMessage({ type: 'closed' } satisfies FromThread);
}

/** The output of a job by its last message. Throws what its handler threw, or the error it returned. */
function ended({ kind, text }: Message, outputOfFailed?: JsonText): JsonText | undefined {
  if (kind === 'failed') throw new ReportedFailure(JSON.parse(text));
  if (kind === 'refused') throw new ReportedFailure(text, outputOfFailed);
  return kind === 'output' ? new JsonText(text) : undefined;
}

/**
 * Starts Python with the handler in a file: a function `handler`, or the one given to `runpod.serverless.start`.
 * `onFile` is called with every file that its code was read from. Rejects with {@link NoHandler}.
 */
export async function loadPythonHandler(path: string, onFile: (file: SourceFile) => void): Promise<Handler> {
  const python = new PythonProcess(path, onFile);
  await python.ready();
  return (job, context) => python.run(job, context);
}
