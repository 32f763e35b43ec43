import { fieldsOf, isRecord, mustBeAccepted, mustBeRefused, mustEqual, shown } from '../answers.ts';
import { finish, poll } from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';
import { fullUpdate, known, podsAndWorkers, update, updated } from '../template-under-test.ts';
import { TEMPLATE_FIELDS } from './management-fields.ts';
import { misfits } from './shapes.ts';

const TEMPLATE = 'spec: Template';
const UPDATE = 'spec: Update a template';
/** How long a rolling release of idle workers may take. */
const RELEASE_MS = 10_000;

const DEFAULTS: Readonly<Record<string, unknown>> = {
  containerDiskInGb: 50,
  isPublic: false,
  readme: '',
  volumeInGb: 20,
  volumeMountPath: '/workspace',
};
const WITHOUT_DEFAULT = [
  'containerRegistryAuthId',
  'dockerEntrypoint',
  'dockerStartCmd',
  'env',
  'imageName',
  'name',
  'ports',
];

const REFUSED: readonly { id: string; says: string; body: unknown }[] = [
  {
    id: 'container-disk.text',
    says: 'containerDiskInGb is an integer, not a text.',
    body: { containerDiskInGb: '50' },
  },
  { id: 'container-disk.fraction', says: 'containerDiskInGb is an integer.', body: { containerDiskInGb: 1.5 } },
  { id: 'registry-auth.number', says: 'containerRegistryAuthId is a string.', body: { containerRegistryAuthId: 1 } },
  {
    id: 'entrypoint.text',
    says: 'dockerEntrypoint is an array of strings, not a string.',
    body: { dockerEntrypoint: 'sh' },
  },
  {
    id: 'entrypoint.numbers',
    says: 'dockerEntrypoint is an array of strings, not of numbers.',
    body: { dockerEntrypoint: [1] },
  },
  {
    id: 'start-cmd.text',
    says: 'dockerStartCmd is an array of strings, not a string.',
    body: { dockerStartCmd: 'serve' },
  },
  {
    id: 'start-cmd.numbers',
    says: 'dockerStartCmd is an array of strings, not of numbers.',
    body: { dockerStartCmd: [1] },
  },
  { id: 'env.array', says: 'env is an object.', body: { env: ['A=1'] } },
  { id: 'env.number-value', says: 'env maps to string values.', body: { env: { A: 1 } } },
  { id: 'image-name.number', says: 'imageName is a string.', body: { imageName: 1 } },
  { id: 'is-public.text', says: 'isPublic is a boolean.', body: { isPublic: 'true' } },
  { id: 'name.number', says: 'name is a string.', body: { name: 1 } },
  { id: 'ports.text', says: 'ports is an array of strings.', body: { ports: '8888/http' } },
  { id: 'ports.no-protocol', says: 'A port has the form <port>/<protocol>.', body: { ports: ['8888'] } },
  { id: 'ports.protocol', says: 'The protocol of a port is http or tcp.', body: { ports: ['8888/udp'] } },
  { id: 'ports.name', says: 'The port of <port>/<protocol> is a number.', body: { ports: ['web/http'] } },
  { id: 'readme.number', says: 'readme is a string.', body: { readme: 1 } },
  { id: 'volume.text', says: 'volumeInGb is an integer, not a text.', body: { volumeInGb: '20' } },
  { id: 'volume.fraction', says: 'volumeInGb is an integer.', body: { volumeInGb: 0.5 } },
  { id: 'mount-path.number', says: 'volumeMountPath is a string.', body: { volumeMountPath: 1 } },
  { id: 'mount-path.relative', says: 'volumeMountPath is absolute.', body: { volumeMountPath: 'workspace' } },
  { id: 'body.array', says: 'The body is a JSON object.', body: [] },
  { id: 'body.broken', says: 'A body that is not JSON is malformed.', body: '{"name":' },
];

const shapeRules: Rule[] = Object.entries(TEMPLATE_FIELDS).map(([name, shape]) =>
  rule(
    { id: `template.field.${name}`, says: `A template has ${name}: ${shape.name}.`, source: TEMPLATE, template: true },
    async (service) => {
      const template = await updated(service, fullUpdate(service));
      const wrong = misfits(template, { [name]: shape });
      must(wrong.length === 0, wrong.join('; '));
    },
  ),
);

const FULL_FIELDS = [...WITHOUT_DEFAULT, ...Object.keys(DEFAULTS)];

const setRules: Rule[] = FULL_FIELDS.map((name) =>
  rule(
    { id: `template.set.${name}`, says: `An update sets ${name}.`, source: UPDATE, template: true },
    async (service) => {
      const values = fullUpdate(service);
      mustEqual((await updated(service, { [name]: values[name] }))[name], values[name], name);
    },
  ),
);

const refusedRules: Rule[] = REFUSED.map(({ id, says, body }) =>
  rule({ id: `template.refused.${id}`, says, source: UPDATE, template: true }, async (service) => {
    mustBeRefused(await update(service, body), 400, 'such an update');
  }),
);

const defaultRules: Rule[] = Object.entries(DEFAULTS).map(([name, value]) =>
  rule(
    {
      id: `template.omitted.${name}`,
      says: `${name} left out is reset to ${JSON.stringify(value)}.`,
      source: 'spec: Update a template, ruling 22',
      template: true,
    },
    async (service) => {
      await updated(service, fullUpdate(service));
      mustEqual((await updated(service, { imageName: 'example/conformance:2' }))[name], value, `${name} left out`);
    },
  ),
);

const keptRules: Rule[] = WITHOUT_DEFAULT.map((name) =>
  rule(
    {
      id: `template.kept.${name}`,
      says: `${name} has no default: left out, it stays.`,
      source: 'ruling 22',
      template: true,
    },
    async (service) => {
      const values = fullUpdate(service);
      await updated(service, values);
      mustEqual((await updated(service, { readme: 'x' }))[name], values[name], `${name} left out`);
    },
  ),
);

/** Workers of the template's endpoints, with their versions. */
async function workerVersions(service: Service): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (const { templateId, endpointId, slsVersion } of await podsAndWorkers(service)) {
    if (templateId !== service.templates[0] || typeof endpointId !== 'string') continue;
    versions.set(endpointId, Math.max(Number(slsVersion), versions.get(endpointId) ?? 0));
  }
  return versions;
}

const wholeRules: Rule[] = [
  rule(
    { id: 'template.id', says: 'An update answers the template of the path.', source: UPDATE, template: true },
    async (service) => {
      mustEqual((await updated(service, {}))['id'], service.templates[0], 'id');
    },
  ),
  rule(
    { id: 'template.empty', says: 'Every field of an update is optional.', source: UPDATE, template: true },
    async (service) => {
      mustBeAccepted(await update(service, {}), 'an update without fields');
    },
  ),
  rule(
    { id: 'template.unknown', says: 'An unknown template is answered 404.', source: 'spec: Errors' },
    async (service) => {
      mustBeRefused(
        await service.manage('POST', 'templates/no-such-template/update', { body: {} }),
        404,
        'an unknown template',
      );
    },
  ),
  rule(
    {
      id: 'template.no-get',
      says: 'There is no operation that reads a template.',
      source: 'ruling 23',
      template: true,
    },
    async (service) => {
      const answer = await service.manage('GET', `templates/${service.templates[0] ?? ''}`);
      must(answer.status >= 400 && answer.status < 500, `GET of a template was answered ${shown(answer)}`);
    },
  ),
  rule(
    { id: 'template.method', says: 'update-template is a POST; a GET is refused.', source: UPDATE, template: true },
    async (service) => {
      const { status } = await service.manage('GET', `templates/${service.templates[0] ?? ''}/update`);
      must(status >= 400 && status < 500, `GET on update was answered ${status}`);
    },
  ),
  rule(
    {
      id: 'template.content-type',
      says: 'Bodies carry content-type application/json; text/plain is refused.',
      source: 'spec: Endpoints',
      template: true,
    },
    async (service) => {
      const answer = await service.manage('POST', `templates/${service.templates[0] ?? ''}/update`, {
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      });
      mustBeRefused(answer, 400, 'an update as text/plain');
    },
  ),
  rule(
    {
      id: 'template.stays',
      says: 'What an update set is there afterwards: a pod read with includeTemplate shows it.',
      source: UPDATE,
      template: true,
    },
    async (service) => {
      const values = fullUpdate(service);
      // A worker may be the only pod that uses the template.
      await finish(service, { input: { mock_return: 1 } });
      await updated(service, values);
      const template = await known(service, service.templates[0] ?? '');
      if (template === null) cannotTell('no pod that was named uses the template');
      mustEqual(template['name'], values['name'], 'name as the pod shows it');
      mustEqual(template['env'], values['env'], 'env as the pod shows it');
    },
  ),
  rule(
    {
      id: 'template.refusal-changes-nothing',
      says: 'A refused update changes nothing.',
      source: 'spec: Errors',
      template: true,
    },
    async (service) => {
      const values = fullUpdate(service);
      await updated(service, values);
      mustBeRefused(
        await update(service, { imageName: 'example/other:1', ports: ['none'] }),
        400,
        'an update with one wrong field',
      );
      mustEqual(
        (await updated(service, { readme: 'x' }))['imageName'],
        values['imageName'],
        'imageName after a refused update',
      );
    },
  ),
  rule(
    {
      id: 'template.name.unique',
      says: 'The name of a template is unique: that of another is refused.',
      source: TEMPLATE,
      template: true,
    },
    async (service) => {
      const other = await nameOfAnother(service);
      if (other === null) cannotTell('no second template was named or is used by a pod');
      mustBeRefused(await update(service, { name: other }), 400, 'the name of another template');
    },
  ),
  rule(
    { id: 'template.name.own', says: 'A template may be given its own name again.', source: TEMPLATE, template: true },
    async (service) => {
      const { name } = await updated(service, {});
      mustBeAccepted(await update(service, { name }), 'its own name');
    },
  ),
  rule(
    {
      id: 'template.rolling-release',
      says: 'An update triggers a rolling release: slsVersion of the endpoint goes up by one.',
      source: 'spec: Versioning, ruling 31',
      template: true,
    },
    async (service) => {
      // A worker must be there to report a version.
      await finish(service, { input: { mock_return: 1 } });
      const before = await workerVersions(service);
      if (before.size === 0) cannotTell('no pod that was named is a worker of an endpoint with this template');
      await updated(service, {});
      for (const [endpoint, version] of before) {
        let now: number | undefined;
        const released = await poll(
          service,
          async () => {
            now = (await workerVersions(service)).get(endpoint);
            return now === version + 1 ? true : null;
          },
          RELEASE_MS,
        );
        must(released === true, `slsVersion of the endpoint's workers went from ${version} to ${now ?? 'none'}`);
      }
    },
  ),
];

/** Read from a pod where one uses it; a second template that was named is given a name otherwise. */
async function nameOfAnother(service: Service): Promise<string | null> {
  const [template, second] = service.templates;
  for (const pod of service.pods) {
    const { json } = await service.manage('GET', `pods/${pod}?includeTemplate=true`);
    const other = isRecord(json) ? json['template'] : null;
    if (isRecord(other) && other['id'] !== template && typeof other['name'] === 'string') return other['name'];
  }
  if (second === undefined) return null;
  const { name } = fieldsOf(
    await service.manage('POST', `templates/${second}/update`, { body: { name: 'conformance, the other' } }),
    'update-template',
  );
  return typeof name === 'string' ? name : null;
}

export const templateRules: readonly Rule[] = [
  ...wholeRules,
  ...shapeRules,
  ...setRules,
  ...refusedRules,
  ...defaultRules,
  ...keptRules,
];
