import type { HandlerThreadData } from '../../../src-main/sandbox/workers/handler-protocol.ts';
import type {
  HandlerThreadEvents,
  StartHandlerThread,
} from '../../../src-main/sandbox/workers/start-handler-thread.ts';

/** A handler thread that the test controls. */
export interface ScriptedThread {
  data: HandlerThreadData;
  events: HandlerThreadEvents;
  jobIds: string[];
  stopCount: number;
  isTerminated: boolean;
}

/** Returns a thread starter and the threads it has started, in order. */
export function createScriptedThreads(): {
  startThread: StartHandlerThread;
  threads: ScriptedThread[];
  at(index: number): ScriptedThread;
} {
  const threads: ScriptedThread[] = [];
  return {
    threads,
    at: (index) => {
      const thread = threads[index];
      if (thread === undefined) throw new Error(`No thread ${index} was started.`);
      return thread;
    },
    startThread: (data, events) => {
      const thread: ScriptedThread = { data, events, jobIds: [], stopCount: 0, isTerminated: false };
      threads.push(thread);
      return {
        run: ({ jobId }) => void thread.jobIds.push(jobId),
        stop: () => {
          thread.stopCount += 1;
        },
        terminate: async () => {
          thread.isTerminated = true;
          events.onExit({ code: 1, error: null });
        },
      };
    },
  };
}
