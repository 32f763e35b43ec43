import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EndpointDefinition } from '../../../src-main/sandbox/endpoint.ts';
import type { HandlerLog } from '../../../src-main/sandbox/workers/start-handler-thread.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, type Caller, type JobAnswer } from './caller.ts';

/** The JSON of a FAILED job's `error`. */
export interface ErrorReport {
  error_type: string;
  error_message: string;
  error_traceback: string;
}

/** A handler's files in a separate folder, and a sandbox that serves them. */
export interface HandlerScene {
  folder: string;
  sandbox: Sandbox;
  caller: Caller;
  logs: HandlerLog[];
  /** Writes a file of these lines into the folder and returns its path. */
  write(name: string, ...lines: string[]): string;
  /** As many editors save: a new file replaces the old one. */
  writeByRename(name: string, ...lines: string[]): void;
  endpointOf(name: string): EndpointDefinition;
  /** Serves the file as the endpoint `my`, with one worker unless `scaling` says otherwise. */
  serve(name: string, scaling?: Partial<EndpointDefinition>, options?: SandboxOptions): Promise<void>;
  /** The log's lines up to the first that matches, when it is there. */
  logged(pattern: RegExp): Promise<string[]>;
  statusWhen(jobId: string, isSo: (job: JobAnswer) => boolean, endpointId?: string): Promise<JobAnswer>;
  /** Runs a job that fails, and returns its error. */
  failure(input?: Record<string, unknown>): Promise<ErrorReport>;
  workerCount(state: 'running' | 'initializing'): number;
  linesOf(jobId: string | null): string[];
  close(): Promise<void>;
}

export function openHandlerScene(): HandlerScene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handlers-')));
  const logs: HandlerLog[] = [];
  let onLog = (): void => undefined;
  let sandbox: Sandbox | null = null;

  function running(): Sandbox {
    if (sandbox === null) throw new Error('Nothing is served yet.');
    return sandbox;
  }

  function write(name: string, ...lines: string[]): string {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  }

  function endpointOf(name: string): EndpointDefinition {
    const moduleUrl = pathToFileURL(join(folder, name)).href;
    return { id: 'my', handler: { moduleUrl }, minWorkers: 1, maxWorkers: 1, coldStartMs: 0, idleTimeoutMs: 60_000 };
  }

  const scene: HandlerScene = {
    folder,
    get sandbox() {
      return running();
    },
    get caller() {
      return createCaller(running());
    },
    logs,
    write,
    writeByRename: (name, ...lines) => renameSync(write(`${name}.new`, ...lines), join(folder, name)),
    endpointOf,
    serve: async (name, scaling = {}, options = {}) => {
      sandbox = await startSandbox({
        limits: 'off',
        onHandlerLog: (log) => {
          logs.push(log);
          onLog();
        },
        endpoints: [{ ...endpointOf(name), ...scaling }],
        ...options,
      });
    },
    logged: (pattern) =>
      new Promise((resolve) => {
        onLog = () => {
          const index = logs.findIndex(({ line }) => pattern.test(line));
          if (index !== -1) resolve(logs.slice(0, index + 1).map(({ line }) => line));
        };
        onLog();
      }),
    statusWhen: async (jobId, isSo, endpointId = 'my') => {
      for (;;) {
        const job = await scene.caller.status(endpointId, jobId);
        if (isSo(job)) return job;
      }
    },
    failure: async (input = {}) => {
      const { status, error } = await scene.caller.runsync('my', input);
      if (status !== 'FAILED' || error === undefined) throw new Error(`The job is ${status}.`);
      const report: ErrorReport = JSON.parse(error);
      return report;
    },
    workerCount: (state) => running().health('my')?.workers[state] ?? 0,
    linesOf: (jobId) => logs.filter((log) => log.jobId === jobId).map(({ line }) => line),
    close: async () => {
      await sandbox?.close();
      rmSync(folder, { recursive: true });
    },
  };
  return scene;
}
