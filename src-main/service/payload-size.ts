import type { ServiceFailure } from '../../src-preload/failure.ts';
import { payloadLimitBytes } from '../../src-preload/job.ts';
import type { SubmitOperation } from '../../src-preload/job.ts';

/** UTF-8 bytes of a body as it would be sent. */
export function bodyBytes(body: string): number {
  return Buffer.byteLength(body, 'utf8');
}

/**
 * Null when a body of this size may be sent; else the refusal, with the size in it (ruling 16; MB are millions of
 * bytes, ruling 33). Nothing was sent.
 */
export function overSize(operation: SubmitOperation, bytes: number): ServiceFailure | null {
  const limit = payloadLimitBytes[operation];
  if (bytes < limit) return null;
  const shown = (bytes / 1_000_000).toFixed(1);
  // Just over the limit, rounding would read "10.0 MB; run takes at most 10 MB".
  const size = shown === (limit / 1_000_000).toFixed(1) ? `${bytes.toLocaleString('en-US')} bytes` : `${shown} MB`;
  const way =
    operation === 'run' && bytes < payloadLimitBytes.runsync
      ? 'Send it with runsync, which takes up to 20 MB, or'
      : 'Make it smaller, or';
  return {
    kind: 'too-large',
    message:
      `The body is ${size}; ${operation} takes at most ${limit / 1_000_000} MB. Nothing was sent. ${way} put ` +
      'large data where the worker can fetch it and send its address.',
    mayHaveArrived: false,
  };
}
