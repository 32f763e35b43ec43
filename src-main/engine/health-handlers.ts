import { ok } from '../../src-preload/failure.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import type { Connections } from '../connection/connections.ts';
import { unpackSeries } from '../history/health/points.ts';
import type { History } from '../history/history.ts';
import type { EndpointHealth } from './endpoint-health.ts';
import { refreshHealth } from './refresh-health.ts';
import { fromHistory } from './storage.ts';

type HealthCall = Extract<keyof Handlers, `health:${string}`>;

export interface HealthHandlersParts {
  health: Pick<EndpointHealth, 'latest' | 'refresh' | 'watch' | 'judge'>;
  history: Pick<History, 'healthSeries' | 'jobTimings'>;
  connections: Pick<Connections, 'get'>;
}

/** The calls about endpoints' health, as it is and as it was, and what is wrong with them. */
export function healthHandlers({ health, history, connections }: HealthHandlersParts): Pick<Handlers, HealthCall> {
  return {
    'health:latest': ({ connectionId }) => fromHistory(health.latest(connectionId)),
    'health:refresh': async ({ connectionId }) => {
      const connection = await connections.get(connectionId);
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
    'health:diagnoses': ({ connectionId }) => fromHistory(health.judge.of(connectionId)),
    'health:mute': ({ connectionId, endpointId, untilMs }) =>
      fromHistory(health.judge.mute(connectionId, endpointId, untilMs)),
  };
}
