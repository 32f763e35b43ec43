import type { AlertOverview } from './alert.ts';
import type { Notice, Preparation, TrackerState } from './app.ts';
import type { Destination } from './destination.ts';
import type { BackupProgress } from './backup.ts';
import type { Batch } from './batch.ts';
import type { Connection, KeyStorage } from './connection.ts';
import type { EndpointCost } from './cost.ts';
import type { EndpointDiagnosis } from './diagnosis.ts';
import type { Health } from './health.ts';
import type { AllJobCounts } from './history.ts';
import type { Job } from './job.ts';
import type { RememberedPod } from './pod-reading.ts';
import type { Purge } from './purge.ts';
import type { PrintedLines } from './printed.ts';
import type { SandboxRequests, SandboxState, SandboxWorkers } from './sandbox.ts';
import type { Settings } from './settings.ts';
import type { UpdateState } from './update.ts';
import type { WebhookReceiverState } from './webhook.ts';

/** The events that are sent to every window. Their payloads are facts that are on disk already. */
export interface Events {
  /**
   * Jobs that changed, jobs that were deleted, batches that changed (new ones, a state of their rows, a pause), and the
   * counts of all jobs: all as of one moment. A batch whose last row was deleted comes with a `total` of 0.
   */
  'job:changed': { jobs: Job[]; removedKeys: string[]; batches: Batch[]; counts: AllJobCounts };
  'connection:changed': { connections: Connection[] };
  'health:changed': { health: Health };
  /** A window asked for an endpoint's health, and it could not be read. */
  'health:readFailed': { connectionId: string; endpointId: string; message: string };
  /** An endpoint was diagnosed again, and its findings changed. */
  'diagnosis:changed': EndpointDiagnosis;
  /** All pods of a connection that were opened before, the last one first. */
  'pod:changed': { connectionId: string; pods: RememberedPod[] };
  /** Rules or their states changed. */
  'alert:changed': AlertOverview;
  /** What is known of a template changed. */
  'template:changed': { connectionId: string; templateId: string };
  /** A purge ended, or more is known of its jobs. */
  'purge:changed': Purge;
  /** An endpoint's rate or limits. */
  'cost:changed': EndpointCost;
  'tracker:changed': TrackerState;
  'sandbox:changed': SandboxState;
  /** Requests that the sandbox answered. At most ten times a second. */
  'sandbox:requestsSeen': SandboxRequests;
  /** The workers of all endpoints, after a change. */
  'sandbox:workersSeen': { workers: SandboxWorkers[] };
  /** Lines that handlers of the sandbox printed. At most ten times a second. */
  'sandbox:linesPrinted': PrintedLines;
  /** More is known of what this job printed. */
  'job:printed': { key: string };
  /**
   * Jobs came into the bin, or left it. `restoredKeys`: those that are in the history again, before `job:changed`.
   * `deletedKeys`: those that were deleted for good; null: all that were in the bin.
   */
  'bin:changed': { restoredKeys: string[]; deletedKeys: string[] | null };
  /** The progress of a backup, a check or a merge. Null when it is over. */
  'backup:progress': { progress: BackupProgress | null };
  'settings:changed': Settings;
  /** Where keys are kept, or can be kept, changed. */
  'keys:changed': KeyStorage;
  /** What the first answers wait for. Null when that is over. */
  'app:preparing': { preparation: Preparation | null };
  'webhook:changed': WebhookReceiverState;
  'notice:added': Notice;
  /** A notice was dismissed, in a window or because its reason is gone. */
  'notice:removed': { id: string };
  /** A notification was added or seen: how many are unseen now. */
  'notification:changed': { unseen: number };
  /** What is known of an update changed. */
  'update:changed': UpdateState;
  'window:changed': { isMaximized: boolean; isFullScreen: boolean };
  /** The menu asks this window to undo the last thing that was done in it. */
  'app:undo': { what: 'last' };
  /** A notification, the tray or a menu opens a place in this window. */
  'app:navigated': Destination;
}
export type EventName = keyof Events;
