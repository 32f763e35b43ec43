import { variableWarningText } from '../../messages/composer/variables.ts';
import type { UsedVariable, VariablePlan } from './variable-plan.ts';

/** What is probably not meant with a variable, although it can be sent. */
export interface VariableWarning {
  name: string;
  message: string;
}

/**
 * Warns of variables that are sent literally because they have no value, of numbers that become text because of the
 * quotes around their placeholder, and of values listed more than once. In the order of the variables. Pure.
 */
export function variableWarnings(
  text: string,
  { placeholders, used }: Pick<VariablePlan, 'placeholders' | 'used'>,
): VariableWarning[] {
  const isQuoted = (name: string): boolean =>
    placeholders.some(
      (each) =>
        each.name === name && each.isInString && text.charAt(each.from - 1) === '"' && text.charAt(each.to) === '"',
    );
  return used.flatMap((each) => {
    const message = warningOf(each, isQuoted(each.variable.name));
    return message === null ? [] : [{ name: each.variable.name, message }];
  });
}

function warningOf({ variable, values, problem, isNeeded }: UsedVariable, isQuoted: boolean): string | null {
  const { name } = variable;
  if (problem !== null) return null;
  const [first] = values;
  if (first === undefined) return isNeeded ? null : variableWarningText.sentLiterally(name);
  const isPlain = ({ json }: { json: string }): boolean => /^-?\d|^(?:true|false)$/.test(json);
  if (isQuoted && values.every(isPlain)) return variableWarningText.quoted(name, first.shown);
  const shown = values.map((value) => value.json);
  const again = values.filter(({ json }, at) => shown.indexOf(json) !== at);
  const [repeated] = again;
  return repeated === undefined ? null : variableWarningText.repeated(name, repeated.shown, again.length);
}
