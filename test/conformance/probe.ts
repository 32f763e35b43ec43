import { isRecord, shown } from './answers.ts';
import type { Answer } from './http-client.ts';
import { poll } from './jobs.ts';
import type { Service } from './service.ts';

const MARKER = 'conformance probe';

/**
 * Looks whether the service is there, and whether the handler behind the endpoint understands `mock_*` inputs. Gives
 * one sentence where nothing of the service answers: then no rule has anything to tell.
 */
export async function probe(service: Service): Promise<string | null> {
  let health: Answer;
  try {
    health = await service.call('health');
  } catch (error) {
    return `The service at ${service.baseUrl} does not answer: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const run = await service.call('run', { body: { input: { mock_return: MARKER } } }).catch(() => null);
  const job = isRecord(run?.json) ? run.json['id'] : undefined;
  if (!isOfService(health) && !isOfService(run))
    return (
      `Nothing of the service answers at ${service.address('health')}: ${shown(health)}. Check the base URL and the ` +
      'endpoint.'
    );
  if (typeof job !== 'string') return null;
  const output = await poll(service, async () => {
    const { json: record } = await service.call('status', { job });
    if (!isRecord(record)) return { value: undefined };
    return record['status'] === 'COMPLETED' || record['status'] === 'FAILED' ? { value: record['output'] } : null;
  });
  service.understandsMock = output?.value === MARKER;
  return null;
}

/** Whether an answer may be the service's: it took the call, or refused it for another reason than its address. */
function isOfService(answer: Answer | null): boolean {
  if (answer === null) return false;
  const { status, json } = answer;
  return isRecord(json) && (status < 300 || (status >= 400 && status !== 404));
}
