import type { z } from 'zod';
import type { proxyChoice } from './settings-schema.ts';

/** The proxy for reaching services: the system's, none, or one that the user names. */
export type ProxyChoice = z.infer<typeof proxyChoice>;

/** The result of connecting to an address. No request is sent to the service, and no key. */
export interface NetworkCheck {
  /** Host and port, or null if none is used. */
  proxy: string | null;
  /** Addresses of the proxies that did not answer in time. */
  silent: string[];
  /** How many certificates of authorities are trusted. */
  authorities: number;
  tookMs: number;
  /** Null if it was reached and its certificate was accepted. */
  problem: string | null;
}
