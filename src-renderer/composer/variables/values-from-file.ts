import { delimiterOf, readCsv, withoutMark } from '../read-csv.ts';

/** The values of variables in a file, by name. */
export type FileValues = ReadonlyMap<string, string[]>;

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
