import type { CommonFact, FactTrait, JsonType } from '../../../src-preload/failure-cause.ts';
import { valuesOf } from '../jobs/input-scalars.ts';

/** What a job has at one path. `value`: a number, or the JSON of any other short scalar. Null: it is not compared. */
export interface JobFact {
  type: JsonType;
  value: string | number | null;
}

/** The facts of a job by path. */
export type JobFacts = ReadonlyMap<string, JobFact>;

/** The name of the only fact that is not a value of the input. */
export const workerFact = 'worker';

const maxFacts = 60;
/** Longer texts are prompts, which no two jobs share. */
const maxValueChars = 80;
const maxShown = 6;
/** With fewer failed jobs, or too little difference from completed ones, a fact is not significant. */
const minFailedShare = 0.6;
const minDifference = 0.25;
/** A shorter key is part of many messages by chance, so it counts as named only in quotes. */
const minNamedChars = 3;

/** The values of an input by their paths, those nearest to the top first. What is in lists is left out. */
export function inputFacts(inputText: string): Map<string, JobFact> {
  const facts = new Map<string, JobFact>();
  for (const [path, value] of valuesOf(inputText)) {
    if (facts.size >= maxFacts) break;
    facts.set(path, factOf(value));
  }
  return facts;
}

function factOf(value: unknown): JobFact {
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'string')
    return { type: 'text', value: value.length <= maxValueChars ? JSON.stringify(value) : null };
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (value === null) return { type: 'null', value: 'null' };
  return { type: Array.isArray(value) ? 'list' : 'object', value: null };
}

/**
 * What most of the failed jobs have and most of the completed ones lack. First what `message`, the error, names, and of
 * that what is of another type; then the most significant.
 */
export function inCommon(failed: readonly JobFacts[], completed: readonly JobFacts[], message: string): CommonFact[] {
  if (failed.length < 2 || completed.length === 0) return [];
  const found = frequentNames(failed, completed).flatMap((name) => {
    const isNamed = namesPath(message, name);
    const ranked = candidates(name, failed, completed)
      .map((candidate) => ({ ...candidate, isNamed }))
      .filter((fact) => isSignificant(fact, failed.length, completed.length))
      .map((fact) => ({ fact, score: fact.failed / failed.length - fact.completed / completed.length }))
      .sort((one, other) => other.score - one.score);
    return ranked.slice(0, 1);
  });
  const present = new Set(found.flatMap(({ fact }) => (isWhole(fact.trait) ? [fact.name] : [])));
  return (
    found
      // The parts of an object that only failed jobs have say the same as the object.
      .filter(({ fact }) => !(isWhole(fact.trait) && holdersOf(fact.name).some((holder) => present.has(holder))))
      .sort((one, other) => rankOf(other.fact) - rankOf(one.fact) || other.score - one.score)
      .slice(0, maxShown)
      .map(({ fact }) => fact)
  );
}

/** What the error names comes first, and a wrong type is the most likely thing to be wrong with that. */
function rankOf({ isNamed, trait }: CommonFact): number {
  if (!isNamed) return 0;
  return trait.kind === 'type' ? 2 : 1;
}

function isWhole({ kind }: FactTrait): boolean {
  return kind === 'present' || kind === 'missing';
}

/** `a`, `a.b` of `a.b.c`. If a key contains a dot itself, one of them is not a path, which does no harm. */
function holdersOf(path: string): string[] {
  const steps = path.split('.');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('.'));
}

/** The names that enough jobs have for a significant fact, so that unusual keys cost no time. */
function frequentNames(failed: readonly JobFacts[], completed: readonly JobFacts[]): string[] {
  const count = (those: readonly JobFacts[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const facts of those) for (const name of facts.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  };
  const inFailed = count(failed);
  const inCompleted = count(completed);
  return [...new Set([...inFailed.keys(), ...inCompleted.keys()])].filter(
    (name) =>
      (inFailed.get(name) ?? 0) >= failed.length * minFailedShare ||
      (inCompleted.get(name) ?? 0) >= completed.length * minDifference,
  );
}

/** Whether a message contains the path, or the last key of it, as a word of its own. */
function namesPath(message: string, path: string): boolean {
  if (path === workerFact) return false;
  return [path, path.slice(path.lastIndexOf('.') + 1)].some((key) => containsWord(message, key));
}

function containsWord(message: string, key: string): boolean {
  if (key === '') return false;
  for (let at = message.indexOf(key); at !== -1; at = message.indexOf(key, at + 1)) {
    const [before, after] = [message[at - 1] ?? ' ', message[at + key.length] ?? ' '];
    const isQuoted = /['"`‘“[]/.test(before) && /['"`’”\]]/.test(after);
    if (isQuoted || (key.length >= minNamedChars && !/[\w-]/.test(before) && !/[\w-]/.test(after))) return true;
  }
  return false;
}

type Candidate = Omit<CommonFact, 'isNamed'>;

/**
 * What can be said of a path, what says the most first: a type that completed jobs do not have there, the most frequent
 * value of the failed jobs, the bounds of their numbers, and whether it is there at all.
 */
function candidates(name: string, failed: readonly JobFacts[], completed: readonly JobFacts[]): Candidate[] {
  const those = failed.flatMap((facts) => facts.get(name) ?? []);
  const fact = (trait: FactTrait, has: (fact: JobFact | undefined) => boolean): Candidate => ({
    name,
    trait,
    failed: failed.filter((facts) => has(facts.get(name))).length,
    completed: completed.filter((facts) => has(facts.get(name))).length,
    instead: null,
  });
  const value = mostFrequent(those.map((each) => each.value));
  const values: Candidate[] = [];
  if (value !== null) {
    const instead = name === workerFact ? null : insteadOf(name, new Set(those.map((each) => each.value)), completed);
    const text = typeof value === 'number' ? value.toLocaleString('en-US') : value;
    values.push({ ...fact({ kind: 'value', text }, (of) => of?.value === value), instead });
  }
  if (name === workerFact) return values;
  const type = mostFrequent(those.map((each) => each.type));
  const types =
    type !== null && isUnusual(name, type, those, completed)
      ? [fact({ kind: 'type', type }, (of) => of?.type === type)]
      : [];
  return [
    ...types,
    ...values,
    ...(completed.some((facts) => facts.get(name)?.type === 'number') ? bounds(those, fact) : []),
    fact({ kind: 'present' }, (of) => of !== undefined),
    fact({ kind: 'missing' }, (of) => of === undefined),
  ];
}

/** Whether the type itself is worth naming: completed jobs have another one, or it is a number within quotes. */
function isUnusual(name: string, type: JsonType, those: readonly JobFact[], completed: readonly JobFacts[]): boolean {
  const other = completed.some((facts) => (facts.get(name)?.type ?? type) !== type);
  return (
    other || (type === 'text' && those.every(({ value }) => /^"(?:-?\d+(?:\.\d+)?|true|false)"$/.test(`${value}`)))
  );
}

function bounds(
  those: readonly JobFact[],
  fact: (trait: FactTrait, has: (fact: JobFact | undefined) => boolean) => Candidate,
): Candidate[] {
  const numbers = those.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  if (new Set(numbers).size < 2) return [];
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const bound = (text: string, isIn: (value: number) => boolean): Candidate =>
    fact({ kind: 'value', text }, (of) => typeof of?.value === 'number' && isIn(of.value));
  return [
    bound(`≥ ${min.toLocaleString('en-US')}`, (value) => value >= min),
    bound(`≤ ${max.toLocaleString('en-US')}`, (value) => value <= max),
  ];
}

function mostFrequent<T>(all: readonly (T | null)[]): T | null {
  const counts = new Map<T, number>();
  for (const each of all) if (each !== null) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [max] = [...counts].sort(([, one], [, other]) => other - one);
  return max === undefined ? null : max[0];
}

/** The most frequent value of a name among the completed jobs that no failed job has. */
function insteadOf(
  name: string,
  failedValues: ReadonlySet<JobFact['value']>,
  completed: readonly JobFacts[],
): CommonFact['instead'] {
  const others = completed.flatMap((facts) => {
    const value = facts.get(name)?.value ?? null;
    return value === null || failedValues.has(value) ? [] : [value];
  });
  const json = mostFrequent(others);
  return json === null ? null : { json: String(json), completed: others.filter((each) => each === json).length };
}

/** Whether most failed jobs have it, and clearly more of them than of the completed ones. */
function isSignificant(fact: Candidate, failed: number, completed: number): boolean {
  const share = fact.failed / failed;
  return share >= minFailedShare && share - fact.completed / completed >= minDifference;
}
