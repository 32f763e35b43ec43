import { fieldsOf, isRecord, mustBeAccepted, mustBeRefused, mustEqual, shownValue } from '../answers.ts';
import { finish } from '../jobs.ts';
import { cannotTell, must, rule, type Rule } from '../rule.ts';
import type { Service } from '../service.ts';
import {
  MACHINE_FIELDS,
  NETWORK_VOLUME_FIELDS,
  POD_FIELDS,
  SAVINGS_PLAN_FIELDS,
  TEMPLATE_FIELDS,
} from './management-fields.ts';
import { misfits, numberOrText, type Shape } from './shapes.ts';

const POD = 'spec: Pod';
const GET = 'spec: Get a pod';
const MACHINE = 'spec: Machine object';

type Pod = Record<string, unknown>;

async function readPod(service: Service, pod: string, query = ''): Promise<Pod> {
  return fieldsOf(await service.manage('GET', `pods/${encodeURIComponent(pod)}${query}`), `get-pod${query}`);
}

/** Every pod that was named, and with `includeWorkers` those that it lists. */
async function readPods(service: Service, query = ''): Promise<Pod[]> {
  const pods: Pod[] = [];
  for (const pod of service.pods) pods.push(await readPod(service, pod, query));
  return pods;
}

function mustFit(record: Pod, fields: Readonly<Record<string, Shape>>, what: string): void {
  const wrong = misfits(record, fields);
  must(wrong.length === 0, `of ${what} ${wrong.join('; ')}`);
}

const fieldRules: Rule[] = Object.entries(POD_FIELDS).map(([name, shape]) =>
  rule(
    {
      id: `pod.field.${name}`,
      says: `A pod has ${name}: ${shape.name}.`,
      source: POD,
      ...(name === 'costPerHr' ? { observed: 'It may come as a text.' } : {}),
      pod: true,
    },
    async (service) => {
      const wanted = name === 'costPerHr' && service.dialect === 'observed' ? numberOrText : shape;
      for (const pod of await readPods(service)) mustFit(pod, { [name]: wanted }, `pod ${String(pod['id'])}`);
    },
  ),
);

/** The objects that the pods carry under `name` when asked with `flag`; not observable when none does. */
async function included(service: Service, flag: string, name: string): Promise<Record<string, unknown>[]> {
  const found = (await readPods(service, `?${flag}=true`)).flatMap((pod) => {
    const value = pod[name];
    return Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
  });
  if (found.length === 0) cannotTell(`none of the pods named has anything under ${name}`);
  return found;
}

const FLAGS = [
  { flag: 'includeMachine', name: 'machine' },
  { flag: 'includeNetworkVolume', name: 'networkVolume' },
  { flag: 'includeSavingsPlans', name: 'savingsPlans' },
  { flag: 'includeTemplate', name: 'template' },
  { flag: 'includeWorkers', name: 'workers' },
];

const flagRules: Rule[] = FLAGS.flatMap(({ flag, name }) => [
  rule(
    { id: `pod.${flag}.default`, says: `${flag} is false by default: ${name} is not there.`, source: GET, pod: true },
    async (service) => {
      for (const pod of await readPods(service))
        must(pod[name] == null, `${name} is ${shownValue(pod[name])} without ${flag}`);
    },
  ),
  rule(
    { id: `pod.${flag}.false`, says: `With ${flag}=false there is no ${name}.`, source: GET, pod: true },
    async (service) => {
      for (const pod of await readPods(service, `?${flag}=false`))
        must(pod[name] == null, `${name} is ${shownValue(pod[name])} with ${flag}=false`);
    },
  ),
  rule(
    { id: `pod.${flag}.alone`, says: `${flag} includes ${name} and nothing else.`, source: GET, pod: true },
    async (service) => {
      for (const pod of await readPods(service, `?${flag}=true`)) {
        const others = FLAGS.filter((other) => other.name !== name && pod[other.name] != null).map(
          (other) => other.name,
        );
        must(others.length === 0, `${others.join(', ')} came with ${flag}`);
      }
    },
  ),
  rule({ id: `pod.${flag}.boolean`, says: `${flag} is a boolean.`, source: GET, pod: true }, async (service) => {
    mustBeRefused(await service.manage('GET', `pods/${service.pods[0] ?? ''}?${flag}=perhaps`), 400, `${flag}=perhaps`);
  }),
]);

const machineRules: Rule[] = Object.entries(MACHINE_FIELDS).map(([name, shape]) =>
  rule(
    { id: `pod.machine.${name}`, says: `A machine has ${name}: ${shape.name}.`, source: MACHINE, pod: true },
    async (service) => {
      for (const machine of await included(service, 'includeMachine', 'machine'))
        mustFit(machine, { [name]: shape }, 'a machine');
    },
  ),
);

const volumeRules: Rule[] = Object.entries(NETWORK_VOLUME_FIELDS).map(([name, shape]) =>
  rule(
    { id: `pod.network-volume.${name}`, says: `A network volume has ${name}: ${shape.name}.`, source: POD, pod: true },
    async (service) => {
      for (const volume of await included(service, 'includeNetworkVolume', 'networkVolume'))
        mustFit(volume, { [name]: shape }, 'a network volume');
    },
  ),
);

const planRules: Rule[] = Object.entries(SAVINGS_PLAN_FIELDS).map(([name, shape]) =>
  rule(
    { id: `pod.savings-plan.${name}`, says: `A savings plan has ${name}: ${shape.name}.`, source: POD, pod: true },
    async (service) => {
      for (const plan of await included(service, 'includeSavingsPlans', 'savingsPlans'))
        mustFit(plan, { [name]: shape }, 'a savings plan');
    },
  ),
);

const wholeRules: Rule[] = [
  rule({ id: 'pod.id', says: 'get-pod answers the pod of the path.', source: GET, pod: true }, async (service) => {
    for (const pod of service.pods) mustEqual((await readPod(service, pod))['id'], pod, 'id');
  }),
  rule({ id: 'pod.unknown', says: 'An unknown pod is answered 404.', source: 'spec: Errors' }, async (service) => {
    mustBeRefused(await service.manage('GET', 'pods/no-such-pod'), 404, 'an unknown pod');
  }),
  rule({ id: 'pod.method', says: 'get-pod is a GET; a POST is refused.', source: GET, pod: true }, async (service) => {
    const { status } = await service.manage('POST', `pods/${service.pods[0] ?? ''}`, { body: {} });
    must(status >= 400 && status < 500, `POST on a pod was answered ${status}`);
  }),
  rule(
    { id: 'pod.name.length', says: 'The name of a pod has 191 characters at most.', source: 'spec: Limits', pod: true },
    async (service) => {
      for (const { name } of await readPods(service))
        must(String(name).length <= 191, `a name has ${String(name).length} characters`);
    },
  ),
  rule(
    {
      id: 'pod.initialising',
      says: 'publicIp is empty and portMappings has no port until initialisation completes; then both are there.',
      source: POD,
      pod: true,
    },
    async (service) => {
      for (const { publicIp, portMappings, ports, desiredStatus, id } of await readPods(service)) {
        const isMapped = isRecord(portMappings) && Object.keys(portMappings).length > 0;
        must(
          !isMapped || publicIp !== null,
          `pod ${String(id)} has no publicIp but portMappings ${shownValue(portMappings)}`,
        );
        const hasTcp = Array.isArray(ports) && ports.some((port) => String(port).endsWith('/tcp'));
        must(
          desiredStatus !== 'RUNNING' || publicIp === null || !hasTcp || isMapped,
          `pod ${String(id)} has publicIp ${shownValue(publicIp)} and a tcp port but no portMappings`,
        );
      }
    },
  ),
  rule(
    {
      id: 'pod.initialises',
      says: 'A pod that initialises comes by its publicIp in time.',
      source: POD,
      pod: true,
      waitsMs: 600_000,
    },
    async (service) => {
      const running = (await readPods(service)).filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
      const young = running.filter(({ publicIp }) => publicIp === null);
      if (young.length === 0) cannotTell('no pod that was named is initialising');
      await service.time.pass(600_000);
      for (const { id } of young)
        must(
          (await readPod(service, String(id)))['publicIp'] !== null,
          `pod ${String(id)} has no publicIp after 10 minutes`,
        );
    },
  ),
  rule(
    {
      id: 'pod.ai-api-id',
      says: 'aiApiId is the older name of endpointId: if both are there, they are equal.',
      source: POD,
      pod: true,
    },
    async (service) => {
      for (const { aiApiId, endpointId } of await readPods(service))
        must(
          aiApiId === null || endpointId === null || aiApiId === endpointId,
          `aiApiId is ${shownValue(aiApiId)}, endpointId ${shownValue(endpointId)}`,
        );
    },
  ),
  rule(
    {
      id: 'pod.adjusted-cost',
      says: 'adjustedCostPerHr, after savings plans, is not above costPerHr.',
      source: POD,
      pod: true,
    },
    async (service) => {
      for (const { adjustedCostPerHr, costPerHr } of await readPods(service))
        must(
          Number(adjustedCostPerHr) <= Number(costPerHr),
          `adjustedCostPerHr is ${shownValue(adjustedCostPerHr)}, costPerHr ${shownValue(costPerHr)}`,
        );
    },
  ),
  rule({ id: 'pod.mount-path', says: 'volumeMountPath is absolute.', source: POD, pod: true }, async (service) => {
    for (const { volumeMountPath } of await readPods(service))
      must(String(volumeMountPath).startsWith('/'), `volumeMountPath is ${shownValue(volumeMountPath)}`);
  }),
  rule(
    { id: 'pod.all-flags', says: 'All include flags together are accepted.', source: GET, pod: true },
    async (service) => {
      mustBeAccepted(
        await service.manage(
          'GET',
          `pods/${service.pods[0] ?? ''}?${FLAGS.map(({ flag }) => `${flag}=true`).join('&')}`,
        ),
        'all flags',
      );
    },
  ),
  rule(
    {
      id: 'pod.template',
      says: 'includeTemplate includes the template used: the one of templateId.',
      source: 'spec: Get a pod, ruling 23',
      pod: true,
    },
    async (service) => {
      await included(service, 'includeTemplate', 'template');
      for (const { template, templateId } of await readPods(service, '?includeTemplate=true')) {
        if (isRecord(template)) mustEqual(template['id'], templateId, 'id of the template');
        else mustEqual(templateId, null, 'templateId of a pod whose template is not included');
      }
    },
  ),
  rule(
    { id: 'pod.template.fields', says: 'The template included is a Template.', source: 'ruling 23', pod: true },
    async (service) => {
      for (const template of await included(service, 'includeTemplate', 'template'))
        mustFit(template, TEMPLATE_FIELDS, 'a template');
    },
  ),
  rule(
    { id: 'pod.workers', says: 'includeWorkers lists pods that are workers.', source: 'ruling 24', pod: true },
    async (service) => {
      await finish(service, { input: { mock_return: 1 } });
      const lists = (await readPods(service, '?includeWorkers=true')).map(({ workers }) => workers);
      for (const workers of lists)
        must(Array.isArray(workers), `workers is ${shownValue(workers)} instead of an array`);
      for (const worker of lists.flat()) {
        must(
          isRecord(worker) && typeof worker['id'] === 'string' && typeof worker['endpointId'] === 'string',
          `a worker is ${shownValue(worker)}`,
        );
      }
    },
  ),
  rule(
    {
      id: 'pod.workers.sls-version',
      says: 'A pod that is a serverless worker reports slsVersion.',
      source: 'spec: Versioning',
      pod: true,
    },
    async (service) => {
      await finish(service, { input: { mock_return: 1 } });
      const workers = await included(service, 'includeWorkers', 'workers');
      for (const { slsVersion } of workers)
        must(Number.isInteger(slsVersion), `slsVersion of a worker is ${shownValue(slsVersion)}`);
    },
  ),
];

export const podRules: readonly Rule[] = [
  ...wholeRules,
  ...fieldRules,
  ...flagRules,
  ...machineRules,
  ...volumeRules,
  ...planRules,
];
