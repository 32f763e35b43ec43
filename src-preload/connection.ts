import type { z } from 'zod';
import type {
  authorizationForm,
  endpointFlavour,
  endpoint,
  connectionDraft,
  keyPlace,
  s3ProfileDraft,
} from './connection-schema.ts';

/** How the key is sent on queue calls; management calls always use Bearer (spec: Authentication, ruling 4). */
export type AuthorizationForm = z.infer<typeof authorizationForm>;

/** What an endpoint mostly does; only chooses an icon. `unknown` until the user says it or an output shows it. */
export type EndpointFlavour = z.infer<typeof endpointFlavour>;

/** An endpoint of a connection. The service does not list endpoints, so they are added by id. */
export type Endpoint = z.infer<typeof endpoint>;

/** What the user gives for a connection; the key travels apart and is never part of it. */
export type ConnectionDraft = z.infer<typeof connectionDraft>;

/** What stands between Jobdeck and this connection, if anything. */
export type ConnectionState =
  | { kind: 'ready' }
  /** No key saved (it was deleted, or lived for a former session only). */
  | { kind: 'no-key' }
  /**
   * Every endpoint that was asked answered 401 or 403 (ruling 35). One request at a time finds out whether the key is
   * taken again. `nextTryMs`: when; null while one is in progress.
   */
  | { kind: 'key-refused'; httpStatus: number; path: string; sinceMs: number; nextTryMs: number | null }
  /** Not reachable; retried on its own. */
  | { kind: 'offline'; sinceMs: number; nextTryMs: number | null; message: string };

export interface Connection extends Omit<ConnectionDraft, 'id' | 'plainHttpOrigins'> {
  id: string;
  /** The built-in sandbox, started and stopped by Jobdeck itself. */
  isSandbox: boolean;
  /** A key is kept that may be sent to the base URL. */
  hasKey: boolean;
  /** Those of its origins that are reached over http:// on another machine; kept ones may not be agreed to yet. */
  plainHttp: PlainHttp[];
  state: ConnectionState;
  createdAtMs: number;
}

/** An origin of another machine that is reached over http:// (ruling 44). */
export interface PlainHttp {
  origin: string;
  /** As in the URL, with its port. */
  host: string;
  /** What can be read on the way there: the beginning of a sentence. */
  carries: string;
  isAgreed: boolean;
}

/** What addresses ask of the user before anything is sent there. */
export interface AddressNeeds {
  /** That the kept key was typed for other origins; null where it may be sent there, or none is kept. */
  key: string | null;
  plainHttp: PlainHttp[];
}

/** The system's keychain, files sealed under a key of the system's, memory until Jobdeck closes. */
export type KeyPlace = z.infer<typeof keyPlace>;

/** Where keys are kept on this machine, said plainly in the window. */
export interface KeyStorage {
  /** Where new ones go. */
  kind: KeyPlace;
  /** One sentence: where, and what that means. */
  explanation: string;
  /** The keychain lets Jobdeck wait: the system may be asking the user to unlock it. */
  isWaiting: boolean;
  /** Strongest first. `secrets`: how many are there. `problem`: why new ones cannot be kept there. */
  places: { kind: KeyPlace; secrets: number; problem: string | null }[];
}

/** One request made to check a connection. */
export interface ConnectionCheck {
  endpointId: string;
  method: 'GET';
  path: string;
  httpStatus: number | null;
  tookMs: number;
  /** Null when it answered as it should. */
  problem: string | null;
}

/** Named s3Config; its secret is kept like a key and never read back (spec: s3Config object). */
export type S3ProfileDraft = z.infer<typeof s3ProfileDraft>;
export interface S3Profile extends Omit<S3ProfileDraft, 'id'> {
  id: string;
  hasSecret: boolean;
}

/** The label where there is one, else the id. */
export function endpointName(of: Pick<Endpoint, 'id' | 'label'>): string {
  return of.label === '' ? of.id : of.label;
}
