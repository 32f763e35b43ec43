import type { Bridge } from '../../src-preload/contract.ts';

declare global {
  interface Window {
    /** What the preload script exposes, for specs that evaluate code in the page. */
    readonly bridge?: Bridge;
  }
}
