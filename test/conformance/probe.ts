import { isRecord } from './answers.ts';
import { poll } from './jobs.ts';
import type { Service } from './service.ts';

const MARKER = 'conformance probe';

/**
 * Finds out whether the handler behind the endpoint understands `mock_*` inputs; gives a sentence when the service
 * cannot be reached.
 */
export async function probe(service: Service): Promise<string | null> {
  try {
    await service.call('health');
  } catch (error) {
    return `The service at ${service.baseUrl} does not answer: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const { json } = await service.call('run', { body: { input: { mock_return: MARKER } } });
  const job = isRecord(json) ? json['id'] : undefined;
  if (typeof job !== 'string') return null;
  const output = await poll(service, async () => {
    const { json: record } = await service.call('status', { job });
    if (!isRecord(record)) return { value: undefined };
    return record['status'] === 'COMPLETED' || record['status'] === 'FAILED' ? { value: record['output'] } : null;
  });
  service.understandsMock = output?.value === MARKER;
  return null;
}
