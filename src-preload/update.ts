/** A version that the feed offers. */
export interface NewVersion {
  version: string;
  /** When it was released, as the feed says it; null where it does not. */
  releasedAtMs: number | null;
  /** What is new, as plain text; null where the feed says nothing. */
  notes: string | null;
}

/** What is known of a newer version. */
export type UpdateState =
  /** This copy was not installed from a package, so nothing can take its place. */
  | { kind: 'not-installed' }
  | { kind: 'unchecked' }
  | { kind: 'checking' }
  | { kind: 'newest'; checkedAtMs: number }
  | { kind: 'available'; offered: NewVersion }
  | { kind: 'downloading'; offered: NewVersion; share: number }
  /** It takes this one's place when Jobdeck quits. */
  | { kind: 'ready'; offered: NewVersion }
  | { kind: 'failed'; during: 'check' | 'download'; message: string; atMs: number };
