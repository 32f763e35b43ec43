import { parseJson } from '../../../src-preload/json-spans.ts';
import type { CommonFact } from '../../../src-preload/failure-cause.ts';

/** The facts of a job by path: a number, or the text of any other scalar. */
export type JobFacts = ReadonlyMap<string, string | number>;

/** The name of the only fact that is not a value of the input. */
export const workerFact = 'worker';

const deepest = 3;
const maxFacts = 60;
/** Longer texts are prompts, which no two jobs share. */
const maxValueChars = 80;
const maxShown = 6;
/** With fewer failed jobs, or too little difference from completed ones, a fact is not significant. */
const minFailedShare = 0.6;
const minDifference = 0.25;

/** The scalars of an input by their paths, those nearest to the top first. Lists are left out. */
export function inputFacts(inputText: string): Map<string, string | number> {
  const facts = new Map<string, string | number>();
  let level: { path: string; value: unknown }[] = [{ path: '', value: parseJson(inputText) }];
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, value } of level) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      for (const [name, inner] of Object.entries(value)) {
        if (facts.size >= maxFacts) return facts;
        const innerPath = path === '' ? name : `${path}.${name}`;
        if (typeof inner === 'number') facts.set(innerPath, inner);
        else if (typeof inner === 'boolean' || inner === null) facts.set(innerPath, String(inner));
        else if (typeof inner === 'string') {
          if (inner.length <= maxValueChars) facts.set(innerPath, JSON.stringify(inner));
        } else next.push({ path: innerPath, value: inner });
      }
    }
    level = next;
  }
  return facts;
}

/** What most of the failed jobs have and most of the completed ones lack, the most significant first. */
export function inCommon(failed: readonly JobFacts[], completed: readonly JobFacts[]): CommonFact[] {
  if (failed.length < 2) return [];
  const names = new Set(failed.flatMap((facts) => [...facts.keys()]));
  const found = [...names].flatMap((name) => {
    const facts = candidates(name, failed, completed)
      .map((candidate) => ({ candidate, score: scoreOf(candidate, failed.length, completed.length) }))
      .filter(({ score }) => score !== null)
      .sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
    return facts.slice(0, 1);
  });
  return found
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .slice(0, maxShown)
    .map(({ candidate }) => candidate);
}

/** The most frequent value of a name among the failed jobs; for numbers also their bounds. */
function candidates(name: string, failed: readonly JobFacts[], completed: readonly JobFacts[]): CommonFact[] {
  const counts = new Map<string | number, number>();
  const numbers: number[] = [];
  for (const facts of failed) {
    const value = facts.get(name);
    if (value === undefined) continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (typeof value === 'number') numbers.push(value);
  }
  const count = (those: readonly JobFacts[], isIt: (value: string | number) => boolean): number =>
    those.filter((facts) => {
      const value = facts.get(name);
      return value !== undefined && isIt(value);
    }).length;
  const fact = (value: string, isIt: (value: string | number) => boolean): CommonFact => ({
    name,
    value,
    failed: count(failed, isIt),
    completed: count(completed, isIt),
    instead: null,
  });
  const [max] = [...counts].sort(([, one], [, other]) => other - one);
  const bounds: CommonFact[] = [];
  if (numbers.length > 1 && new Set(numbers).size > 1) {
    const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
    bounds.push(
      fact(`≥ ${min.toLocaleString('en-US')}`, (value) => typeof value === 'number' && value >= min),
      fact(`≤ ${max.toLocaleString('en-US')}`, (value) => typeof value === 'number' && value <= max),
    );
  }
  if (max === undefined) return bounds;
  const [value] = max;
  const shown = typeof value === 'number' ? value.toLocaleString('en-US') : value;
  const instead = name === workerFact ? null : insteadOf(name, counts, completed);
  return [{ ...fact(shown, (other) => other === value), instead }, ...bounds];
}

/** The most frequent value of a name among the completed jobs that no failed job has. */
function insteadOf(
  name: string,
  failedValues: ReadonlyMap<string | number, number>,
  completed: readonly JobFacts[],
): CommonFact['instead'] {
  const counts = new Map<string | number, number>();
  for (const facts of completed) {
    const value = facts.get(name);
    if (value !== undefined && !failedValues.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [max] = [...counts].sort(([, one], [, other]) => other - one);
  return max === undefined ? null : { json: String(max[0]), completed: max[1] };
}

/** The difference between the shares of failed and completed jobs that have it. Null if it is not significant. */
function scoreOf(fact: CommonFact, failed: number, completed: number): number | null {
  const failedShare = fact.failed / failed;
  // If no job completed, there is nothing to compare with.
  const completedShare = completed === 0 ? 1 : fact.completed / completed;
  const difference = failedShare - completedShare;
  return failedShare >= minFailedShare && difference >= minDifference ? difference : null;
}
