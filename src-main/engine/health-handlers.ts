import { ok } from '../../src-preload/failure.ts';
import type { EngineHandlers } from './engine.ts';

type HealthCall = 'health:series' | 'health:timings' | 'health:diagnoses' | 'health:mute';

/** The calls about endpoints' kept health and what is wrong with them. */
export function healthHandlers(): Pick<EngineHandlers, HealthCall> {
  return {
    'health:series': () => ok([]),
    'health:timings': () => ok([]),
    'health:diagnoses': () => ok([]),
    'health:mute': ({ connectionId, endpointId, untilMs }) => ok({ connectionId, endpointId, atMs: 0, findings: [], mutedUntilMs: untilMs }),
  };
}
