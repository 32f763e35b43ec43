import type { Encoded } from './codec.ts';

/**
 * Messages from the isolated world to main, as JSON through the binding. `url` is the document's own address, as that
 * world reads it.
 */
export type FromPage =
  | { type: 'hello'; url: string }
  | { type: 'send'; url: string; channel: string; args: Encoded }
  | { type: 'invoke'; url: string; id: number; channel: string; args: Encoded }
  | { type: 'post'; url: string; channel: string; args: Encoded; ports: number[] }
  | { type: 'port-message'; port: number; data: Encoded }
  | { type: 'port-close'; port: number }
  | { type: 'close-window' }
  | { type: 'open-window'; target: string; frameName: string; features: string }
  | { type: 'resized'; width: number; height: number }
  | { type: 'key'; key: string; code: string; ctrl: boolean; meta: boolean; alt: boolean; shift: boolean }
  | { type: 'preload-failed'; message: string };

/** Messages from main to the isolated world. */
export type ToPage =
  | { type: 'reply'; id: number; result: Encoded }
  | { type: 'reply'; id: number; error: string }
  | { type: 'event'; channel: string; args: Encoded; ports: number[] }
  | { type: 'port-message'; port: number; data: Encoded }
  | { type: 'port-close'; port: number };
