import type { Connection } from '../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { missingKey } from '../service/client.ts';
import { unpackSeries } from '../history/health/points.ts';
import { type History, fromHistory } from '../history/history.ts';
import type { EndpointHealth } from './endpoint-health.ts';

type HealthCall = Extract<keyof Handlers, `health:${string}`>;

export interface HealthHandlersParts {
  health: Pick<EndpointHealth, 'latest' | 'refresh' | 'watch' | 'diagnoses'>;
  history: Pick<History, 'healthSeries' | 'jobTimings'>;
  connectionOf: (connectionId: string) => Promise<Result<Connection>>;
}

/** Handlers of the calls about endpoints' health, present and past, and its diagnosis. */
export function healthHandlers({ health, history, connectionOf }: HealthHandlersParts): Pick<Handlers, HealthCall> {
  return {
    'health:latest': ({ connectionId }) => fromHistory(health.latest(connectionId)),
    'health:refresh': async ({ connectionId }) => {
      const connection = await connectionOf(connectionId);
      return connection.ok
        ? refreshHealth(connection.value, (endpointId) => health.refresh(connectionId, endpointId))
        : connection;
    },
    'health:watch': ({ connectionId, endpointIds }, { windowId }) => {
      health.watch.set(windowId, connectionId, endpointIds);
      return ok(null);
    },
    'health:series': async ({ connectionId, endpointId, sinceMs }) => {
      const kept = await fromHistory(history.healthSeries(connectionId, endpointId, sinceMs));
      return kept.ok ? ok(kept.value.map(unpackSeries)) : kept;
    },
    'health:timings': ({ connectionId, endpointId, sinceMs }) =>
      fromHistory(history.jobTimings(connectionId, endpointId, sinceMs)),
    'health:diagnoses': ({ connectionId }) => fromHistory(health.diagnoses.of(connectionId)),
    'health:mute': ({ connectionId, endpointId, untilMs }) =>
      fromHistory(health.diagnoses.mute(connectionId, endpointId, untilMs)),
  };
}

/** How many endpoints are read at the same time. A connection may have two hundred. */
const atOnce = 6;

/**
 * Reads the health of each endpoint once with `read`; readings are sent as events. Fails only if all fail, with the
 * failure of the first endpoint.
 */
export async function refreshHealth(
  connection: Connection,
  read: (endpointId: string) => Promise<Result<unknown>>,
): Promise<Result<null>> {
  const closed = missingKey(connection);
  if (closed !== null) return failed(closed);
  const answers: Result<unknown>[] = [];
  for (let from = 0; from < connection.endpoints.length; from += atOnce) {
    answers.push(...(await Promise.all(connection.endpoints.slice(from, from + atOnce).map(({ id }) => read(id)))));
  }
  const [first] = answers;
  return first === undefined || first.ok || answers.some((answer) => answer.ok) ? ok(null) : failed(first.failure);
}
