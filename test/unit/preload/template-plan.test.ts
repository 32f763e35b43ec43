import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planUpdate } from '../../../src-preload/template-plan.ts';
import { templateUpdate } from '../../../src-preload/template-schema.ts';
import { templateDefaults, updatableFields } from '../../../src-preload/template.ts';
import type {
  EnvEntry,
  SeenTemplate,
  Template,
  TemplateEdits,
  TemplateUpdate,
  UpdatableField,
} from '../../../src-preload/template.ts';

/** The service, as the specification has it: fields with a default are reset when left out, or kept (ruling 22). */
function apply(record: Template, body: TemplateUpdate, omitted: 'reset' | 'keep'): Template {
  return Object.assign({ ...record }, omitted === 'reset' ? templateDefaults : {}, body);
}

const name = fc
  .string({ minLength: 1, maxLength: 191 })
  .filter((text) => text.trim() !== '')
  .map((text) => text.trim());
const envName = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,6}$/);
const argument = fc.string({ maxLength: 12 }).filter((text) => !text.includes('\0'));
const ports = fc.uniqueArray(
  fc
    .tuple(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom('http', 'tcp'))
    .map(([port, protocol]) => `${port}/${protocol}`),
  { maxLength: 4 },
);
const env = fc.dictionary(
  envName,
  fc.string({ maxLength: 8 }).filter((text) => !text.includes('\0')),
  { maxKeys: 4, noNullPrototype: true },
);
const image = fc.stringMatching(/^[a-z]{1,6}(:[0-9.]{1,4})?$/);
const path = fc.stringMatching(/^\/[a-z/]{0,8}$/);
const size = fc.integer({ min: 0, max: 5_000 });

type Whole = Template & { [F in UpdatableField]-?: NonNullable<Template[F]> };
const whole: fc.Arbitrary<Whole> = fc.record<Whole>({
  id: fc.constant('t'),
  name,
  imageName: image,
  containerRegistryAuthId: fc.string({ maxLength: 10 }),
  dockerEntrypoint: fc.array(argument, { maxLength: 3 }),
  dockerStartCmd: fc.array(argument, { maxLength: 3 }),
  containerDiskInGb: size,
  volumeInGb: size,
  volumeMountPath: path,
  ports,
  isPublic: fc.boolean(),
  env,
  readme: fc.string({ maxLength: 30 }),
});

const entry = fc.record({ name: envName, value: fc.string({ maxLength: 6 }).filter((text) => !text.includes('\0')) });
/** Good edits of any fields; some of them say what was there already. */
function editsOf(record: Whole): fc.Arbitrary<TemplateEdits> {
  const sizes = fc.oneof(size, fc.constant(record.containerDiskInGb)).map(String);
  const kept = Object.keys(record.env).map((each): EnvEntry => ({ name: each, value: null }));
  return fc.record(
    {
      name: fc.oneof(name, fc.constant(record.name)),
      imageName: image,
      containerRegistryAuthId: fc.string({ maxLength: 10 }),
      dockerEntrypoint: fc.array(argument, { maxLength: 3 }),
      dockerStartCmd: fc.array(argument, { maxLength: 3 }),
      containerDiskInGb: sizes,
      volumeInGb: sizes,
      volumeMountPath: path,
      ports,
      isPublic: fc.boolean(),
      env: fc
        .tuple(fc.subarray(kept), fc.uniqueArray(entry, { maxLength: 3, selector: (each) => each.name }))
        .map(([some, typed]) => [...some.filter((each) => !typed.some((other) => other.name === each.name)), ...typed]),
      readme: fc.string({ maxLength: 30 }),
    },
    { requiredKeys: [] },
  );
}

function seen({ env: variables, ...rest }: Template): SeenTemplate {
  return { ...rest, ...(variables === undefined ? {} : { env: variables === null ? null : Object.keys(variables) }) };
}

/** As main fills it in. */
function filled(body: ReturnType<typeof planUpdate>['body'], record: Template): TemplateUpdate {
  const { env: planned, ...rest } = body;
  return {
    ...rest,
    ...(planned === undefined
      ? {}
      : {
          env: Object.fromEntries(
            Object.entries(planned).map(([each, value]) => [each, value ?? record.env?.[each] ?? '']),
          ),
        }),
  };
}

function differing(one: Template, other: Template): UpdatableField[] {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => a.localeCompare(b)))
        : each,
    ) ?? 'absent';
  return updatableFields.filter((field) => text(one[field]) !== text(other[field]));
}

const withEdits = whole.chain((record) => editsOf(record).map((edits) => ({ record, edits })));
const known = (record: Template) => ({ template: seen(record), isEnvLost: false });

describe('the request of an update (ruling 22)', () => {
  it.each(['reset', 'keep'] as const)(
    'leaves every field but the changed ones unchanged, if the service would %s omitted fields',
    (omitted) => {
      fc.assert(
        fc.property(withEdits, ({ record, edits }) => {
          const plan = planUpdate(known(record), edits);
          expect(plan.problems).toEqual([]);
          const after = apply(record, filled(plan.body, record), omitted);
          expect(plan.changed).toEqual(expect.arrayContaining(differing(record, after)));
          // What was changed to something new is really so afterwards; variables typed as they were are no difference.
          expect(plan.changed.filter((field) => field !== 'env' && !differing(record, after).includes(field))).toEqual(
            [],
          );
        }),
      );
    },
  );

  it.each(['reset', 'keep'] as const)(
    'names every default that may apply, if the service would %s and part of the template is unknown',
    (omitted) => {
      fc.assert(
        fc.property(withEdits, fc.subarray([...updatableFields]), ({ record, edits }, forgotten) => {
          const partly: SeenTemplate = {
            id: record.id,
            ...Object.fromEntries(
              Object.entries(seen(record)).filter(([field]) => !forgotten.some((each) => each === field)),
            ),
          };
          const plan = planUpdate({ template: partly, isEnvLost: false }, edits);
          fc.pre(plan.problems.length === 0);
          const after = apply(record, filled(plan.body, record), omitted);
          expect([...plan.changed, ...plan.defaultsThatMayApply.map(({ field }) => field)]).toEqual(
            expect.arrayContaining(differing(record, after)),
          );
        }),
      );
    },
  );

  it('sends only the edited fields, if nothing is known', () => {
    fc.assert(
      fc.property(withEdits, ({ edits }) => {
        const typed: TemplateEdits = {
          ...edits,
          ...(edits.env === undefined ? {} : { env: edits.env.filter(({ value }) => value !== null) }),
        };
        const plan = planUpdate(null, typed);
        expect(Object.keys(plan.body).sort()).toEqual(Object.keys(typed).sort());
        expect(plan.pinned).toEqual([]);
        const untouched = Object.keys(templateDefaults).filter((field) => !Object.hasOwn(typed, field));
        expect(plan.defaultsThatMayApply.map(({ field }) => field).sort()).toEqual(untouched.sort());
      }),
    );
  });

  it('sends each field for one reason, and only what the service’s schema accepts', () => {
    fc.assert(
      fc.property(withEdits, ({ record, edits }) => {
        const plan = planUpdate(known(record), edits);
        expect([...plan.changed, ...plan.pinned, ...plan.leftOut].sort()).toEqual([...updatableFields].sort());
        expect(Object.keys(plan.body).sort()).toEqual([...plan.changed, ...plan.pinned].sort());
        // Exactly as checked again before it leaves: nothing is trimmed or dropped on the way.
        const body = filled(plan.body, record);
        expect(templateUpdate.parse(body)).toEqual(body);
      }),
    );
  });

  it('finds no change in a restored value', () => {
    fc.assert(
      fc.property(whole, (record) => {
        const { id: _id, ...fields } = record;
        const edits: TemplateEdits = {
          ...fields,
          containerDiskInGb: String(record.containerDiskInGb),
          volumeInGb: ` ${record.volumeInGb} `,
          env: Object.keys(record.env).map((each) => ({ name: each, value: null })),
        };
        expect(planUpdate(known(record), edits).changed).toEqual([]);
      }),
    );
  });

  it('finds no change in spaces around a name or an image', () => {
    const known = { template: { id: 't', name: 'Chat', imageName: 'repo/chat:1' }, isEnvLost: false };
    expect(planUpdate(known, { name: ' Chat ', imageName: 'repo/chat:1\n' }).changed).toEqual([]);
    expect(planUpdate(known, { name: 'Chats' }).changed).toEqual(['name']);
  });
});

describe('the message at a field', () => {
  const record: Template = {
    id: 't',
    name: 'asr',
    env: { TOKEN: 'x', MODE: 'y' },
    ports: ['80/http'],
    containerDiskInGb: 50,
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    isPublic: false,
    readme: '',
  };
  const problems = (edits: TemplateEdits, isEnvLost = false) =>
    planUpdate({ template: seen(record), isEnvLost }, edits).problems;

  it.each<[string, TemplateEdits, RegExp]>([
    ['an empty name', { name: '  ' }, /needs a name/],
    ['a name over 191', { name: 'x'.repeat(192) }, /at most 191.*has 192/],
    ['an image with a space', { imageName: 'a b' }, /no spaces/],
    ['no image', { imageName: '' }, /needs a name/],
    ['a size with a fraction', { containerDiskInGb: '1.5' }, /whole number/],
    ['a size in words', { volumeInGb: 'ten' }, /whole number/],
    ['a negative size', { volumeInGb: '-1' }, /not negative/],
    ['a missing size', { volumeInGb: '' }, /needed/],
    ['a size beyond exact numbers', { volumeInGb: '99999999999999999999' }, /too large/],
    ['a relative path', { volumeMountPath: 'workspace' }, /starts with \//],
    ['udp', { ports: ['80/udp'] }, /http or tcp, not udp/],
    ['port 70000', { ports: ['70000/http'] }, /from 1 to 65535, not 70000/],
    ['port 0', { ports: ['0/http'] }, /from 1 to 65535/],
    ['a port in words', { ports: ['ssh/tcp'] }, /ssh is not a port/],
    ['a port without a protocol', { ports: ['22'] }, /Choose http or tcp/],
    ['an empty port', { ports: ['/http'] }, /needed/],
    ['a port twice', { ports: ['22/tcp', '22/tcp'] }, /is already in line 1/],
    [
      'a variable twice',
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      /A is already in line 1/,
    ],
    ['a variable that begins with a digit', { env: [{ name: '1A', value: '1' }] }, /does not start with a digit/],
    ['a variable with =', { env: [{ name: 'A=B', value: '1' }] }, /letters, digits/],
    ['a variable without a name', { env: [{ name: '', value: '1' }] }, /needs a name/],
    ['a variable called __proto__', { env: [{ name: '__proto__', value: '1' }] }, /cannot be called/],
    ['a kept value that is unknown', { env: [{ name: 'NEW', value: null }] }, /unknown here/],
    ['NUL in an argument', { dockerStartCmd: ['a\0'] }, /NUL/],
  ])('%s', (_, edits, message) => {
    const found = problems(edits);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(message);
    expect(Object.keys(edits)).toContain(found[0]?.field);
  });

  it('the same port with both protocols is two ports', () =>
    expect(problems({ ports: ['53/http', '53/tcp'] })).toEqual([]));

  it('values kept for a former session must be typed again, and only if variables are sent', () => {
    expect(
      problems(
        {
          env: [
            { name: 'TOKEN', value: null },
            { name: 'MODE', value: 'z' },
          ],
        },
        true,
      ),
    ).toEqual([
      { field: 'env', index: 0, part: 'value', message: expect.stringMatching(/only kept for an earlier session/) },
    ]);
    expect(
      problems(
        {
          env: [
            { name: 'TOKEN', value: 'x' },
            { name: 'MODE', value: 'z' },
          ],
        },
        true,
      ),
    ).toEqual([]);
    expect(problems({ imageName: 'new' }, true)).toEqual([]);
  });

  it('a value from the service that an update cannot carry is not left to be reset', () => {
    const odd = { ...seen(record), containerDiskInGb: 12.5, volumeMountPath: 'data' };
    expect(planUpdate({ template: odd, isEnvLost: false }, { name: 'new' }).problems.map(({ field }) => field)).toEqual(
      ['containerDiskInGb', 'volumeMountPath'],
    );
    expect(
      planUpdate(
        { template: odd, isEnvLost: false },
        { name: 'new', containerDiskInGb: '13', volumeMountPath: '/data' },
      ).problems,
    ).toEqual([]);
  });
});
