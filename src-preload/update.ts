/** A version that the feed offers. */
export interface NewVersion {
  version: string;
  /** Its release date in the feed, or null. */
  releasedAtMs: number | null;
  /** What is new, as plain text, or null. */
  notes: string | null;
}

/** What is known of an update. */
export type UpdateState =
  /** This copy was not installed from a package, so it cannot be replaced. */
  | { kind: 'not-installed' }
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  | { kind: 'newest'; checkedAtMs: number }
  | { kind: 'available'; offered: NewVersion }
  | { kind: 'downloading'; offered: NewVersion; share: number }
  /** It replaces this version when Jobdeck quits. */
  | { kind: 'ready'; offered: NewVersion }
  | { kind: 'failed'; during: 'check' | 'download'; message: string; atMs: number };
