import { maxBatchRows } from '../../../src-preload/batch.ts';
import { rowText } from '../../messages/composer/rows.ts';
import { inputAt, planVariables, type UsedVariable } from '../variables/variable-plan.ts';
import type { Variable } from '../variables/variable.ts';
import type { GoodInput } from './parsed-inputs.ts';

/** The inputs that rows with placeholders make: each row becomes one input for each combination of its variables. */
export interface RowsPlan {
  /** The variables of all rows, in the order of their first occurrence. */
  used: UsedVariable[];
  /** The number of inputs of all rows together. */
  jobs: number;
  /** Why the inputs cannot be made, or null. */
  problem: string | null;
}

/** The inputs that `rows` make with the given variables. Pure. */
export function planRows(rows: readonly GoodInput[], variables: readonly Variable[]): RowsPlan {
  const used = new Map<string, UsedVariable>();
  let jobs = 0;
  let problem: string | null = null;
  for (const { line, inputText } of rows) {
    const plan = planVariables(inputText, variables);
    jobs += plan.jobs;
    if (plan.problem !== null) problem ??= rowText.inLine(line, plan.problem.message);
    for (const each of plan.used) {
      const before = used.get(each.variable.name);
      if (before === undefined || (each.isNeeded && !before.isNeeded)) used.set(each.variable.name, each);
    }
  }
  if (jobs > maxBatchRows && problem === null) problem = rowText.tooManyJobs(jobs, maxBatchRows);
  return { used: [...used.values()], jobs, problem };
}

/** The inputs that `rows` make, each with its row's index. */
export function* inputsOfRows(
  rows: readonly GoodInput[],
  variables: readonly Variable[],
): Generator<{ row: number; inputText: string }> {
  for (const [row, { inputText }] of rows.entries()) {
    const plan = planVariables(inputText, variables);
    for (let index = 0; index < plan.jobs; index += 1) yield { row, inputText: inputAt(inputText, plan, index) };
  }
}
