import { valuesFileText } from '../../messages/composer/variables.ts';
import { useComposerNotice } from '../composer-notice.ts';
import { useComposer } from '../composer-store.ts';
import { plainTextOf } from '../drop/file-text.ts';
import { undoDraft } from '../replace-input.ts';
import type { UsedVariable } from './variable-plan.ts';
import { delimiterOf, readCsv, withoutMark } from '../read-csv.ts';

/** The values of variables in a file, by name. */
type FileValues = ReadonlyMap<string, string[]>;

/**
 * The values of the variables `names` in a file: in a table, the columns with their names; otherwise one value per
 * line, if there is only one variable. Empty cells and lines are left out. Empty if the file has no values for them.
 * Pure.
 */
export function valuesFromFile(fileText: string, names: readonly string[]): FileValues {
  const text = withoutMark(fileText);
  const records = readCsv(text, delimiterOf(text.slice(0, 100_000)));
  const header = records.next();
  const cells = header.done === true ? [] : header.value.cells.map((cell) => cell.text.trim());
  const columns = names.filter((name) => cells.includes(name)).map((name) => ({ name, at: cells.indexOf(name) }));
  const [only] = names;
  if (columns.length === 0) {
    const lines = text.split(/[\r\n]+/).map((line) => line.trim());
    const values = lines.filter((line) => line !== '');
    return new Map(only === undefined || names.length > 1 || values.length === 0 ? [] : [[only, values]]);
  }
  const lists = new Map(columns.map(({ name }): [string, string[]] => [name, []]));
  for (const record of records) {
    if (record.problem !== null) continue;
    for (const { name, at } of columns) {
      const value = record.cells[at]?.text.trim() ?? '';
      if (value !== '') lists.get(name)?.push(value);
    }
  }
  return new Map([...lists].filter(([, values]) => values.length > 0));
}

/** The values are kept in the draft, and each one is drawn or counted. */
const maxBytes = 5_000_000;

/** Gives variables the values in a file, as lists. Their former values can be restored. */
export async function takeValues(file: File, used: readonly UsedVariable[]): Promise<void> {
  const { show } = useComposerNotice.getState();
  const names = used.map(({ variable }) => variable.name);
  const unchanged = (detail: string): void => show({ title: valuesFileText.unchanged, detail, actions: [] });
  if (file.size > maxBytes) {
    unchanged(valuesFileText.tooLarge(file.name, file.size, maxBytes));
    return;
  }
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes === null ? null : plainTextOf(new Uint8Array(bytes));
  if (text === null) {
    unchanged(bytes === null ? valuesFileText.couldNotRead(file.name) : valuesFileText.notText(file.name));
    return;
  }
  const lists = valuesFromFile(text, names);
  const { draft, change } = useComposer.getState();
  if (draft === null) return;
  if (lists.size === 0) {
    unchanged(valuesFileText.noColumn(file.name, names));
    return;
  }
  const former = draft.variables;
  const given = used
    .map(({ variable }) => ({ ...variable, kind: 'list' as const, list: lists.get(variable.name) ?? [] }))
    .filter(({ list }) => list.length > 0);
  change({ variables: [...former.filter(({ name }) => !lists.has(name)), ...given] });
  show({
    title: valuesFileText.read(file.name),
    detail: valuesFileText.counts(given),
    actions: undoDraft({ variables: former }),
  });
}
