import { fieldsOf, isRecord } from './answers.ts';
import type { Answer } from './http-client.ts';
import type { Service } from './service.ts';

export type TemplateFields = Record<string, unknown>;

/** Values for every field that an update takes, none of them a default. */
export function fullUpdate(service: Service): TemplateFields {
  return {
    containerDiskInGb: 33,
    containerRegistryAuthId: 'conformance-auth',
    dockerEntrypoint: ['sh', '-c'],
    dockerStartCmd: ['serve', '--all'],
    env: { MODEL: 'small', EMPTY: '' },
    imageName: 'example/conformance:1',
    isPublic: true,
    name: `conformance ${Math.round(service.time.now())}`,
    ports: ['8888/http', '22/tcp'],
    readme: '# Conformance',
    volumeInGb: 44,
    volumeMountPath: '/conformance',
  };
}

function templateOf(service: Service): string {
  return service.templates[0] ?? '';
}

/** Sends an update of the template under test; what it was before is put back after the check. */
export async function update(service: Service, body: unknown): Promise<Answer> {
  const before = await known(service, templateOf(service));
  if (before !== null && service.afterwards.length === 0) {
    const values = Object.fromEntries(
      Object.keys(fullUpdate(service))
        .filter((name) => before[name] != null)
        .map((name) => [name, before[name]]),
    );
    service.afterwards.push(async () => {
      await service.manage('POST', `templates/${templateOf(service)}/update`, { body: values });
    });
  }
  return service.manage('POST', `templates/${templateOf(service)}/update`, { body });
}

export async function updated(service: Service, body: TemplateFields): Promise<TemplateFields> {
  return fieldsOf(await update(service, body), 'update-template');
}

/** A template as the pods that use it show it: there is no other way to read one (ruling 23). */
export async function known(service: Service, templateId: string): Promise<TemplateFields | null> {
  for (const pod of await podsAndWorkers(service)) {
    if (pod['templateId'] !== templateId) continue;
    const { json } = await service.manage('GET', `pods/${String(pod['id'])}?includeTemplate=true`);
    const template = isRecord(json) ? json['template'] : null;
    if (isRecord(template)) return template;
  }
  return null;
}

/** The pods that were named and, once each, the workers that they list. */
export async function podsAndWorkers(service: Service): Promise<Record<string, unknown>[]> {
  const found = new Map<string, Record<string, unknown>>();
  for (const pod of service.pods) {
    const { json } = await service.manage('GET', `pods/${pod}?includeWorkers=true`);
    if (!isRecord(json)) continue;
    const workers: unknown[] = Array.isArray(json['workers']) ? json['workers'] : [];
    for (const one of [json, ...workers]) if (isRecord(one)) found.set(String(one['id']), one);
  }
  return [...found.values()];
}
