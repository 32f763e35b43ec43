import type { Batch } from '../../src-preload/batch.ts';
import type { Connection } from '../../src-preload/connection.ts';
import type { Health } from '../../src-preload/health.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';
import type { UnknownJob, WebhookCall } from '../../src-preload/webhook.ts';
import { createEvents, type Events } from '../async/events.ts';
import type { Log } from '../log.ts';
import type { ServiceDate } from '../time/clock-record.ts';
import type { EventName, Events as WindowEvents } from '../../src-preload/events.ts';

/** Events between features. What they report has been saved already, if it is saved at all. */
export interface EngineEvents {
  'settings-changed': Settings;
  /** All current connections, and the ids of the new and the removed ones. */
  'connections-changed': { connections: readonly Connection[]; added: readonly string[]; removed: readonly string[] };
  /** Requests of this connection may be sent again. */
  'connection-reopened': string;
  'webhook-call': WebhookCall;
  /** Jobs that webhooks named and that are not in the history, newest first. */
  'unknown-jobs': UnknownJob[];
  'jobs-changed': Job[];
  /** Keys of jobs that were deleted. */
  'jobs-removed': readonly string[];
  /** Jobs left the bin: restored, or deleted for good. */
  'bin-shrank': null;
  /** Once for each attempt. */
  'job-ended': Job;
  /** The last row of a batch ended. */
  'batch-ended': Batch;
  /** As many of its rows failed as the user allowed. The other rows wait for the user. */
  'batch-stopped': Batch;
  /** A service answered 2xx, with its own date. Null: it gave none that shows anything about our clock. */
  'service-answered': ServiceDate | null;
  /** The clock of this computer was doubted, and is believed again. */
  'clock-believed': null;
  /** The service answered with the health of an endpoint. */
  'health-answered': Health;
  /** A health reading was saved. */
  'health-kept': Health;
}

/** Creates the events. A listener that throws is logged, and the others are still called. */
export function createEngineEvents(log: Log): Events<EngineEvents> {
  return createEvents<EngineEvents>(
    {
      'settings-changed': [],
      'connections-changed': [],
      'connection-reopened': [],
      'webhook-call': [],
      'unknown-jobs': [],
      'jobs-changed': [],
      'jobs-removed': [],
      'bin-shrank': [],
      'job-ended': [],
      'batch-ended': [],
      'batch-stopped': [],
      'service-answered': [],
      'clock-believed': [],
      'health-answered': [],
      'health-kept': [],
    },
    (error, event) => log.error('an event listener threw', { event, error }),
  );
}

type AnyListener = <N extends EventName>(name: N, payload: WindowEvents[N]) => void;

/** Passes the engine's events to their listeners: windows, tray, notifications. */
export interface News {
  emit: AnyListener;
  /** Adds a listener for every event from now on. */
  listen(listener: AnyListener): void;
}

/**
 * `onTrouble` is called with what a listener threw. A window that cannot be reached must not stop the others, or the
 * engine.
 */
export function createNews(onTrouble: (error: unknown) => void): News {
  const listeners: AnyListener[] = [];
  return {
    emit: (name, payload) => {
      for (const listener of listeners) {
        try {
          listener(name, payload);
        } catch (error) {
          onTrouble(error);
        }
      }
    },
    listen: (listener) => void listeners.push(listener),
  };
}
