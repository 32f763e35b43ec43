import { maxBatchRows } from '../../../src-preload/batch.ts';
import { variableProblemText } from '../../messages/composer/draft.ts';
import { placeholdersIn, type Placeholder } from './placeholders.ts';
import { newVariable, type Variable } from './variable.ts';
import { valuesOf, type VariableValue, type VariableValues } from './variable-values.ts';

/** A variable of the input, with its values. Empty `values`: none were given, or they have a problem. */
export interface UsedVariable {
  variable: Variable;
  values: VariableValue[];
  problem: string | null;
  /** It has a placeholder outside a string, where a value is required. */
  isNeeded: boolean;
}

/** The inputs that an input with placeholders makes. */
export interface VariablePlan {
  placeholders: Placeholder[];
  /** In the order of their first occurrence. */
  used: UsedVariable[];
  /** How many inputs it makes: 1 without a list or a range. */
  jobs: number;
  /** Why they cannot be made, with the place in the text. */
  problem: { message: string; from: number; to: number } | null;
  /** By how many UTF-8 bytes the longest input is longer than the text (negative: shorter). */
  growthBytes: number;
}

/** The most bytes of all inputs of a batch together, because they are journalled in one transaction. */
const maxBytes = 400_000_000;

/** The variables of the placeholders in `text`, with the given values. Pure. */
export function planVariables(text: string, variables: readonly Variable[]): VariablePlan {
  const placeholders = placeholdersIn(text);
  const used = usedIn(placeholders, variables);
  const jobs = used.reduce((product, { values }) => product * Math.max(1, values.length), 1);
  const growthBytes = growthOf(text, placeholders, used);
  return { placeholders, used, jobs, problem: problemOf(text, placeholders, used, { jobs, growthBytes }), growthBytes };
}

function usedIn(placeholders: readonly Placeholder[], variables: readonly Variable[]): UsedVariable[] {
  const given = new Map(variables.map((variable) => [variable.name, variable]));
  const used = new Map<string, UsedVariable>();
  for (const { name, isInString } of placeholders) {
    const before = used.get(name);
    if (before !== undefined) {
      before.isNeeded ||= !isInString;
      continue;
    }
    const variable = given.get(name) ?? newVariable(name);
    const read = valuesRead(variable);
    used.set(name, {
      variable,
      values: read.kind === 'values' ? read.values : [],
      problem: read.kind === 'problem' ? read.message : null,
      isNeeded: !isInString,
    });
  }
  return [...used.values()].map(withBroken);
}

const read = new WeakMap<Variable, VariableValues>();

/** The values of a variable. Cached, because every row of a batch needs them. */
function valuesRead(variable: Variable): VariableValues {
  const known = read.get(variable);
  if (known !== undefined) return known;
  const values = valuesOf(variable);
  read.set(variable, values);
  return values;
}

/** Outside a string, a value that begins as JSON must be valid JSON. */
function withBroken(used: UsedVariable): UsedVariable {
  const broken = used.isNeeded ? used.values.find(({ isBroken }) => isBroken) : undefined;
  if (broken === undefined) return used;
  const { shown } = broken;
  const start = shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
  return { ...used, values: [], problem: variableProblemText.notJson(start) };
}

function problemOf(
  text: string,
  placeholders: readonly Placeholder[],
  used: readonly UsedVariable[],
  { jobs, growthBytes }: Pick<VariablePlan, 'jobs' | 'growthBytes'>,
): VariablePlan['problem'] {
  const wrong = used.find(({ problem, values, isNeeded }) => problem !== null || (isNeeded && values.length === 0));
  if (wrong !== undefined) {
    const { name } = wrong.variable;
    // For a variable without a value: the place that requires one.
    const at = placeholders.find((each) => each.name === name && (wrong.problem !== null || !each.isInString));
    return {
      message:
        wrong.problem === null
          ? variableProblemText.giveValue(name)
          : variableProblemText.ofVariable(name, wrong.problem),
      from: at?.from ?? 0,
      to: at?.to ?? 0,
    };
  }
  const [first] = placeholders;
  if (first === undefined || jobs === 1) return null;
  const { from, to } = first;
  if (jobs > maxBatchRows) return { message: variableProblemText.tooManyJobs(jobs, maxBatchRows), from, to };
  if (jobs * (text.length + Math.max(0, growthBytes)) > maxBytes)
    return { message: variableProblemText.tooLarge(jobs), from, to };
  return null;
}

const encoder = new TextEncoder();
const bytesOf = (value: string): number => encoder.encode(value).length;

function growthOf(text: string, placeholders: readonly Placeholder[], used: readonly UsedVariable[]): number {
  if (placeholders.length === 0) return 0;
  const byName = new Map(used.map(({ variable, values }) => [variable.name, values]));
  return placeholders.reduce((sum, { name, from, to, isInString }) => {
    const values = byName.get(name);
    if (values === undefined || values.length === 0) return sum;
    const longest = longestOf(values);
    return sum + (isInString ? longest.inString : longest.json) - bytesOf(text.slice(from, to));
  }, 0);
}

const lengths = new WeakMap<readonly VariableValue[], { json: number; inString: number }>();

/** UTF-8 bytes of the longest of some values, in both forms. Cached. */
function longestOf(values: readonly VariableValue[]): { json: number; inString: number } {
  const known = lengths.get(values);
  if (known !== undefined) return known;
  const longest = {
    json: values.reduce((max, { json }) => Math.max(max, bytesOf(json)), 0),
    inString: values.reduce((max, { inString }) => Math.max(max, bytesOf(inString)), 0),
  };
  lengths.set(values, longest);
  return longest;
}

/** Which value each variable has in input number `index` (from 0). The first variable changes fastest. Pure. */
export function choiceAt(used: readonly UsedVariable[], index: number): number[] {
  let rest = index;
  return used.map(({ values }) => {
    const count = Math.max(1, values.length);
    const chosen = rest % count;
    rest = Math.floor(rest / count);
    return chosen;
  });
}

/** The number of the input in which the variables have these values: the inverse of `choiceAt`. Pure. */
export function indexOf(used: readonly UsedVariable[], choice: readonly number[]): number {
  return used.reduceRight((index, { values }, at) => index * Math.max(1, values.length) + (choice[at] ?? 0), 0);
}

/** Input number `index` (from 0). A placeholder without a value stays, and so does every other character. Pure. */
export function inputAt(text: string, { placeholders, used }: VariablePlan, index: number): string {
  if (placeholders.length === 0) return text;
  const choice = choiceAt(used, index);
  const chosen = new Map(used.map(({ variable, values }, at) => [variable.name, values[choice[at] ?? 0]]));
  let filled = '';
  let from = 0;
  for (const placeholder of placeholders) {
    const value = chosen.get(placeholder.name);
    if (value === undefined) continue;
    filled += text.slice(from, placeholder.from) + (placeholder.isInString ? value.inString : value.json);
    from = placeholder.to;
  }
  return filled + text.slice(from);
}
