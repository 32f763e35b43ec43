import type { Bridge } from '../../src-preload/contract.ts';

declare global {
  interface Window {
    /** What the preload script exposes; seen by specs that evaluate in the page. */
    readonly bridge?: Bridge;
  }
}
