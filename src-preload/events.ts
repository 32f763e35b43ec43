import type { AlertOverview } from './alert.ts';
import type { Destination, Notice, Preparation, TrackerState } from './app.ts';
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
import type { SandboxRequests, SandboxState, SandboxWorkers } from './sandbox.ts';
import type { Settings } from './settings.ts';
import type { UpdateState } from './update.ts';
import type { WebhookReceiverState } from './webhook.ts';

/** What every window is sent. Payloads are facts already on disk. */
export interface Events {
  /** Jobs as they now stand on disk, those that were deleted, and the counts of all jobs with them. */
  'job:changed': { jobs: Job[]; removedKeys: string[]; counts: AllJobCounts };
  /** Batches as they now stand; at most twice a second. */
  'batch:changed': { batches: Batch[] };
  'connection:changed': { connections: Connection[] };
  'health:changed': { health: Health };
  /** An endpoint was diagnosed again and its findings changed. */
  'diagnosis:changed': EndpointDiagnosis;
  /** A connection's remembered pods as they now stand, last opened first. */
  'pod:changed': { connectionId: string; pods: RememberedPod[] };
  /** Rules or how they stand are not as they were. */
  'alert:changed': AlertOverview;
  /** What is known of a template is not as it was. */
  'template:changed': { connectionId: string; templateId: string };
  /** A purge ended, or more is known of the jobs it took. */
  'purge:changed': Purge;
  /** An endpoint's rate or limits. */
  'cost:changed': EndpointCost;
  'tracker:changed': TrackerState;
  'sandbox:changed': SandboxState;
  /** Requests the sandbox answered, at most ten times a second. */
  'sandbox:requestsSeen': SandboxRequests;
  /** All endpoints' workers, when they changed. */
  'sandbox:workersSeen': { workers: SandboxWorkers[] };
  /** How far a backup, a check or a merge is; null once it is over. */
  'backup:progress': { progress: BackupProgress | null };
  'settings:changed': Settings;
  /** Where keys are kept, or can be, is not as it was. */
  'keys:changed': KeyStorage;
  /** What the first answers wait for; null when that is over. */
  'app:preparing': { preparation: Preparation | null };
  'webhook:changed': WebhookReceiverState;
  'notice:added': Notice;
  /** Something was said, or was seen: how many notifications were not seen yet. */
  'notification:changed': { unseen: number };
  /** What is known of a newer version. */
  'update:changed': UpdateState;
  'window:changed': { isMaximized: boolean; isFullScreen: boolean };
  /** A notification, the tray or a menu asks this window to show something. */
  'app:navigated': Destination;
}
export type EventName = keyof Events;
