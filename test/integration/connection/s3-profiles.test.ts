import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { S3Profiles } from '../../../src-main/connection/s3-profiles.ts';
import { createSecretFiles } from '../../../src-main/secret/secret-index.ts';
import { createKnownSecrets } from '../../../src-main/redaction/redactor.ts';
import { keepDocuments } from './documents.ts';
import type { SavedDocuments } from './documents.ts';
import { openedSecretStore, failureOf, recordedLog, scriptedKeytar, valueOf } from '../../kit/connection-parts.ts';
import type { ScriptedKeytar } from '../../kit/connection-parts.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCY';
const draft = {
  name: 'Results',
  accessId: 'AKIAEXAMPLE',
  bucketName: 'results',
  endpointUrl: 'https://s3.example.test',
};

let kept: SavedDocuments;
let keytar: ScriptedKeytar;
let profiles: S3Profiles;
let isDiskFull = false;

beforeAll(async () => {
  kept = await keepDocuments();
});
afterAll(() => kept.close());
beforeEach(async () => {
  await kept.clear();
  isDiskFull = false;
  keytar = scriptedKeytar();
  await open();
});

async function open(): Promise<void> {
  const { log } = recordedLog();
  const secrets = await openedSecretStore({
    loadKeytar: () => Promise.resolve(keytar),
    safeStorage: null,
    files: createSecretFiles(join(kept.folder, 'secrets')),
    known: createKnownSecrets(log),
    log,
  });
  let nextId = 0;
  profiles = new S3Profiles({
    documents: {
      ...kept.history,
      putDocument: (...of) =>
        isDiskFull ? Promise.reject(new Error('The disk is full.')) : kept.history.putDocument(...of),
    },
    secrets,
    now: () => 0,
    newId: () => `s${(nextId += 1)}`,
    log,
  });
}

describe('s3 profiles', () => {
  it('are saved without their secret, which is added only to requests', async () => {
    expect(valueOf(await profiles.save({ draft, secret }))).toEqual({ ...draft, id: 's1', hasSecret: true });
    expect(JSON.stringify(await kept.history.documents('s3-profile'))).not.toContain(secret);
    await kept.reopen();
    await open();
    expect(valueOf(await profiles.list())).toEqual([{ ...draft, id: 's1', hasSecret: true }]);
    expect(valueOf(await profiles.secretOf('s1'))).toBe(secret);
    expect(valueOf(await profiles.configOf('s1'))).toEqual({
      accessId: 'AKIAEXAMPLE',
      accessSecret: secret,
      bucketName: 'results',
      endpointUrl: 'https://s3.example.test',
    });
  });

  it('are changed without a new secret, listed by name, and removed with theirs', async () => {
    valueOf(await profiles.save({ draft, secret }));
    valueOf(await profiles.save({ draft: { ...draft, name: 'Archive' } }));
    valueOf(await profiles.save({ draft: { ...draft, id: 's1', bucketName: 'other' } }));
    expect(
      valueOf(await profiles.list()).map(({ name, bucketName, hasSecret }) => [name, bucketName, hasSecret]),
    ).toEqual([
      ['Archive', 'results', false],
      ['Results', 'other', true],
    ]);
    expect(failureOf(await profiles.configOf('s2')).message).toMatch(/"Archive" has no secret/);
    valueOf(await profiles.remove('s1'));
    expect(keytar.entries.size).toBe(0);
    expect(valueOf(await profiles.list()).map(({ id }) => id)).toEqual(['s2']);
    expect(failureOf(await profiles.remove('s1')).kind).toBe('absent');
  });

  it('save nothing if the secret cannot be saved, so that the form can simply be sent again', async () => {
    keytar.mood = 'throws';
    const failure = failureOf(await profiles.save({ draft, secret }));
    expect(failure.message).toMatch(/^Could not save the profile, because its secret could not be saved/);
    expect(JSON.stringify(failure)).not.toContain(secret);
    expect(valueOf(await profiles.list())).toEqual([]);
  });

  it('keep the former secret if the disk refuses the change that it came with', async () => {
    valueOf(await profiles.save({ draft, secret }));
    isDiskFull = true;
    failureOf(await profiles.save({ draft: { ...draft, id: 's1', endpointUrl: 'https://other.test' }, secret: 'new' }));
    expect(valueOf(await profiles.configOf('s1'))).toMatchObject({
      accessSecret: secret,
      endpointUrl: 'https://s3.example.test',
    });
  });

  it('refuse an invalid address and a missing name', async () => {
    for (const endpointUrl of ['bucket.example', 'https:bucket.example'])
      expect(failureOf(await profiles.save({ draft: { ...draft, endpointUrl } }))).toMatchObject({
        kind: 'refused',
        field: 'endpointUrl',
      });
    expect(failureOf(await profiles.save({ draft: { ...draft, name: ' ' } }))).toMatchObject({
      kind: 'refused',
      field: 'name',
    });
    expect(failureOf(await profiles.save({ draft: { ...draft, id: 'nobody' } }))).toMatchObject({ kind: 'absent' });
  });
});
