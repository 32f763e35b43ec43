import type { Area, Grounds } from './valid-requests.ts';

/**
 * `kept`: one complete request on a connection that stays open. `closing`: one complete request after which the
 * connection may be closed. `burst`: several complete requests in one write. `unfinished`: an incomplete request, or
 * none: the connection may be closed without an answer.
 */
export type Form = 'kept' | 'closing' | 'burst' | 'unfinished';

export interface FuzzRequest {
  number: number;
  area: Area;
  operation: string;
  method: string;
  endpointId: string;
  form: Form;
  /** What is written, piece by piece. */
  pieces: Buffer[];
  /** Answers that must come. */
  answers: number;
  /** After the last piece: keep the connection open, close this side of it, or reset it. */
  ending: 'open' | 'half-close' | 'reset';
  /** The key is wrong or the Host is foreign: the only allowed answer is a refusal. */
  mustBeRefused: boolean;
}

export interface RequestOptions {
  number: number;
  area: Area;
  grounds: Grounds;
  apiKey: string;
  port: number;
}
