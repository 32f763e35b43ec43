import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryDocuments } from '../../../../src-main/sandbox/documents.ts';
import { UPDATE_BODY_MAX_BYTES } from '../../../../src-main/sandbox/management/management.ts';
import {
  CPU_WORKBENCH,
  endpointTemplateId,
  IMAGE_STUDIO,
  PYTORCH,
} from '../../../../src-main/sandbox/management/template-catalogue.ts';
import { templateTable } from '../../../kit/pod-table.ts';
import { openScene, scriptedEndpoint } from './scene.ts';

/** Spec: Update a template, column Default. */
const DEFAULTS = { containerDiskInGb: 50, isPublic: false, readme: '', volumeInGb: 20, volumeMountPath: '/workspace' };

const ALL_SETTINGS = {
  containerDiskInGb: 0,
  containerRegistryAuthId: 'clzdaifot0001l90809257ynb',
  dockerEntrypoint: ['/bin/sh'],
  dockerStartCmd: [],
  env: { A: '', 'with space': 'é' },
  imageName: 'mine:2',
  isPublic: true,
  name: 'mine',
  ports: ['1/tcp', '65535/http', '65535/tcp'],
  readme: '',
  volumeInGb: 1e6,
  volumeMountPath: '/',
};

describe('an update', () => {
  it('returns the whole template, for templates of pods and of endpoints', async () => {
    const scene = openScene({ endpoints: [scriptedEndpoint('text')] });
    for (const templateId of scene.management.templateIds) {
      const { status, body } = await scene.update(templateId, {});
      expect(status).toBe(200);
      expect(Object.keys(body).toSorted()).toEqual(templateTable.toSorted());
      expect(body).toMatchObject({
        id: templateId,
        ...DEFAULTS,
        category: expect.stringMatching(/^(?:NVIDIA|AMD|CPU)$/),
        earned: expect.any(Number),
        runtimeInMin: expect.any(Number),
      });
    }
  });

  it('finds one serverless template per endpoint, named after it, and templates of pods of every kind', async () => {
    const scene = openScene({ omitted: 'keep', endpoints: [scriptedEndpoint('text'), scriptedEndpoint('My-LLM')] });
    const templates = await Promise.all(
      scene.management.templateIds.map(async (id) => (await scene.update(id, {})).body),
    );
    expect(templates.filter(({ isServerless }) => isServerless === true).map(({ name }) => name)).toEqual([
      'text',
      'My-LLM',
    ]);
    const ofPods = templates.filter(({ isServerless }) => isServerless === false);
    expect(ofPods.some((template) => template['isRunpod'] === true && template['isPublic'] === true)).toBe(true);
    expect(ofPods.some((template) => template['category'] === 'CPU')).toBe(true);
    expect(
      ofPods.some(
        (template) =>
          template['isPublic'] === false && template['containerRegistryAuthId'] !== '' && template['readme'] !== '',
      ),
    ).toBe(true);
    expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length);
  });

  it('accepts every field of the table', async () => {
    const scene = openScene();
    const { status, body } = await scene.update(
      IMAGE_STUDIO.id,
      JSON.stringify(ALL_SETTINGS).replace('"with space"', '"__proto__":"x","with space"'),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      ...ALL_SETTINGS,
      env: expect.anything(),
      id: IMAGE_STUDIO.id,
      category: 'NVIDIA',
      earned: 4.21,
      isRunpod: false,
      isServerless: false,
      runtimeInMin: 86_412,
    });
    expect(Object.entries(Object(body['env']))).toEqual([
      ['A', ''],
      ['__proto__', 'x'],
      ['with space', 'é'],
    ]);
  });

  it('resets omitted settings that have a default, and leaves the others (ruling 22)', async () => {
    const { status, body } = await openScene({ omitted: 'reset' }).update(IMAGE_STUDIO.id, {
      dockerStartCmd: ['serve'],
      volumeInGb: 7,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...IMAGE_STUDIO, ...DEFAULTS, dockerStartCmd: ['serve'], volumeInGb: 7 });
  });

  it('leaves all omitted settings unchanged if set so', async () => {
    const { body } = await openScene({ omitted: 'keep' }).update(IMAGE_STUDIO.id, {
      dockerStartCmd: ['serve'],
      volumeInGb: 7,
    });
    expect(body).toEqual({ ...IMAGE_STUDIO, dockerStartCmd: ['serve'], volumeInGb: 7 });
  });

  it('ignores unlisted fields and those that cannot be changed', async () => {
    const scene = openScene({ omitted: 'keep' });
    const { status, body } = await scene.update(
      IMAGE_STUDIO.id,
      '{"future":1,"id":"x","isRunpod":true,"category":"AMD","earned":9,"isServerless":true,"__proto__":{"name":5},"constructor":null}',
    );
    expect(status).toBe(200);
    expect(body).toEqual(IMAGE_STUDIO);
  });

  it('is visible to the next update and to pods that include the template', async () => {
    const scene = openScene({ omitted: 'keep' });
    await scene.update(IMAGE_STUDIO.id, { readme: '# New' });
    await scene.update(IMAGE_STUDIO.id, { volumeInGb: 3 });
    expect(await scene.named('image studio (spot)', 'includeTemplate=true')).toMatchObject({
      volumeInGb: 120,
      template: { readme: '# New', volumeInGb: 3 },
    });
  });
});

describe('a refused update', () => {
  const WRONG: Record<string, unknown[]> = {
    containerDiskInGb: [-1, 50.5, '50', null, true, [50], 1e300],
    containerRegistryAuthId: [5, null, {}, ['a']],
    dockerEntrypoint: ['sh', null, [1], ['sh', null], { 0: 'sh' }],
    dockerStartCmd: ['sh -c', null, [[]], ['sh', 2]],
    env: [null, [], 'A=b', { A: 1 }, { A: 'b', C: null }, { A: { B: 'c' } }],
    imageName: ['', '  ', 5, null],
    isPublic: ['true', 1, null],
    name: ['', '\t', 7, null, ['mine']],
    ports: [
      '80/http',
      null,
      [80],
      ['80'],
      ['0/tcp'],
      ['65536/tcp'],
      ['99999/tcp'],
      ['080/tcp'],
      ['80/udp'],
      ['80/HTTP'],
      ['80/http '],
      ['-1/tcp'],
      ['1e3/tcp'],
      ['/tcp'],
      ['80/http', '22/tcp', '80/http'],
    ],
    readme: [null, 5, ['# a']],
    volumeInGb: [-5, 0.5, '20', null],
    volumeMountPath: ['', 'workspace', './a', 'C:\\data', 5, null],
  };

  it('covers every field of the table', () => {
    expect(Object.keys(WRONG).toSorted()).toEqual(Object.keys(ALL_SETTINGS).toSorted());
  });

  it.each(Object.entries(WRONG).flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s %j: 400 with one sentence that names the field, and nothing changed',
    async (field, value) => {
      const scene = openScene({ omitted: 'keep' });
      const { status, body } = await scene.update(IMAGE_STUDIO.id, {
        readme: '# changed',
        name: 'changed',
        [field]: value,
      });
      expect(status).toBe(400);
      expect(Object.keys(body)).toEqual(['error']);
      expect(body['error']).toMatch(new RegExp(`^${field} must [^.]*\\.$`));
      expect((await scene.update(IMAGE_STUDIO.id, {})).body).toEqual(IMAGE_STUDIO);
    },
  );

  it('never repeats a value of env', async () => {
    const { body } = await openScene().update(IMAGE_STUDIO.id, { env: { TOKEN: 'hunter2', N: 5 } });
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  it('requires a unique name; its own is fine, and so is one that became free', async () => {
    const scene = openScene({ omitted: 'keep', endpoints: [scriptedEndpoint('text')] });
    const taken = { status: 400, body: { error: 'name must be unique: another template has it.' } };
    expect(await scene.update(IMAGE_STUDIO.id, { name: 'text' })).toEqual(taken);
    expect(await scene.update(IMAGE_STUDIO.id, { name: PYTORCH.name })).toEqual(taken);
    expect((await scene.update(IMAGE_STUDIO.id, { name: IMAGE_STUDIO.name })).status).toBe(200);
    expect((await scene.update(endpointTemplateId('text'), { name: 'text 2' })).status).toBe(200);
    expect((await scene.update(IMAGE_STUDIO.id, { name: 'text' })).body).toMatchObject({ name: 'text' });
    expect(await scene.update(endpointTemplateId('text'), { name: 'text' })).toEqual(taken);
  });

  it('gives a name to only one of two simultaneous updates', async () => {
    const scene = openScene({ omitted: 'keep' });
    const answers = await Promise.all([PYTORCH, IMAGE_STUDIO].map(({ id }) => scene.update(id, { name: 'the one' })));
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  it.each([
    ['not JSON', '{"name":x}', 'The body is not valid JSON: it has an unexpected x.'],
    ['an empty body', '', 'The body is not valid JSON: it ends too early.'],
    ['a list', '[]', 'The body must be a JSON object.'],
    ['null', 'null', 'The body must be a JSON object.'],
    ['a text', '"name"', 'The body must be a JSON object.'],
  ])('%s', async (_name, text, error) => {
    expect(await openScene().update(PYTORCH.id, text)).toEqual({ status: 400, body: { error } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'another content type: "%s", without reading the body',
    async (contentType) => {
      const readBody = (): never => {
        throw new Error('The body was read.');
      };
      expect(await openScene().update(PYTORCH.id, {}, { contentType, readBody })).toEqual({
        status: 400,
        body: { error: 'The body must be sent as content-type application/json.' },
      });
    },
  );

  it.each(['application/json; charset=utf-8', 'application/merge-patch+json', undefined])(
    'not for content type %s',
    async (contentType) => {
      const more = contentType === undefined ? {} : { contentType };
      expect((await openScene().update(PYTORCH.id, {}, more)).status).toBe(200);
    },
  );

  it('a body that is too large, not UTF-8, or never complete', async () => {
    const scene = openScene();
    const limits: number[] = [];
    const tooLarge = await scene.update(PYTORCH.id, '', {
      readBody: (maxBytes) => Promise.resolve(limits.push(maxBytes)).then(() => ({ kind: 'too-large' })),
    });
    expect(tooLarge).toEqual({
      status: 400,
      body: { error: `The body must not exceed ${UPDATE_BODY_MAX_BYTES} bytes.` },
    });
    expect(limits).toEqual([1_048_576]);
    expect(await scene.update(PYTORCH.id, '', { readBody: () => Promise.resolve({ kind: 'not-utf8' }) })).toMatchObject(
      { status: 400, body: { error: expect.stringContaining('UTF-8') } },
    );
    expect(
      await scene.send({
        method: 'POST',
        path: ['templates', PYTORCH.id, 'update'],
        readBody: () => Promise.resolve({ kind: 'gone' }),
      }),
    ).toBeNull();
  });
});

describe('a changed template', () => {
  it('is restored after a restart, each for itself', async () => {
    const documents = createMemoryDocuments();
    const endpoints = [scriptedEndpoint('text')];
    const before = openScene({ documents, endpoints });
    const image = (await before.update(IMAGE_STUDIO.id, ALL_SETTINGS)).body;
    const workbench = (await before.update(CPU_WORKBENCH.id, { env: { A: 'b' } })).body;
    const text = (await before.update(endpointTemplateId('text'), { name: 'renamed', containerDiskInGb: 9 })).body;

    const after = openScene({ documents, endpoints, omitted: 'keep' });
    expect((await after.update(IMAGE_STUDIO.id, {})).body).toEqual(image);
    expect((await after.update(CPU_WORKBENCH.id, {})).body).toEqual(workbench);
    expect((await after.update(endpointTemplateId('text'), {})).body).toEqual(text);
    expect((await after.update(PYTORCH.id, {})).body).toEqual(PYTORCH);
  });

  it('may share its name with the template of an endpoint that was added later, until either is renamed', async () => {
    const documents = createMemoryDocuments();
    await openScene({ documents, omitted: 'keep' }).update(IMAGE_STUDIO.id, { name: 'myllm' });
    const scene = openScene({ documents, omitted: 'keep', endpoints: [scriptedEndpoint('myllm')] });
    for (const id of [IMAGE_STUDIO.id, endpointTemplateId('myllm')])
      expect(await scene.update(id, { name: 'myllm' })).toMatchObject({ status: 200, body: { name: 'myllm' } });
    expect((await scene.update(PYTORCH.id, { name: 'myllm' })).status).toBe(400);
  });

  it.each(['', '{', 'null', '[]', '{}', '{"name":5}', '{"name":"x","ports":["80"]}'])(
    'counts as absent if its document is damaged or empty: %s',
    async (text) => {
      const documents = createMemoryDocuments();
      documents.write(`template/${PYTORCH.id}`, text);
      expect((await openScene({ documents, omitted: 'keep' }).update(PYTORCH.id, {})).body).toEqual(PYTORCH);
    },
  );

  it('is exactly the sent fields plus the defaults, whatever valid fields were sent', async () => {
    const texts = fc.array(fc.string());
    const sizes = fc.nat();
    const port = fc
      .tuple(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom('http', 'tcp'))
      .map(([number, protocol]) => `${number}/${protocol}`);
    const filled = fc.string().map((text) => `x${text}`);
    const anyUpdate = fc.record(
      {
        containerDiskInGb: sizes,
        containerRegistryAuthId: fc.string(),
        dockerEntrypoint: texts,
        dockerStartCmd: texts,
        env: fc.dictionary(fc.string(), fc.string()),
        imageName: filled,
        isPublic: fc.boolean(),
        name: filled,
        ports: fc.uniqueArray(port),
        readme: fc.string(),
        volumeInGb: sizes,
        volumeMountPath: fc.string().map((text) => `/${text}`),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(anyUpdate, fc.constantFrom('reset' as const, 'keep' as const), async (update, omitted) => {
        const documents = createMemoryDocuments();
        const sent = JSON.stringify(update);
        const expected = JSON.parse(
          JSON.stringify({ ...IMAGE_STUDIO, ...(omitted === 'reset' ? DEFAULTS : {}), ...update }),
        );
        const { status, body } = await openScene({ omitted, documents }).update(IMAGE_STUDIO.id, sent);
        expect(status).toBe(200);
        expect(body).toEqual(expected);
        const restarted = openScene({ omitted: 'keep', documents });
        expect((await restarted.update(IMAGE_STUDIO.id, {})).body).toEqual(expected);
      }),
    );
  });
});
