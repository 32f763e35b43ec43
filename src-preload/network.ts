import type { z } from 'zod';
import type { proxyChoice } from './network-schema.ts';

/** By which proxy services are reached: the system's, none, or one that the user names. */
export type ProxyChoice = z.infer<typeof proxyChoice>;

/** What came of trying to reach an address. Nothing of the service is asked, and no key is sent. */
export interface NetworkCheck {
  /** As host and port; null where none is used. */
  proxy: string | null;
  /** Certificates of authorities that are trusted. */
  authorities: number;
  tookMs: number;
  /** Null when it was reached, and its certificate accepted. */
  problem: string | null;
}
