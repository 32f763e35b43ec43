import type { Area, Grounds } from './valid-requests.ts';

/**
 * `kept`: one well-framed request on a connection that goes on. `closing`: one whole request after
 * which the connection may be closed. `burst`: several whole requests in one write. `unfinished`:
 * not a whole request, or none at all: it may be closed without an answer.
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
  /** The key is wrong or the Host a foreign one: nothing but a refusal may come back. */
  mustBeRefused: boolean;
}

export interface RequestOptions {
  number: number;
  area: Area;
  grounds: Grounds;
  apiKey: string;
  port: number;
}
