import type { Service } from './service.ts';

export type Verdict =
  | { verdict: 'pass'; detail: string }
  | { verdict: 'fail'; detail: string }
  | { verdict: 'not observable'; detail: string };

/** One rule of the specification, and how a client can see whether a service keeps it. */
export interface Rule {
  /** `area.what`, unique; stays the same over versions of the suite. */
  readonly id: string;
  /** What the specification says, as a sentence. */
  readonly says: string;
  /** Where it says so: `spec: Limits`, `ruling 16`. */
  readonly source: string;
  /** What the observed dialect does instead (docs/service/field-notes.md); left out: the same. */
  readonly observed?: string;
  check(service: Service): Promise<Verdict>;
}

/** What a rule needs to be seen; without it the verdict is `not observable`. */
export interface Needs {
  /** A handler that understands `mock_*` inputs. */
  mock?: boolean;
  /** The service's time that the check lets pass, in ms. */
  waitsMs?: number;
  /** The shortest span, in ms, that the check must tell from nothing. */
  precisionMs?: number;
  /** The service must reach this machine: a receiver on 127.0.0.1 is part of the check. */
  loopback?: boolean;
  pod?: boolean;
  template?: boolean;
  otherEndpoint?: boolean;
}

export interface RuleText extends Needs {
  id: string;
  says: string;
  source: string;
  observed?: string;
}

/** Thrown by a check when the service does not keep the rule; the message says what was seen. */
export class Unmet extends Error {}

/** Thrown by a check that cannot tell; the message says why. */
export class Unobservable extends Error {}

/** Ends the check as failed unless it holds. */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Unmet(otherwise);
}

/** Ends the check as not observable. */
export function cannotTell(reason: string): never {
  throw new Unobservable(reason);
}

function missingNeed(needs: Needs, service: Service): string | null {
  const {
    mock = false,
    waitsMs = 0,
    precisionMs = Infinity,
    loopback = false,
    pod = false,
    template = false,
    otherEndpoint = false,
  } = needs;
  if (mock && !service.understandsMock) return 'the handler behind the endpoint does not understand mock_* inputs';
  if (pod && service.pods.length === 0) return 'no pod was named; give --pod';
  if (template && service.templates.length === 0) return 'no template was named; give --template';
  if (otherEndpoint && service.otherEndpoint === null) return 'no second endpoint was named; give --other-endpoint';
  if (loopback && !service.isOnLoopback) return 'the service is not on this machine and cannot call a receiver here';
  if (waitsMs > service.maxWaitMs) return `needs ${spanInWords(waitsMs)} of the service's time; raise --max-wait-s`;
  if (service.time.toleranceMs > precisionMs)
    return `the service's time runs too fast here to tell ${spanInWords(precisionMs)}; lower its time scale`;
  return null;
}

function spanInWords(ms: number): string {
  if (ms < 120_000) return `${Math.ceil(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.ceil(ms / 3_600_000)} h`;
}

/** Makes a rule of its text and a body that returns when the rule is kept and throws otherwise. */
export function rule(text: RuleText, body: (service: Service) => Promise<void>): Rule {
  const { id, says, source, observed, ...needs } = text;
  return {
    id,
    says,
    source,
    ...(observed === undefined ? {} : { observed }),
    check: async (service) => {
      const missing = missingNeed(needs, service);
      if (missing !== null) return { verdict: 'not observable', detail: missing };
      try {
        await body(service);
        return { verdict: 'pass', detail: '' };
      } catch (error) {
        if (error instanceof Unobservable) return { verdict: 'not observable', detail: error.message };
        return { verdict: 'fail', detail: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
