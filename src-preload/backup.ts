/** What a file of a history holds. */
export interface BackupFacts {
  jobs: number;
  /** When its first and its last job were created; null where there are none. */
  oldestMs: number | null;
  newestMs: number | null;
  bytes: number;
}

/** A backup that was written. */
export interface WrittenBackup extends BackupFacts {
  path: string;
}

/** A file that was checked, and can be restored or merged. */
export interface OpenedBackup extends BackupFacts {
  path: string;
}

/** How far a backup, a check or a merge is. */
export interface BackupProgress {
  doing: 'write' | 'check' | 'merge';
  /** From 0 to 1. */
  share: number;
}

/** What a merge came to, in jobs. */
export interface MergedJobs {
  added: number;
  /** Known here before, and richer now. */
  enriched: number;
  /** Known here before, with nothing new. */
  known: number;
}

/** A restore that can be undone. */
export interface RestoredBackup {
  atMs: number;
  /** Where the history lies that was there before. */
  asidePath: string;
}
