import { call, nothing, ofConnection } from './call-spec.ts';
import { connectionDraft, keyPlace, s3ProfileDraft } from './connection-schema.ts';
import type { AddressNeeds, Connection, ConnectionCheck, KeyStorage, S3Profile } from './connection.ts';
import { refusalText } from './messages/refusals.ts';
import type { NetworkCheck } from './network.ts';
import { z } from 'zod';

const key = z.string().min(1, refusalText.key).max(4_000);

/** The calls of the contract about connections, their keys and the network. */
export const connectionCalls = {
  /** Connects to an address through the chosen proxy, up to its first answer. Sends no key. */
  'network:check': call<NetworkCheck>()(z.object({ url: z.string().max(2_000) })),
  /** Saves the password for the proxy of the settings, where keys are kept. No call reads it back. */
  'network:setProxyPassword': call<null>()(z.object({ password: z.string().min(1).max(1_000) })),
  /** Makes this the place of new keys and moves the others there. The failure says how many could not be moved. */
  'keys:move': call<KeyStorage>()(z.object({ to: keyPlace })),

  'connection:list': call<Connection[]>()(nothing),
  /**
   * Creates or changes a connection; `notes` says what was normalised (ruling 28). A key given here goes straight to
   * the key storage.
   */
  'connection:save': call<{ connection: Connection; notes: string[] }>()(
    z.object({ draft: connectionDraft, key: key.optional() }),
  ),
  'connection:remove': call<null>()(ofConnection),
  'connection:deleteKey': call<null>()(ofConnection),
  /** What the user must confirm about entered addresses before anything is sent to them (ruling 44). Sends nothing. */
  'connection:addressNeeds': call<AddressNeeds>()(
    z.object({ connectionId: z.string().optional(), baseUrl: z.string().max(2000), restUrl: z.string().max(2000) }),
  ),
  /** Reads each endpoint's health once, with the saved key, or with `key` for a draft that is not saved yet. */
  'connection:check': call<ConnectionCheck[]>()(
    z.object({ connectionId: z.string().optional(), draft: connectionDraft.optional(), key: key.optional() }),
  ),
  /** Starts the built-in sandbox if needed and returns its connection, which is created on first use. */
  'connection:openSandbox': call<Connection>()(nothing),

  's3:list': call<S3Profile[]>()(nothing),
  's3:save': call<S3Profile>()(z.object({ draft: s3ProfileDraft, secret: z.string().max(4_000).optional() })),
  's3:remove': call<null>()(z.object({ id: z.string().max(64) })),
} as const;
