import { z } from 'zod';
import { s3ProfileDraft } from '../../src-preload/connection-schema.ts';
import type { S3Profile, S3ProfileDraft } from '../../src-preload/connection.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Failure, Result } from '../../src-preload/failure.ts';
import { byName, openCollection } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { errorText } from '../async/error-text.ts';
import type { SecretStore } from '../secret/secret-store.ts';

/** spec: s3Config object, as it joins a submission on the wire. Never stored, logged or shown. */
export interface S3Config {
  accessId: string;
  accessSecret: string;
  bucketName: string;
  endpointUrl: string;
}

/** Named s3Config values. Their secrets lie in the secret store like keys. */
export interface S3Profiles {
  /** By name. */
  list(): Promise<Result<S3Profile[]>>;
  /** Saves nothing when the secret cannot be kept. Without `secret`, the kept one stays. */
  save(input: { draft: S3ProfileDraft; secret?: string | undefined }): Promise<Result<S3Profile>>;
  /** Also its secret. */
  remove(id: string): Promise<Result<null>>;
  /** For main only: null when no secret is kept. */
  secretOf(id: string): Promise<Result<string | null>>;
  /**
   * Reads the secrets of all profiles once, so that they are known where a service repeats what a former run sent it.
   * Where the key storage does not answer it is tried again after a minute.
   */
  learnSecrets(): Promise<void>;
  /** For main only: what a submission with this profile carries. */
  configOf(id: string): Promise<Result<S3Config>>;
}

export interface S3ProfilesParts {
  documents: Documents;
  secrets: Pick<SecretStore, 'has' | 'read' | 'write' | 'remove'>;
  now: () => number;
  newId: () => string;
  log: Log;
}

const learnAgainMs = 60_000;

const storedProfile = s3ProfileDraft.omit({ id: true }).extend({ id: z.string().min(1) });
type StoredProfile = z.infer<typeof storedProfile>;
const profileKind: DocumentKind<StoredProfile, string> = { kind: 's3-profile', schema: storedProfile, id: byName };

/** s3 profiles kept as documents, with their secrets in `secrets`. */
export function createS3Profiles({ documents, secrets, now, newId, log }: S3ProfilesParts): S3Profiles {
  const collection = openCollection(documents, profileKind);
  let learning: { sinceMs: number; done: Promise<boolean> } | null = null;

  async function stored(): Promise<Result<StoredProfile[]>> {
    try {
      const profiles = (await collection.all()).flatMap(({ id, value: profile }) => {
        if (profile === null) log.warn('A saved storage profile cannot be read', { profileId: id });
        return profile === null ? [] : [profile];
      });
      return ok(profiles.sort((a, b) => a.name.localeCompare(b.name)));
    } catch (error) {
      return failed(storageFailure('The saved storage profiles cannot be read now.', error));
    }
  }

  async function find(id: string): Promise<Result<StoredProfile>> {
    const profiles = await stored();
    if (!profiles.ok) return profiles;
    const profile = profiles.value.find((candidate) => candidate.id === id);
    return profile === undefined
      ? failed({ kind: 'absent', message: 'This storage profile was removed from Jobdeck.' })
      : ok(profile);
  }

  function storageFailure(message: string, error: unknown): Failure {
    log.error(message, { error });
    return { kind: 'storage', message, detail: log.redact(errorText(error)) };
  }

  function shown(profile: StoredProfile): S3Profile {
    return { ...profile, hasSecret: secrets.has(secretId(profile.id)) };
  }

  /** Whether all that are kept could be read. Those kept from now on are known when they are written. */
  async function readAll(): Promise<boolean> {
    const profiles = await stored();
    if (!profiles.ok) return false;
    const kept = profiles.value.map(({ id }) => secretId(id)).filter((id) => secrets.has(id));
    const read = await Promise.all(kept.map((id) => secrets.read(id)));
    return read.every(({ ok: isRead }) => isRead);
  }

  async function learnSecrets(): Promise<void> {
    learning ??= { sinceMs: now(), done: readAll() };
    const { sinceMs, done } = learning;
    if (!(await done) && now() - sinceMs >= learnAgainMs && learning?.sinceMs === sinceMs) learning = null;
  }

  async function save({
    draft,
    secret,
  }: {
    draft: S3ProfileDraft;
    secret?: string | undefined;
  }): Promise<Result<S3Profile>> {
    const checked = s3ProfileDraft.safeParse(draft);
    if (!checked.success)
      return failed({
        kind: 'refused',
        field: String(checked.error.issues[0]?.path[0] ?? 'name'),
        message: 'A storage profile needs a name of at most 100 characters.',
      });
    const { id: formerId, ...fields } = checked.data;
    const endpointUrl = fields.endpointUrl.trim();
    if (endpointUrl !== '' && !isWebAddress(endpointUrl)) {
      return failed({
        kind: 'refused',
        field: 'endpointUrl',
        message: 'The endpoint URL of the storage must be a whole address that begins with https:// or http://.',
      });
    }
    if (formerId !== undefined) {
      const former = await find(formerId);
      if (!former.ok) return former;
    }
    const id = formerId ?? newId();
    const typedSecret = secret?.trim() ?? '';
    if (typedSecret !== '') {
      const written = await secrets.write(secretId(id), typedSecret);
      if (!written.ok)
        return failed({
          ...written.failure,
          message: `The profile was not saved, because its secret could not be kept. ${written.failure.message}`,
        });
    }
    const profile: StoredProfile = { ...fields, endpointUrl, id };
    try {
      await collection.put(id, profile);
    } catch (error) {
      // A secret that belongs to nothing would stay for ever.
      if (formerId === undefined && typedSecret !== '') await secrets.remove(secretId(id));
      return failed(
        storageFailure(
          'The storage profile could not be saved. Check that the disk is not full, then save again.',
          error,
        ),
      );
    }
    return ok(shown(profile));
  }

  return {
    async list() {
      const profiles = await stored();
      return profiles.ok ? ok(profiles.value.map(shown)) : profiles;
    },
    save,
    async remove(id) {
      const found = await find(id);
      if (!found.ok) return found;
      const forgotten = await secrets.remove(secretId(id));
      try {
        await collection.remove(id);
      } catch (error) {
        return failed(storageFailure('The storage profile could not be removed now. Try again.', error));
      }
      return forgotten.ok
        ? ok(null)
        : failed({
            ...forgotten.failure,
            message: `The profile is removed, but its secret could not be taken away yet. ${forgotten.failure.message}`,
          });
    },
    secretOf: (id) => secrets.read(secretId(id)),
    learnSecrets,
    async configOf(id) {
      const found = await find(id);
      if (!found.ok) return found;
      const secret = await secrets.read(secretId(id));
      if (!secret.ok) return secret;
      if (secret.value === null) {
        return failed({
          kind: 'refused',
          field: 's3ProfileId',
          message: `The storage profile "${found.value.name}" has no secret. Set it, or submit without the profile.`,
        });
      }
      const { accessId, bucketName, endpointUrl } = found.value;
      return ok({ accessId, accessSecret: secret.value, bucketName, endpointUrl });
    },
  };
}

function secretId(profileId: string): string {
  return `s3:${profileId}`;
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
