import { createSeededRandom } from '../../../../src-main/sandbox/seeded-random.ts';
import type { JobPlan } from '../one-clock/scene.ts';
import type { Run } from '../one-clock/played-jobs.ts';

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/** Something that happens on the day, `atMs` after its start. */
export type DayEvent = { atMs: number } & (
  | { kind: 'submit'; plan: JobPlan }
  /** By another client of the same endpoint: its counters change for jobs that are not ours. */
  | { kind: 'submit-elsewhere'; plan: JobPlan }
  | { kind: 'cancel'; marker: string }
  /** By another client: no counter shows it. */
  | { kind: 'cancel-elsewhere'; marker: string }
  | { kind: 'retry'; marker: string }
  | { kind: 'away'; how: 'offline' | 'close' | 'crash' | 'sleep'; forMs: number }
  | { kind: 'window'; isVisible: boolean }
  | { kind: 'watch'; marker: string; forMs: number }
);

export interface Day {
  endpoints: readonly string[];
  events: readonly DayEvent[];
  plans: readonly JobPlan[];
}

export const longestAwayMs = 25 * minuteMs;

/**
 * The first hours of a user's day: single jobs, bursts, other clients at the same endpoints, and an app that is
 * unreachable again and again.
 */
export function planDay(seed: number, hours: number): Day {
  const random = createSeededRandom(seed);
  const between = (min: number, max: number): number => Math.round(min + random() * (max - min));
  /** As often between 1 and 10 as between 10 and 100. */
  const spread = (min: number, max: number): number => Math.round(min * (max / min) ** random());
  const isLucky = (chance: number): boolean => random() < chance;
  const endpoints = ['diffusion', 'whisper', 'llm', 'batch'];
  const events: DayEvent[] = [];
  const plans: JobPlan[] = [];

  function durationOf(): number {
    const kind = random();
    if (kind < 0.5) return spread(1.5 * secondMs, 30 * secondMs);
    if (kind < 0.88) return spread(30 * secondMs, 10 * minuteMs);
    if (kind < 0.98) return spread(10 * minuteMs, hourMs);
    return spread(hourMs, 3 * hourMs);
  }

  function runOf(marker: string, isStreamed: boolean, durationMs: number, number: number): Run {
    const chunks = isStreamed ? Array.from({ length: between(1, 8) }, (_, index) => ({ marker, number, index })) : null;
    return {
      durationMs,
      chunks:
        chunks === null
          ? null
          : chunks
              .map((value) => ({ atMs: between(0, durationMs), value }))
              .toSorted((a, b) => a.atMs - b.atMs)
              .map((chunk, index) => ({ ...chunk, value: chunks[index] })),
      end: isLucky(0.15)
        ? { command: 'fail', message: `${marker} failed at run ${number}` }
        : { command: 'return', value: { marker, number } },
    };
  }

  function ttlOf(durationMs: number): number | null {
    const kind = random();
    if (kind < 0.5) return null;
    // Shortly after the end, shortly before it, or long after.
    if (kind < 0.75) return Math.max(10 * secondMs, durationMs + spread(20 * secondMs, 40 * minuteMs));
    if (kind < 0.82) return Math.max(10 * secondMs, between(durationMs / 3, durationMs));
    return spread(24 * hourMs, 7 * 24 * hourMs);
  }

  function job(endpointId: string, durationMs: number): JobPlan {
    const marker = `job ${plans.length + 1}`;
    const ttl = ttlOf(durationMs);
    const isTooLong = isLucky(0.04);
    const isStreamed = isLucky(0.15);
    const executionTimeout = isTooLong
      ? Math.max(5 * secondMs, Math.round(durationMs / 2))
      : Math.max(10 * minuteMs, durationMs * 2);
    const plan: JobPlan = {
      marker,
      draft: {
        endpointId,
        operation: isLucky(0.35) ? 'runsync' : 'run',
        policy: { executionTimeout, ...(ttl === null ? {} : { ttl }) },
      },
      runs: [
        runOf(marker, isStreamed, durationMs, 1),
        runOf(marker, isStreamed, between(2 * secondMs, 2 * minuteMs), 2),
      ],
    };
    plans.push(plan);
    return plan;
  }

  const endpoint = (): string => endpoints[between(0, endpoints.length - 1)] ?? 'llm';
  const lastSubmissionMs = (hours - 2) * hourMs;
  for (let single = 0; single < (130 * hours) / 24; single += 1) {
    const plan = job(endpoint(), durationOf());
    const atMs = between(0, lastSubmissionMs);
    events.push({ kind: 'submit', atMs, plan });
    const { durationMs } = plan.runs[0] ?? { durationMs: 0 };
    const fortune = random();
    if (fortune < 0.1)
      events.push({
        kind: fortune < 0.05 ? 'cancel' : 'cancel-elsewhere',
        atMs: atMs + between(0, durationMs),
        marker: plan.marker,
      });
    if (plan.runs[0]?.end.command === 'fail' && isLucky(0.5))
      events.push({ kind: 'retry', atMs: atMs + durationMs + between(0, 20 * minuteMs), marker: plan.marker });
    if (isLucky(0.05))
      events.push({
        kind: 'watch',
        atMs: atMs + between(0, durationMs),
        marker: plan.marker,
        forMs: between(10 * secondMs, 2 * minuteMs),
      });
  }
  for (let burst = 0; burst < hours / 2; burst += 1) {
    const atMs = between(0, lastSubmissionMs);
    const endpointId = endpoint();
    const typicalMs = spread(4 * secondMs, 4 * minuteMs);
    for (let one = 0; one < between(5, 16); one += 1) {
      const durationMs = Math.round(typicalMs * (0.6 + random()));
      const plan = job(endpointId, durationMs);
      events.push({ kind: 'submit', atMs: atMs + between(0, 3 * secondMs), plan });
      if (isLucky(0.2))
        events.push({
          kind: 'cancel-elsewhere',
          atMs: atMs + between(4 * secondMs, typicalMs * 2),
          marker: plan.marker,
        });
    }
    for (let one = 0; one < between(0, 6); one += 1) {
      events.push({
        kind: 'submit-elsewhere',
        atMs: atMs + between(0, 3 * minuteMs),
        plan: job(endpointId, typicalMs),
      });
    }
  }

  // Most gaps are short. Sometimes the app is away nearly all the time: results that wait for half an hour can then be
  // read for a minute or two.
  for (let atMs = spread(2 * minuteMs, hourMs), hardRounds = 0; atMs < (hours - 0.5) * hourMs;) {
    const kind = random();
    const how = kind < 0.5 ? 'offline' : kind < 0.58 ? 'close' : kind < 0.66 ? 'crash' : 'sleep';
    if (hardRounds === 0 && isLucky(0.25)) hardRounds = between(2, 5);
    const forMs = hardRounds > 0 ? between(18 * minuteMs, longestAwayMs) : spread(secondMs, longestAwayMs);
    events.push({ kind: 'away', atMs, how, forMs });
    atMs += forMs + (hardRounds > 0 ? between(minuteMs, 2 * minuteMs) : spread(5 * secondMs, 2 * hourMs));
    hardRounds = Math.max(0, hardRounds - 1);
  }
  for (let atMs = 0, isVisible = true; atMs < hours * hourMs; atMs += spread(5 * minuteMs, 3 * hourMs)) {
    isVisible = !isVisible;
    events.push({ kind: 'window', atMs, isVisible });
  }
  return { endpoints, events: events.toSorted((a, b) => a.atMs - b.atMs), plans };
}
