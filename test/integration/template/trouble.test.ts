import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../kit/clock.ts';
import type { Fault, FaultService } from '../../kit/fault-service.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { scriptedKeytar } from '../../kit/connection-parts.ts';
import { maxCopies } from '../../../src-main/template/template-store.ts';
import type { Template, TemplateEdits } from '../../../src-preload/template.ts';
import { closeTemplateScenes, connectionId, openTemplates, value } from './template-scene.ts';
import type { TemplateScene } from './template-scene.ts';

const secret = 'hf_secret-token-0123456789';
const template: Template = {
  id: 't1',
  name: 'asr-serve',
  imageName: 'atlas/asr:1',
  containerDiskInGb: 50,
  volumeInGb: 20,
  volumeMountPath: '/workspace',
  isPublic: false,
  readme: '# asr',
  isServerless: true,
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: ['run'],
  ports: ['80/http'],
  env: { HF_TOKEN: secret, MODE: 'fast' },
};
const at = { connectionId, templateId: 't1' };

let service: FaultService;
let scene: TemplateScene;
beforeEach(async () => {
  service = await createFaultService();
  scene = await openTemplates({ restUrl: service.url });
});
afterEach(async () => {
  await closeTemplateScenes();
  await service.close();
});

const see = (seen: Template = template, podId = 'p1') =>
  scene.templates.note(connectionId, { template: seen, oddFields: [] }, { kind: 'pod', podId });

async function update(edits: TemplateEdits, more: { confirmedWith?: string | null; baseSeq?: number | null } = {}) {
  const { known } = value(await scene.templates.view(at));
  return scene.templates.update(at, { baseSeq: known?.seq ?? null, edits, confirmedWith: 'asr-serve', ...more });
}

/** Everything the database and the log hold, as a thief would read it. */
async function onDisk(): Promise<string> {
  const kinds = ['template', 'template-copy', 'template-draft'];
  return JSON.stringify([...(await Promise.all(kinds.map((kind) => scene.history.documents(kind)))), scene.logLines]);
}

describe('an update that the service does not accept', () => {
  it.each<[string, Fault, string, string]>([
    [
      '400 naming a field',
      { kind: 'reply', status: 400, body: { error: 'imageName must be a string that is not empty.' } },
      'refused',
      'invalid',
    ],
    ['401', { kind: 'reply', status: 401, body: { message: 'no' } }, 'refused', 'unauthorized'],
    [
      '404',
      { kind: 'reply', status: 404, body: { detail: 'template not found', status: 404, title: 'Not Found' } },
      'refused',
      'not-found',
    ],
    ['429', { kind: 'reply', status: 429, body: '', headers: { 'retry-after': '7' } }, 'refused', 'rate-limited'],
    ['500', { kind: 'reply', status: 500, body: 'broken' }, 'unknown', 'server'],
    ['a reply that is not JSON', { kind: 'reply', body: '<html>', contentType: 'text/html' }, 'unknown', 'malformed'],
    ['an empty object', { kind: 'reply', body: {} }, 'unknown', 'malformed'],
    ['a connection that breaks', { kind: 'reset' }, 'unknown', 'network'],
    ['half a reply', { kind: 'reset-in-body', body: '{"id":"t1",' }, 'unknown', 'network'],
    ['no answer', { kind: 'hang' }, 'unknown', 'timeout'],
  ])('%s: sent once, and its record says so', async (_, fault, kind, failureKind) => {
    const clock = createVirtualClock();
    scene = await openTemplates({ restUrl: service.url }, { deadlineTime: clock });
    await see();
    service.otherwise(fault);
    const updated = update({ imageName: 'atlas/asr:2' });
    await service.received(0);
    if (fault.kind === 'hang') await clock.advance(61_000);
    const sent = value(await updated);
    expect(sent).toMatchObject({ changed: ['imageName'], outcome: { kind, failure: { kind: failureKind } } });
    expect(service.requests).toHaveLength(1);
    const view = value(await scene.templates.view(at));
    expect(view.lastUpdate).toEqual(sent);
    // What was known stays as it was.
    expect(view.known?.template.imageName).toBe('atlas/asr:1');
  });

  it('keeps the draft, and drops it when the service accepts it', async () => {
    await see();
    const edits = { imageName: 'atlas/asr:2' };
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits }));
    service.next({ kind: 'reply', status: 400, body: { error: 'no' } });
    await update(edits);
    expect(value(await scene.templates.view(at)).draft?.edits).toEqual(edits);
    service.next({ kind: 'reply', body: { ...template, imageName: 'atlas/asr:2' } });
    expect(value(await update(edits)).outcome.kind).toBe('applied');
    expect(value(await scene.templates.view(at)).draft).toBeNull();
  });
});

describe('an update that is not sent', () => {
  it.each<[string, TemplateEdits, { confirmedWith?: string | null; baseSeq?: number | null }, RegExp]>([
    ['without its name typed', { imageName: 'x' }, { confirmedWith: null }, /Type the template’s name/],
    ['with another name typed', { imageName: 'x' }, { confirmedWith: 'asr' }, /Type the template’s name/],
    ['against a copy that is not the latest one', { imageName: 'x' }, { baseSeq: 7 }, /newer copy/],
    ['against no copy, though one is known', { imageName: 'x' }, { baseSeq: null }, /newer copy/],
    ['with a problem', { ports: ['80/udp'] }, {}, /ports: The protocol is http or tcp/],
    ['without a change', { imageName: 'atlas/asr:1' }, {}, /Nothing was changed/],
  ])('%s', async (_, edits, more, message) => {
    await see();
    expect(await update(edits, more)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringMatching(message) },
    });
    expect(service.requests).toEqual([]);
    expect(value(await scene.templates.view(at)).lastUpdate).toBeNull();
  });

  it('if the connection points to another service than the one it was seen at, until it is seen there', async () => {
    let address = 'https://one.example.test';
    scene = await openTemplates({ restUrl: service.url }, { serviceOf: () => address });
    await see();
    address = 'https://other.example.test';
    expect(await update({ imageName: 'x' })).toMatchObject({
      ok: false,
      failure: {
        kind: 'refused',
        message: expect.stringMatching(/one\.example\.test.*other\.example\.test.*Nothing was sent/),
      },
    });
    expect(service.requests).toEqual([]);
    // What the other service leaves out is not known from the first one's.
    await see({ id: 't1', name: 'asr-serve', imageName: 'atlas/asr:1', volumeInGb: 5 });
    expect(value(await scene.templates.view(at)).known?.template).toEqual({
      id: 't1',
      name: 'asr-serve',
      imageName: 'atlas/asr:1',
      volumeInGb: 5,
    });
    expect(await scene.templates.undo(at, 1)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringMatching(/another service/) },
    });
    value(await update({ imageName: 'x' }));
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ imageName: 'x', volumeInGb: 5 });
  });

  it('while another one is in progress', async () => {
    await see();
    const gate = Promise.withResolvers<null>();
    service.next({ kind: 'held', until: gate.promise, body: template });
    const first = update({ imageName: 'x' });
    await service.received(0);
    expect(await update({ imageName: 'y' })).toMatchObject({
      ok: false,
      failure: { message: expect.stringMatching(/in progress/) },
    });
    gate.resolve(null);
    expect(value(await first).outcome.kind).toBe('applied');
    expect(service.requests).toHaveLength(1);
  });

  it('if the intent cannot be written to disk', async () => {
    await see();
    await scene.close();
    scene = await openTemplates(
      { restUrl: service.url },
      { wrapDocuments: (history) => ({ ...history, putDocument: () => Promise.reject(new Error('disk full')) }) },
    );
    expect(
      await scene.templates.update(at, { baseSeq: null, edits: { imageName: 'x' }, confirmedWith: 't1' }),
    ).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(service.requests).toEqual([]);
  });
});

describe('the service’s reply', () => {
  it('is read if variables contain common words and numbers', async () => {
    await see({ ...template, env: { DEBUG: '1', LEVEL: 'error', CODE: '400', HF_TOKEN: secret } });
    service.next({ kind: 'reply', status: 400, body: { error: `name is taken by ${secret}`, status: 400, code: 1 } });
    expect(value(await update({ name: 'asr-2' })).outcome).toMatchObject({
      failure: {
        serviceSaid: 'name is taken by [secret]',
        rawReply: '{"error":"name is taken by [secret]","status":400,"code":1}',
      },
    });
  });
});

describe('a crash', () => {
  it('between the intent and the reply leaves an unknown outcome, which is not sent again', async () => {
    await see();
    const gate = Promise.withResolvers<null>();
    service.next({ kind: 'held', until: gate.promise, body: template });
    const never = update({ imageName: 'x' });
    await service.received(0);
    // The intent was on disk before the byte that has just arrived.
    const documents = await scene.history.documents('template');
    const next = await openTemplates({ restUrl: service.url });
    for (const { id, json } of documents) await next.history.putDocument('template', id, json);
    const view = value(await next.templates.view(at));
    expect(view.lastUpdate).toMatchObject({
      changed: ['imageName'],
      formerSeq: 1,
      outcome: { kind: 'unknown', failure: null },
    });
    expect(value(await next.templates.list(connectionId))).toMatchObject([{ lastOutcome: 'unknown' }]);
    gate.resolve(null);
    await never;
    expect(service.requests).toHaveLength(1);
  });

  it('keeps a draft with the typed values', async () => {
    await see();
    const edits: TemplateEdits = {
      containerDiskInGb: '8o',
      env: [
        { name: 'HF_TOKEN', value: null },
        { name: 'NEW', value: 'typed-secret-012345' },
      ],
    };
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits }));
    expect(await onDisk()).not.toContain('typed-secret-012345');
    scene = await scene.restart();
    expect(value(await scene.templates.view(at)).draft).toMatchObject({ baseSeq: 1, edits, lostEnv: [] });
  });
});

describe('a pasted .env file', () => {
  const pastedEnv = '# production\nHF_TOKEN="pasted-secret-012345"\n';

  it('that is not imported yet is there after a crash, and nowhere on disk unsealed', async () => {
    await see();
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits: {}, pastedEnv }));
    expect(await onDisk()).not.toContain('pasted-secret');
    scene = await scene.restart();
    expect(value(await scene.templates.view(at)).draft).toEqual({
      baseSeq: 1,
      edits: {},
      lostEnv: [],
      savedAtMs: expect.any(Number),
      pastedEnv,
      isPasteLost: false,
    });
    expect(value(await scene.templates.list(connectionId))).toMatchObject([{ hasDraft: true }]);
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits: { name: 'x' }, pastedEnv: '' }));
    expect(value(await scene.templates.view(at)).draft).not.toHaveProperty('pastedEnv');
  });

  it('that lived only for a session is named as lost', async () => {
    scene = await openTemplates({ restUrl: service.url }, { hasKeychain: false });
    await see();
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits: {}, pastedEnv }));
    expect(value(await scene.templates.view(at)).draft).toMatchObject({ pastedEnv, isPasteLost: false });
    scene = await scene.restart();
    const { draft } = value(await scene.templates.view(at));
    expect(draft).toMatchObject({ isPasteLost: true });
    expect(draft).not.toHaveProperty('pastedEnv');
  });

  it('outlives an update of another field, also if the window is closed meanwhile', async () => {
    await see();
    value(await scene.templates.saveDraft(at, { baseSeq: 1, edits: { imageName: 'newer' }, pastedEnv }));
    service.next({ kind: 'reply', body: { ...template, imageName: 'newer' } });
    expect(value(await update({ imageName: 'newer' })).outcome.kind).toBe('applied');
    const { draft } = value(await scene.templates.view(at));
    expect(draft).toMatchObject({ edits: {}, pastedEnv });
  });

  it('is not saved while the keychain is locked, and the failure says so', async () => {
    const keytar = scriptedKeytar();
    scene = await openTemplates({ restUrl: service.url }, { keytar });
    await see({ ...template, env: {} });
    keytar.mood = 'locked';
    expect(await scene.templates.saveDraft(at, { baseSeq: 1, edits: { imageName: 'newer' }, pastedEnv })).toMatchObject(
      { ok: false, failure: { kind: 'storage' } },
    );
    expect(await onDisk()).not.toContain('pasted-secret');
    scene = await scene.restart();
    expect(value(await scene.templates.view(at)).draft).toMatchObject({ edits: { imageName: 'newer' } });
    expect(value(await scene.templates.view(at)).draft).not.toHaveProperty('pastedEnv');
  });
});

describe('a draft', () => {
  it('is saved while the keychain is locked, except for the values of its variables, which it names', async () => {
    const keytar = scriptedKeytar();
    scene = await openTemplates({ restUrl: service.url }, { keytar });
    await see({ ...template, env: {} });
    keytar.mood = 'locked';
    const env = [
      { name: 'NEW', value: 'typed-secret-012345' },
      { name: 'EMPTY', value: '' },
    ];
    const kept = await scene.templates.saveDraft(at, { baseSeq: 1, edits: { imageName: 'newer', env } });
    expect(kept).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(await onDisk()).not.toContain('typed-secret-012345');
    scene = await scene.restart();
    expect(value(await scene.templates.view(at)).draft).toMatchObject({
      edits: { imageName: 'newer', env: env.map(({ name }) => ({ name, value: '' })) },
      lostEnv: ['NEW'],
    });
  });

  it.each([{ edits: { imageName: 'newer' } }, null])(
    'that waits for the keychain does not replace the one after it (%j)',
    async (newer) => {
      const keytar = scriptedKeytar();
      scene = await openTemplates({ restUrl: service.url }, { keytar });
      await see({ ...template, env: {} });
      keytar.mood = 'hangs';
      const env = [{ name: 'NEW', value: 'typed-secret-012345' }];
      const before = keytar.calls.length;
      const first = scene.templates.saveDraft(at, { baseSeq: 1, edits: { env } });
      await expect.poll(() => keytar.calls.length).toBeGreaterThan(before);
      const second = scene.templates.saveDraft(at, newer === null ? null : { baseSeq: 1, ...newer });
      await scene.history.documents('template-draft');
      keytar.mood = 'works';
      keytar.release();
      value(await first);
      value(await second);
      expect(value(await scene.templates.view(at)).draft?.edits).toEqual(newer?.edits);
    },
  );
});

describe('values of variables', () => {
  it('are nowhere in the database, the log, or any answer to a window, except when revealed', async () => {
    await see();
    service.next(
      { kind: 'reply', status: 400, body: { error: `env ${secret} is bad` } },
      { kind: 'reply', body: `not json ${secret}` },
    );
    const refused = value(await update({ env: [{ name: 'HF_TOKEN', value: null }] }));
    const malformed = value(await update({ imageName: 'x' }));
    const view = value(await scene.templates.view(at));
    for (const seen of [refused, malformed, view, await onDisk()]) expect(JSON.stringify(seen)).not.toContain(secret);
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ env: { HF_TOKEN: secret } });
    expect(value(await scene.templates.revealEnv(at, 1, 'HF_TOKEN'))).toEqual({ value: secret });
    expect(await scene.templates.revealEnv(at, 1, 'NOBODY')).toMatchObject({ ok: false });
    expect(await scene.templates.revealEnv(at, 9, 'HF_TOKEN')).toMatchObject({ ok: false });
  });

  it('survive a restart where keys do', async () => {
    const keytar = scriptedKeytar();
    scene = await openTemplates({ restUrl: service.url }, { keytar });
    await see();
    scene = await scene.restart();
    expect(value(await scene.templates.view(at))).toMatchObject({ isEnvLost: false, isVaultLasting: true });
    service.next({ kind: 'reply', body: template });
    value(await update({ env: [{ name: 'MODE', value: null }] }));
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({ env: { MODE: 'fast' } });
  });

  it('that lived only for a session are sent typed again, or not at all', async () => {
    scene = await openTemplates({ restUrl: service.url }, { hasKeychain: false });
    await see();
    scene = await scene.restart();
    expect(value(await scene.templates.view(at))).toMatchObject({
      isEnvLost: true,
      isVaultLasting: false,
      known: { template: { env: ['HF_TOKEN', 'MODE'] } },
    });
    expect(
      await update({
        env: [
          { name: 'HF_TOKEN', value: null },
          { name: 'MODE', value: 'slow' },
        ],
      }),
    ).toMatchObject({ ok: false, failure: { field: 'env' } });
    service.next({ kind: 'reply', body: { ...template, imageName: 'x' } }, { kind: 'reply', body: template });
    // Without a change of theirs they are left out, and stay.
    // The values are unknown, so only their names are shown.
    expect(value(await update({ imageName: 'x' })).outcome).toMatchObject({ kind: 'applied', differences: [] });
    expect(JSON.parse(service.requests[0]?.body ?? '')).not.toHaveProperty('env');
    // The reply contained them again.
    expect(value(await scene.templates.view(at)).isEnvLost).toBe(false);
  });
});

describe('copies (ruling 23)', () => {
  it('that are identical become one, with a new date; others are kept, the last fifty', async () => {
    await see();
    await see(template, 'p2');
    expect(value(await scene.templates.view(at))).toMatchObject({
      known: { seq: 1, source: { podId: 'p2' } },
      podIds: ['p2', 'p1'],
      history: [{ seq: 1 }],
    });
    for (let each = 0; each < maxCopies + 3; each += 1)
      await see({ ...template, env: { HF_TOKEN: `${secret}${each}` } });
    const { history, known } = value(await scene.templates.view(at));
    expect([known?.seq, history.length, history.at(-1)?.seq]).toEqual([maxCopies + 4, maxCopies, 5]);
    expect(await scene.history.documents('template-copy')).toHaveLength(maxCopies);
  });

  it('can be restored, with their values', async () => {
    await see();
    await see({ ...template, env: { HF_TOKEN: 'other-token-0123456789' }, readme: '# two' });
    await see({ ...template, env: {}, readme: '# three', volumeInGb: 30 });
    const { edits, notRestorable } = value(await scene.templates.undo(at, 2));
    expect({ edits, notRestorable }).toEqual({
      edits: { volumeInGb: '20', env: [{ name: 'HF_TOKEN', value: null, from: 2 }], readme: '# two' },
      notRestorable: [],
    });
    service.next({ kind: 'reply', body: template });
    value(await update(edits));
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({
      env: { HF_TOKEN: 'other-token-0123456789' },
      readme: '# two',
      volumeInGb: 20,
    });
    expect(await scene.templates.undo(at, 99)).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  });

  it('of two simultaneous replies are both kept', async () => {
    await Promise.all([
      see({ ...template, name: 'a' }),
      see({ ...template, name: 'b' }),
      scene.templates.saveDraft(at, { baseSeq: null, edits: { name: 'c' } }),
    ]);
    expect(value(await scene.templates.view(at)).history.map(({ seq }) => seq)).toEqual([2, 1]);
  });

  it('keep the fields that a partial reply omits, and the next update includes them', async () => {
    await see();
    const { readme: _readme, env: _env, ...partial } = template;
    service.next(
      { kind: 'reply', body: { ...partial, imageName: 'x', containerDiskInGb: '60', volumeInGb: 'many' } },
      { kind: 'reply', body: template },
    );
    const sent = value(await update({ imageName: 'x' }));
    expect(sent.outcome).toMatchObject({
      kind: 'applied',
      differences: [
        { field: 'containerDiskInGb', asked: '50', got: '60' },
        { field: 'volumeInGb', got: null },
        { field: 'readme', got: null },
      ],
    });
    const { known } = value(await scene.templates.view(at));
    expect(known).toMatchObject({
      template: { readme: '# asr', env: ['HF_TOKEN', 'MODE'], containerDiskInGb: 60, volumeInGb: 20 },
      oddFields: ['volumeInGb'],
    });
    expect(Object.keys(known?.carriedAtMs ?? {}).sort()).toEqual(['env', 'readme', 'volumeInGb']);
    value(await update({ imageName: 'y' }));
    expect(JSON.parse(service.requests[1]?.body ?? '')).toEqual({
      imageName: 'y',
      containerDiskInGb: 60,
      volumeInGb: 20,
      volumeMountPath: '/workspace',
      isPublic: false,
      readme: '# asr',
    });
  });

  it('that come while the keychain is locked lose nothing that was known', async () => {
    const keytar = scriptedKeytar();
    scene = await openTemplates({ restUrl: service.url }, { keytar });
    await see();
    scene = await scene.restart();
    keytar.mood = 'locked';
    await see({ id: 't1', imageName: 'atlas/asr:9' });
    expect(value(await scene.templates.view(at)).known).toMatchObject({
      seq: 2,
      template: { imageName: 'atlas/asr:9', readme: '# asr', volumeInGb: 20, env: ['HF_TOKEN', 'MODE'] },
    });
    keytar.mood = 'works';
    expect(value(await scene.templates.view(at)).isEnvLost).toBe(false);
    expect(value(await scene.templates.revealEnv(at, 2, 'HF_TOKEN'))).toEqual({ value: secret });
    service.next({ kind: 'reply', body: template });
    value(await update({ imageName: 'x' }));
    expect(JSON.parse(service.requests[0]?.body ?? '')).toMatchObject({
      readme: '# asr',
      volumeInGb: 20,
      containerDiskInGb: 50,
    });
  });

  it('are gone with their connection, and when they are deleted', async () => {
    await see();
    await scene.templates.note('other', { template, oddFields: [] }, { kind: 'pod', podId: 'p' });
    await scene.templates.forgetConnection(connectionId);
    expect(value(await scene.templates.list(connectionId))).toEqual([]);
    expect(value(await scene.templates.list('other'))).toHaveLength(1);
    value(await scene.templates.forget({ connectionId: 'other', templateId: 't1' }));
    expect(JSON.parse(await onDisk()).slice(0, 3)).toEqual([[], [], []]);
  });

  it('are gone when they are deleted while an update is sent, whatever it comes to', async () => {
    await see();
    const answered = Promise.withResolvers<void>();
    service.next({ kind: 'held', until: answered.promise, body: { ...template, name: 'new name' } });
    const updating = update({ name: 'new name' });
    await service.received(0);
    value(await scene.templates.forget(at));
    answered.resolve();
    expect(value(await updating).outcome.kind).toBe('applied');
    expect(JSON.parse(await onDisk()).slice(0, 3)).toEqual([[], [], []]);
    await see();
    expect(value(await scene.templates.list(connectionId))).toHaveLength(1);
  });
});
