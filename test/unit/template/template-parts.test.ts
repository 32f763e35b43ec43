import { describe, expect, it } from 'vitest';
import {
  isSameTemplate,
  mergeCopy,
  undoEdits,
  isRefusal,
  outcomeDifferences,
} from '../../../src-main/template/template-copy.ts';
import { usesIn } from '../../../src-main/template/template-documents.ts';
import type { ServiceFailure } from '../../../src-preload/failure.ts';
import { confirmationOf } from '../../../src-preload/template.ts';
import type { Template } from '../../../src-preload/template.ts';

const full: Template = {
  id: 't',
  name: 'asr',
  imageName: 'a:1',
  containerDiskInGb: 50,
  volumeInGb: 20,
  env: { A: '1', B: '2' },
  readme: '# asr',
  isPublic: false,
};

describe('an incomplete copy', () => {
  const former = { template: full, carriedAtMs: { readme: 5 }, seenAtMs: 10 };

  it('removes nothing: omitted fields stay as last known, with the time of that', () => {
    expect(mergeCopy(former, { id: 't', name: 'new', env: null }, {}, 20)).toEqual({
      template: { ...full, name: 'new', env: null },
      carriedAtMs: { imageName: 10, containerDiskInGb: 10, volumeInGb: 10, readme: 5, isPublic: 10 },
    });
  });

  it('uses the sent values of an update for fields its reply omits', () => {
    expect(mergeCopy(former, { id: 't', name: 'asr' }, { readme: '# new' }, 20)).toMatchObject({
      template: { readme: '# new' },
      carriedAtMs: { readme: 20, volumeInGb: 10 },
    });
  });

  it('is the same in any order of variables, and different if null became absent', () => {
    expect(isSameTemplate(full, { ...full, env: { B: '2', A: '1' } })).toBe(true);
    expect(isSameTemplate(full, { ...full, env: { B: '2', A: '3' } })).toBe(false);
    expect(isSameTemplate({ id: 't', readme: null }, { id: 't' })).toBe(false);
  });
});

describe('the result of an update', () => {
  it('lists what the service set otherwise, what else changed, and what it does not report', () => {
    const reply: Template = {
      ...full,
      name: 'asr',
      containerDiskInGb: 100,
      isPublic: true,
      env: { A: '1', B: '9', C: '3' },
    };
    delete reply.readme;
    expect(
      outcomeDifferences(
        full,
        { imageName: 'a:2', containerDiskInGb: 80, readme: '# new', env: { A: '1', B: '3' } },
        reply,
        false,
      ),
    ).toEqual([
      { field: 'imageName', asked: '"a:2"', got: '"a:1"' },
      { field: 'containerDiskInGb', asked: '80', got: '100' },
      { field: 'isPublic', asked: null, got: 'true' },
      { field: 'env', asked: 'B set, C absent', got: 'B set, C set' },
      { field: 'readme', asked: '"# new"', got: null },
    ]);
  });

  it('never contains a value of a variable', () => {
    expect(
      outcomeDifferences(full, { env: { A: 'asked-secret' } }, { ...full, env: { A: 'other-secret' } }, false),
    ).toEqual([{ field: 'env', asked: 'A set', got: 'another value of A' }]);
    expect(JSON.stringify(outcomeDifferences(full, { env: { A: 'asked-secret' } }, { id: 't' }, false))).not.toContain(
      'asked-secret',
    );
  });

  it('compares only names if the former values are lost', () => {
    const lost: Template = { ...full, env: { A: '', B: '' } };
    expect(outcomeDifferences(lost, {}, { ...full, env: { A: '1', B: '2' } }, true)).toEqual([]);
    expect(outcomeDifferences(lost, {}, { ...full, env: { A: '1', C: '2' } }, true)).toEqual([
      { field: 'env', asked: null, got: 'B absent, C set' },
    ]);
  });

  it('is a refusal only if nothing can have changed', () => {
    const failure = (kind: ServiceFailure['kind'], mayHaveArrived: boolean): ServiceFailure => ({
      kind,
      message: '',
      mayHaveArrived,
    });
    for (const kind of ['invalid', 'unauthorized', 'not-found', 'too-large', 'rate-limited'] as const)
      expect(isRefusal(failure(kind, true))).toBe(true);
    for (const kind of ['server', 'network', 'timeout', 'malformed', 'cancelled'] as const) {
      expect(isRefusal(failure(kind, true))).toBe(false);
      expect(isRefusal(failure(kind, false))).toBe(true);
    }
  });
});

describe('an undo', () => {
  it('restores every changed field, with values as their copy has them', () => {
    const now: Template = { ...full, imageName: 'a:2', containerDiskInGb: 80, env: { A: '9', B: '2', C: '3' } };
    expect(
      undoEdits(
        { seq: 4, template: full, env: { A: '1', B: '2' } },
        { seq: 5, template: now, env: { A: '9', B: '2', C: '3' } },
      ),
    ).toEqual({
      edits: {
        imageName: 'a:1',
        containerDiskInGb: '50',
        env: [
          { name: 'A', value: null, from: 4 },
          { name: 'B', value: null },
        ],
      },
      notRestorable: [],
    });
  });

  it('says what it cannot restore', () => {
    const former: Template = { id: 't', name: 'asr', env: { A: '' }, containerRegistryAuthId: null };
    expect(
      undoEdits(
        { seq: 1, template: former, env: null },
        {
          seq: 2,
          template: { ...former, readme: 'x', containerRegistryAuthId: 'r', env: { A: '1' } },
          env: { A: '1' },
        },
      ),
    ).toEqual({ edits: {}, notRestorable: ['containerRegistryAuthId', 'env', 'readme'] });
  });

  it('changes no variables that are the same', () => {
    expect(
      undoEdits(
        { seq: 1, template: full, env: { A: '1', B: '2' } },
        { seq: 2, template: { ...full, name: 'x', env: { B: '2', A: '1' } }, env: { B: '2', A: '1' } },
      ).edits,
    ).toEqual({ name: 'asr' });
  });
});

describe('the users of a template', () => {
  it('are read from a pod and from the workers listed with it', () => {
    const workersJson = JSON.stringify([
      { id: 'w1', endpointId: 'text', templateId: 't1' },
      { id: 'w2', endpointId: 'text', templateId: 't1' },
      { id: 'w3', endpointId: null, templateId: 't1' },
      'odd',
      { id: 'w4', endpointId: 'echo', templateId: 't2' },
    ]);
    const uses = usesIn({ pod: { id: 'p', endpointId: 'image', templateId: 't1' }, workersJson }, 7);
    expect([...uses]).toEqual([
      [
        't1',
        [
          { endpointId: 'image', podId: 'p', atMs: 7 },
          { endpointId: 'text', podId: 'w1', atMs: 7 },
        ],
      ],
      ['t2', [{ endpointId: 'echo', podId: 'w4', atMs: 7 }]],
    ]);
    expect(usesIn({ pod: { id: 'p', aiApiId: 'old', templateId: 't1' }, workersJson: '{' }, 7).get('t1')).toEqual([
      { endpointId: 'old', podId: 'p', atMs: 7 },
    ]);
    expect(usesIn({ pod: { id: 'p' }, workersJson: null }, 7).size).toBe(0);
  });
});

describe('the confirmation of an update (ruling 31)', () => {
  it('is the name for a serverless template, the id if no name is known, and a tick for that of pods', () => {
    expect(confirmationOf('t1', { name: 'asr', isServerless: true })).toEqual({ word: 'asr', kind: 'name' });
    expect(confirmationOf('t1', { name: 'asr' })).toEqual({ word: 'asr', kind: 'name' });
    expect(confirmationOf('t1', null)).toEqual({ word: 't1', kind: 'id' });
    expect(confirmationOf('t1', { name: 'asr', isServerless: false })).toBeNull();
  });
});
