import { pathToFileURL } from 'node:url';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type {
  SandboxFault,
  SandboxHandler,
  SandboxState,
  SandboxWorkers,
  SandboxRequest,
  SandboxRequests,
} from '../../src-preload/sandbox.ts';
import type { FaultRule } from '../sandbox/faults/faults.ts';
import type { Activity, SeenRequest } from '../sandbox/activity-feed.ts';
import type { OwnHandler } from '../sandbox/sandbox-thread.ts';
import type { News } from './engine-events.ts';
import type { Notices } from './notices.ts';
import type { PrintedOutput } from './printed-output.ts';
import type { SandboxHandlers } from './sandbox-handlers.ts';
import { noticeIds, sandboxNotSavedNotice, sandboxSetAsideNotice } from '../messages/notices.ts';
import { SandboxThread, type SandboxRun, type SandboxThreadParts } from './start-sandbox-thread.ts';
import { sandboxText } from '../messages/sandbox.ts';

type SandboxCall = Extract<keyof Handlers, `sandbox:${string}`>;

export interface SandboxControlParts extends Pick<
  SandboxThreadParts,
  'hostUrl' | 'handlerUrl' | 'preferredPort' | 'savePort' | 'stateFile'
> {
  emit: News['emit'];
  notices: Pick<Notices, 'add' | 'dismiss'>;
  own: SandboxHandlers;
  printed: Pick<PrintedOutput, 'sandboxStarted' | 'take' | 'last' | 'watch'>;
  /** Starts the sandbox and opens its connection at its new address. */
  open: () => Promise<Result<unknown>>;
}

/**
 * The built-in sandbox as windows see and control it: started, stopped and configured. Its jobs outlive the app; speed
 * and faults outlive a stop of the sandbox and end with the app (decision 030). Requests are sent to windows only while
 * one watches.
 */
export class SandboxControl {
  readonly handlers: Pick<Handlers, SandboxCall>;
  readonly #parts: SandboxControlParts;
  readonly #thread: SandboxThread;
  /** The windows that watch its requests. */
  readonly #watching = new Set<number>();
  readonly #seen = new SeenRequests();
  #timeScale = 1;
  #faults: SandboxFault[] = [];
  #workers: SandboxWorkers[] = [];
  #apiKey: string | null = null;

  constructor(parts: SandboxControlParts) {
    const { notices, own, printed, stateFile } = parts;
    this.#parts = parts;
    this.#thread = new SandboxThread({
      ...parts,
      settings: () => ({
        timeScale: this.#timeScale,
        faults: faultRules(this.#faults),
        handlers: own.all().map(served),
      }),
      onPrinted: (news) => printed.take(news),
      onChange: () => this.#emitState(),
      onActivity: (activity) => this.#emitActivity(activity),
      onStateSetAside: (setAside) => notices.add(sandboxSetAsideNotice(setAside)),
      onStateTrouble: (sentence) => {
        if (sentence === null) notices.dismiss(noticeIds.sandboxNotSaved);
        else notices.add(sandboxNotSavedNotice(sentence, stateFile));
      },
    });
    this.handlers = this.#createHandlers();
  }

  /** As the thread's `start`. Settings made before apply from the first request. */
  async start(): ReturnType<SandboxThread['start']> {
    if (!this.#thread.state().isRunning) this.#parts.printed.sandboxStarted();
    const started = await this.#thread.start();
    if (!started.ok || !started.value.isNew) return started;
    this.#apiKey = started.value.address.apiKey;
    this.#seen.sandboxStarted();
    // Settings made during the start were too late for it.
    await Promise.all([
      this.#thread.send({ type: 'setTimeScale', timeScale: this.#timeScale }),
      this.#thread.send({ type: 'setFaults', faults: faultRules(this.#faults) }),
      this.#thread.send({ type: 'watch', isWatched: this.#watching.size > 0 }),
    ]);
    return started;
  }

  /** Whether and where it runs, and its settings. */
  state(): SandboxState {
    return {
      ...this.#thread.state(),
      timeScale: this.#timeScale,
      faults: this.#faults,
      handlers: this.#parts.own.all(),
    };
  }

  /** Serves the handler in this file. Starts the sandbox again if it runs. Errors: those of the list and of a start. */
  async addHandler(path: string): Promise<Result<SandboxState>> {
    const added = await this.#parts.own.add(path);
    return added.ok ? this.#applyHandlers() : added;
  }

  /** Shell lines with the running sandbox's address and key. Null if it is not running. For the clipboard only. */
  environment(): string | null {
    return environmentOf(this.#thread.state(), this.#apiKey);
  }

  /** The window was closed, so it no longer watches. */
  windowClosed(windowId: number): void {
    if (this.#watching.has(windowId)) this.#setWatching(windowId, false);
  }

  /** Stops the sandbox for good: later starts are refused. */
  close(): ReturnType<SandboxThread['close']> {
    return this.#thread.close();
  }

  #emitState(): void {
    if (!this.#thread.state().isRunning) this.#workers = [];
    this.#parts.emit('sandbox:changed', this.state());
  }

  #emitActivity(activity: Activity): void {
    const { emit } = this.#parts;
    if (activity.type === 'workers') {
      // A stopping sandbox may still report workers that are about to end.
      if (!this.#thread.state().isRunning) return;
      this.#workers = activity.workers;
      emit('sandbox:workersSeen', { workers: this.#workers });
    } else emit('sandbox:requestsSeen', this.#seen.take(activity.requests, activity.missed));
  }

  #setWatching(windowId: number, isWatching: boolean): void {
    if (isWatching) this.#watching.add(windowId);
    else this.#watching.delete(windowId);
    const isWatched = this.#watching.size > 0;
    this.#parts.printed.watch(isWatched);
    void this.#thread.send({ type: 'watch', isWatched });
  }

  /** The handlers changed: a sandbox that runs has to start again. */
  async #applyHandlers(): Promise<Result<SandboxState>> {
    if (this.#thread.state().isRunning) {
      await this.#thread.stop();
      const opened = await this.#parts.open();
      if (!opened.ok) return opened;
    }
    return this.#changed();
  }

  #changed(): Result<SandboxState> {
    this.#emitState();
    return ok(this.state());
  }

  #createHandlers(): Pick<Handlers, SandboxCall> {
    const { own, printed } = this.#parts;
    return {
      'sandbox:state': () => ok(this.state()),
      'sandbox:stop': async () => {
        await this.#thread.stop();
        return ok(this.state());
      },
      'sandbox:setTimeScale': async ({ timeScale }) => {
        this.#timeScale = timeScale;
        await this.#thread.send({ type: 'setTimeScale', timeScale });
        return this.#changed();
      },
      'sandbox:setFaults': async ({ faults }) => {
        if (new Set(faults.map(({ id }) => id)).size < faults.length)
          return failed({ kind: 'refused', field: 'faults', message: sandboxText.sameFaultIds });
        this.#faults = faults;
        // Its answer is true for the very next request.
        await this.#thread.send({ type: 'setFaults', faults: faultRules(faults) });
        return this.#changed();
      },
      'sandbox:watch': ({ isWatching }, { windowId }) => {
        this.#setWatching(windowId, isWatching);
        return ok(null);
      },
      'sandbox:requests': () => ok({ ...this.#seen.last(), workers: this.#workers }),
      'sandbox:printed': () => ok(printed.last()),
      'sandbox:removeHandler': async ({ endpointId }) => {
        const removed = await own.remove(endpointId);
        return removed.ok ? this.#applyHandlers() : removed;
      },
    };
  }
}

function served({ endpointId, path }: SandboxHandler): OwnHandler {
  return { endpointId, moduleUrl: pathToFileURL(path).href };
}

function environmentOf({ isRunning, baseUrl, restUrl }: SandboxRun, apiKey: string | null): string | null {
  if (!isRunning || baseUrl === null || apiKey === null) return null;
  return [
    `export JOBDECK_BASE_URL=${baseUrl}`,
    `export JOBDECK_REST_URL=${restUrl ?? baseUrl}`,
    `export JOBDECK_KEY=${apiKey}`,
    '',
  ].join('\n');
}

/** The enabled faults of a window's list as rules for the sandbox, in order. */
export function faultRules(faults: readonly SandboxFault[]): FaultRule[] {
  return faults
    .filter((fault) => fault.isOn)
    .map(({ kind, operation, endpointId, status, probability, times, forMs, isProcessed, delayMs }) => ({
      kind,
      ...(operation === null ? {} : { operation }),
      ...(endpointId === null ? {} : { endpointId }),
      ...(status === null ? {} : { status }),
      ...(probability === 1 ? {} : { probability }),
      ...(times === null ? {} : { times }),
      ...(forMs === null ? {} : { forMs }),
      ...(isProcessed ? { isProcessed } : {}),
      ...(delayMs === null ? {} : { delayMs }),
    }));
}

/** As many as a window shows. */
export const maxKeptRequests = 5_000;

/** The last requests, numbered over the whole session. */
export class SeenRequests {
  #kept: SandboxRequest[] = [];
  #missedTotal = 0;
  /** Added to the sandbox's own numbers. */
  #base = 0;
  #lastSeq = 0;

  /** Adds a batch and returns it in the form of the windows. */
  take(requests: readonly SeenRequest[], missed: number): SandboxRequests {
    const shown = requests.map(({ area: _area, sentChunks: _sentChunks, ...request }): SandboxRequest => ({
      ...request,
      seq: this.#base + request.seq,
    }));
    this.#lastSeq = shown.at(-1)?.seq ?? this.#lastSeq;
    const all = [...this.#kept, ...shown];
    this.#kept = all.slice(-maxKeptRequests);
    this.#missedTotal += missed + all.length - this.#kept.length;
    return { requests: shown, missed };
  }

  /** A new sandbox counts from the beginning. */
  sandboxStarted(): void {
    this.#base = this.#lastSeq;
  }

  /** The kept requests, and how many were dropped. */
  last(): SandboxRequests {
    return { requests: this.#kept, missed: this.#missedTotal };
  }
}
