import { z } from 'zod';
import { s3ProfileDraft } from '../../src-preload/connection-schema.ts';
import type { S3Profile, S3ProfileDraft } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { isHttpUrl } from '../../src-preload/url.ts';
import { byName, openCollection, type Collection, type DocumentKind, type Documents } from '../history/collection.ts';
import { storageFailure } from '../history/storage-failure.ts';
import type { Log } from '../log.ts';
import type { SecretStore } from '../secret/secret-store.ts';
import { s3ProfileText } from '../messages/connection.ts';

/** spec: s3Config object, as a submission carries it. Never stored, logged or shown. */
export interface S3Config {
  accessId: string;
  accessSecret: string;
  bucketName: string;
  endpointUrl: string;
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

/** A profile as entered by the user, with its secret if one was entered. */
export interface TypedProfile {
  draft: S3ProfileDraft;
  secret?: string | undefined;
}

/** Named s3Config values, kept as documents. Their secrets are in the secret store, like keys. */
export class S3Profiles {
  readonly #parts: S3ProfilesParts;
  readonly #profiles: Collection<StoredProfile, string>;
  #learning: { sinceMs: number; done: Promise<boolean> } | null = null;

  constructor(parts: S3ProfilesParts) {
    this.#parts = parts;
    this.#profiles = openCollection(parts.documents, profileKind);
  }

  /** All profiles in the order of their names. */
  async list(): Promise<Result<S3Profile[]>> {
    const profiles = await this.#stored();
    return profiles.ok ? ok(profiles.value.map((profile) => this.#shown(profile))) : profiles;
  }

  /** Saves both or nothing. Without `secret`, the saved one stays. */
  async save({ draft, secret }: TypedProfile): Promise<Result<S3Profile>> {
    const checked = s3ProfileDraft.safeParse(draft);
    if (!checked.success)
      return failed({
        kind: 'refused',
        field: String(checked.error.issues[0]?.path[0] ?? 'name'),
        message: s3ProfileText.name,
      });
    const { id: formerId, ...fields } = checked.data;
    const endpointUrl = fields.endpointUrl.trim();
    if (endpointUrl !== '' && !isHttpUrl(endpointUrl)) {
      return failed({ kind: 'refused', field: 'endpointUrl', message: s3ProfileText.endpointUrl });
    }
    if (formerId !== undefined) {
      const former = await this.#find(formerId);
      if (!former.ok) return former;
    }
    const id = formerId ?? this.#parts.newId();
    const typedSecret = secret?.trim() ?? '';
    const formerSecret = formerId === undefined || typedSecret === '' ? ok(null) : await this.secretOf(id);
    if (typedSecret !== '') {
      const written = await this.#parts.secrets.write(secretId(id), typedSecret);
      if (!written.ok)
        return failed({
          ...written.failure,
          message: s3ProfileText.couldNotSaveSecret(written.failure.message),
        });
    }
    const profile: StoredProfile = { ...fields, endpointUrl, id };
    try {
      await this.#profiles.put(id, profile);
    } catch (error) {
      // Otherwise a secret without a profile would stay for ever, or be sent with the former address.
      if (typedSecret !== '') await this.#restoreSecret(id, formerSecret.ok ? formerSecret.value : null);
      return failed(storageFailure(this.#parts.log, s3ProfileText.couldNotSave, error));
    }
    return ok(this.#shown(profile));
  }

  /** Removes its secret too. */
  async remove(id: string): Promise<Result<null>> {
    const { secrets } = this.#parts;
    const found = await this.#find(id);
    if (!found.ok) return found;
    const forgotten = await secrets.remove(secretId(id));
    try {
      await this.#profiles.remove(id);
    } catch (error) {
      return failed(storageFailure(this.#parts.log, s3ProfileText.couldNotRemove, error));
    }
    if (forgotten.ok) return ok(null);
    const message = s3ProfileText.couldNotDeleteSecret(forgotten.failure.message);
    return failed({ ...forgotten.failure, message });
  }

  /** For main only. Null if no secret is saved. */
  secretOf(id: string): Promise<Result<string | null>> {
    return this.#parts.secrets.read(secretId(id));
  }

  /**
   * Reads the secrets of all profiles once, so that they are recognised if a service repeats what an earlier run sent.
   * If the key storage does not answer, it is tried again after a minute.
   */
  async learnSecrets(): Promise<void> {
    const { now } = this.#parts;
    this.#learning ??= { sinceMs: now(), done: this.#readAll() };
    const learning = this.#learning;
    if (!(await learning.done) && now() - learning.sinceMs >= learnAgainMs && this.#learning === learning)
      this.#learning = null;
  }

  /** For main only: the s3Config of a submission with this profile. */
  async configOf(id: string): Promise<Result<S3Config>> {
    const found = await this.#find(id);
    if (!found.ok) return found;
    const secret = await this.secretOf(id);
    if (!secret.ok) return secret;
    if (secret.value === null) {
      return failed({
        kind: 'refused',
        field: 's3ProfileId',
        message: s3ProfileText.noSecret(found.value.name),
      });
    }
    const { accessId, bucketName, endpointUrl } = found.value;
    return ok({ accessId, accessSecret: secret.value, bucketName, endpointUrl });
  }

  async #stored(): Promise<Result<StoredProfile[]>> {
    try {
      const profiles = (await this.#profiles.all()).flatMap(({ id, value: profile }) => {
        if (profile === null) this.#parts.log.warn('A saved storage profile cannot be read', { profileId: id });
        return profile === null ? [] : [profile];
      });
      return ok(profiles.sort((a, b) => a.name.localeCompare(b.name)));
    } catch (error) {
      return failed(storageFailure(this.#parts.log, s3ProfileText.couldNotReadAll, error));
    }
  }

  async #find(id: string): Promise<Result<StoredProfile>> {
    const profiles = await this.#stored();
    if (!profiles.ok) return profiles;
    const profile = profiles.value.find((candidate) => candidate.id === id);
    return profile === undefined ? failed({ kind: 'absent', message: s3ProfileText.removed }) : ok(profile);
  }

  /** Puts back the secret from before a change. Null: there was none, or it cannot be read. */
  async #restoreSecret(id: string, former: string | null): Promise<void> {
    const { secrets } = this.#parts;
    await (former === null ? secrets.remove(secretId(id)) : secrets.write(secretId(id), former));
  }

  #shown(profile: StoredProfile): S3Profile {
    return { ...profile, hasSecret: this.#parts.secrets.has(secretId(profile.id)) };
  }

  /** Whether every saved secret could be read. Later ones are known when they are saved. */
  async #readAll(): Promise<boolean> {
    const profiles = await this.#stored();
    if (!profiles.ok) return false;
    const kept = profiles.value.map(({ id }) => secretId(id)).filter((id) => this.#parts.secrets.has(id));
    const read = await Promise.all(kept.map((id) => this.#parts.secrets.read(id)));
    return read.every(({ ok: isRead }) => isRead);
  }
}

function secretId(profileId: string): string {
  return `s3:${profileId}`;
}
