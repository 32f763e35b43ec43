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

/**
 * The kind of work of an endpoint. It only chooses an icon. `unknown` until the user chooses it or an output shows it.
 */
export type EndpointFlavour = z.infer<typeof endpointFlavour>;

/** An endpoint of a connection. The service does not list endpoints, so they are added by id. */
export type Endpoint = z.infer<typeof endpoint>;

/** The user's input for a connection. The key is sent separately and is never part of it. */
export type ConnectionDraft = z.infer<typeof connectionDraft>;

/** What keeps Jobdeck from using this connection, if anything. */
export type ConnectionState =
  | { kind: 'ready' }
  /** No key is saved (it was deleted, or kept for an earlier session only). */
  | { kind: 'no-key' }
  /**
   * Every endpoint answered 401 or 403 (ruling 35). One request at a time tests whether the key is accepted again.
   * `nextTryMs`: when; null while one is in progress.
   */
  | { kind: 'key-refused'; httpStatus: number; path: string; sinceMs: number; nextTryMs: number | null }
  /** Not reachable. Retried automatically. */
  | { kind: 'offline'; sinceMs: number; nextTryMs: number | null; message: string };

export interface Connection extends Omit<ConnectionDraft, 'id' | 'plainHttpOrigins'> {
  id: string;
  /** The built-in sandbox, which Jobdeck starts and stops. */
  isSandbox: boolean;
  /** A key is saved that may be sent to the base URL. */
  hasKey: boolean;
  /**
   * Its origins on other machines that are reached over http://. The user may not have agreed to those of former
   * versions.
   */
  plainHttp: PlainHttp[];
  state: ConnectionState;
  createdAtMs: number;
}

/** An origin of another machine that is reached over http:// (ruling 44). */
export interface PlainHttp {
  origin: string;
  /** As in the URL, including its port. */
  host: string;
  /** What others on the network could read: the beginning of a sentence. */
  carries: string;
  isAgreed: boolean;
}

/** What the user must confirm before anything is sent to these addresses. */
export interface AddressNeeds {
  /** That the saved key was entered for other origins. Null if it may be sent there, or none is saved. */
  key: string | null;
  plainHttp: PlainHttp[];
}

/** The system's keychain, files that are sealed with a key of the system, or memory until Jobdeck closes. */
export type KeyPlace = z.infer<typeof keyPlace>;

/** Where keys are kept on this computer, as shown to the user. */
export interface KeyStorage {
  /** The place of new keys. */
  kind: KeyPlace;
  /** One sentence: the place, and what that means. */
  explanation: string;
  /** The keychain has not answered: the system may be asking the user to unlock it. */
  isWaiting: boolean;
  /** Strongest first. `secrets`: how many are there. `problem`: why new ones cannot be kept there. */
  places: { kind: KeyPlace; secrets: number; problem: string | null }[];
}

/** One request that checked a connection. */
export interface ConnectionCheck {
  endpointId: string;
  method: 'GET';
  path: string;
  httpStatus: number | null;
  tookMs: number;
  /** Null if the answer was as expected. */
  problem: string | null;
}

/** Named s3Config; its secret is kept like a key and never read back (spec: s3Config object). */
export type S3ProfileDraft = z.infer<typeof s3ProfileDraft>;
export interface S3Profile extends Omit<S3ProfileDraft, 'id'> {
  id: string;
  hasSecret: boolean;
}

/** The label, or else the id. */
export function endpointName(endpoint: Pick<Endpoint, 'id' | 'label'>): string {
  return endpoint.label === '' ? endpoint.id : endpoint.label;
}
