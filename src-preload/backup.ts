/** The content of a history file. */
export interface BackupFacts {
  jobs: number;
  /** When its first and its last job were created. Null if there are none. */
  oldestMs: number | null;
  newestMs: number | null;
  bytes: number;
}

/** A backup that was written. */
export interface WrittenBackup extends BackupFacts {
  path: string;
}

/** A file that was checked and can be restored or merged. */
export interface OpenedBackup extends BackupFacts {
  path: string;
}

/** The progress of a backup, a check or a merge. */
export interface BackupProgress {
  doing: 'write' | 'check' | 'merge';
  /** From 0 to 1. */
  share: number;
}

/** The result of a merge, in jobs. */
export interface MergedJobs {
  added: number;
  /** Known here before, and more complete now. */
  enriched: number;
  /** Known here before, with nothing new. */
  known: number;
}

/** A restore that can be undone. */
export interface RestoredBackup {
  atMs: number;
  /** Where the former history is. */
  asidePath: string;
}
