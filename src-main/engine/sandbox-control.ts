import { pathToFileURL } from 'node:url';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { SandboxFault, SandboxHandler, SandboxState, SandboxWorkers } from '../../src-preload/sandbox.ts';
import type { FaultRule } from '../sandbox/faults/faults.ts';
import type { Activity } from '../sandbox/activity-feed.ts';
import type { OwnHandler } from '../sandbox/sandbox-thread.ts';
import type { News } from './engine-events.ts';
import type { Notices } from './notices.ts';
import type { PrintedOutput } from './printed-output.ts';
import type { SandboxHandlers } from './sandbox-handlers.ts';
import { SeenRequests } from './seen-requests.ts';
import { noticeIds, sandboxNotSavedNotice, sandboxSetAsideNotice } from '../messages/notices.ts';
import {
  createSandboxThread,
  type SandboxRun,
  type SandboxThread,
  type SandboxThreadParts,
} from './start-sandbox-thread.ts';
import { sandboxText } from '../messages/sandbox.ts';

type SandboxCall = Extract<keyof Handlers, `sandbox:${string}`>;

/** The built-in sandbox as windows see and control it. */
export interface SandboxControl extends Pick<SandboxThread, 'close'> {
  /** As the thread's `start`. Settings made before apply from the first request. */
  start: SandboxThread['start'];
  state(): SandboxState;
  handlers: Pick<Handlers, SandboxCall>;
  /** Serves the handler in this file. Starts the sandbox again if it runs. Errors: those of the list and of a start. */
  addHandler(path: string): Promise<Result<SandboxState>>;
  /** Shell lines with the running sandbox's address and key. Null if it is not running. For the clipboard only. */
  environment(): string | null;
  /** The window was closed, so it no longer watches. */
  windowClosed(windowId: number): void;
}

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
 * Starts, stops and configures the sandbox. Its jobs outlive the app; speed and faults outlive a stop of the sandbox
 * and end with the app (decision 030). Requests are sent to windows only while one watches.
 */
export function createSandboxControl(parts: SandboxControlParts): SandboxControl {
  const { emit, notices, own, printed, open, ...place } = parts;
  let timeScale = 1;
  let faults: SandboxFault[] = [];
  const watching = new Set<number>();
  const seen = new SeenRequests();
  let workers: SandboxWorkers[] = [];
  let apiKey: string | null = null;

  const thread = createSandboxThread({
    ...place,
    settings: () => ({ timeScale, faults: faultRules(faults), handlers: own.all().map(served) }),
    onPrinted: (news) => printed.take(news),
    onChange: emitState,
    onActivity: emitActivity,
    onStateSetAside: (setAside) => notices.add(sandboxSetAsideNotice(setAside)),
    onStateTrouble: (sentence) => {
      if (sentence === null) notices.dismiss(noticeIds.sandboxNotSaved);
      else notices.add(sandboxNotSavedNotice(sentence, place.stateFile));
    },
  });

  function state(): SandboxState {
    return { ...thread.state(), timeScale, faults, handlers: own.all() };
  }

  function emitState(): void {
    if (!thread.state().isRunning) workers = [];
    emit('sandbox:changed', state());
  }

  function emitActivity(activity: Activity): void {
    if (activity.type === 'workers') {
      // A stopping sandbox may still report workers that are about to end.
      if (!thread.state().isRunning) return;
      ({ workers } = activity);
      emit('sandbox:workersSeen', { workers });
    } else emit('sandbox:requestsSeen', seen.take(activity.requests, activity.missed));
  }

  function setWatching(windowId: number, isWatching: boolean): void {
    if (isWatching) watching.add(windowId);
    else watching.delete(windowId);
    printed.watch(watching.size > 0);
    void thread.send({ type: 'watch', isWatched: watching.size > 0 });
  }

  /** The handlers changed: a sandbox that runs has to start again. */
  async function applyHandlers(): Promise<Result<SandboxState>> {
    if (thread.state().isRunning) {
      await thread.stop();
      const opened = await open();
      if (!opened.ok) return opened;
    }
    emitState();
    return ok(state());
  }

  return {
    async start() {
      if (!thread.state().isRunning) printed.sandboxStarted();
      const started = await thread.start();
      if (!started.ok || !started.value.isNew) return started;
      apiKey = started.value.address.apiKey;
      seen.sandboxStarted();
      // Settings made during the start were too late for it.
      await Promise.all([
        thread.send({ type: 'setTimeScale', timeScale }),
        thread.send({ type: 'setFaults', faults: faultRules(faults) }),
        thread.send({ type: 'watch', isWatched: watching.size > 0 }),
      ]);
      return started;
    },
    state,
    close: thread.close,
    async addHandler(path) {
      const added = await own.add(path);
      return added.ok ? applyHandlers() : added;
    },
    environment: () => environmentOf(thread.state(), apiKey),
    windowClosed(windowId) {
      if (watching.has(windowId)) setWatching(windowId, false);
    },
    handlers: {
      'sandbox:state': () => ok(state()),
      'sandbox:stop': async () => {
        await thread.stop();
        return ok(state());
      },
      'sandbox:setTimeScale': async (change) => {
        timeScale = change.timeScale;
        await thread.send({ type: 'setTimeScale', timeScale });
        emitState();
        return ok(state());
      },
      'sandbox:setFaults': async (change) => {
        if (new Set(change.faults.map(({ id }) => id)).size < change.faults.length)
          return failed({ kind: 'refused', field: 'faults', message: sandboxText.sameFaultIds });
        faults = change.faults;
        // Its answer is true for the very next request.
        await thread.send({ type: 'setFaults', faults: faultRules(faults) });
        emitState();
        return ok(state());
      },
      'sandbox:watch': ({ isWatching }, { windowId }) => {
        setWatching(windowId, isWatching);
        return ok(null);
      },
      'sandbox:requests': () => ok({ ...seen.last(), workers }),
      'sandbox:printed': () => ok(printed.last()),
      'sandbox:removeHandler': async ({ endpointId }) => {
        const removed = await own.remove(endpointId);
        return removed.ok ? applyHandlers() : removed;
      },
    },
  };
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
