import { oneLine, titleFromInput, usualTitle } from '../../../src-preload/job-title.ts';
import { scalarsOf, type Scalar } from '../../history/jobs/input-scalars.ts';
import { inParts } from '../../async/turns.ts';
import { namedValue, rowTitle } from '../../messages/job.ts';

/** Fields of an input that are compared, and the longest input that is read for them. */
const maxFields = 100;
const maxChars = 200_000;
/** Values in a title, and characters of one. */
const maxValues = 4;
const maxValueChars = 32;

/**
 * The titles of a batch's rows: the usual ones if each says which row it is. Otherwise they begin with the values in
 * which the rows differ ("seed 17: Write a poem"). A title by `rule`, that of the endpoint, is the user's and stays.
 */
export async function rowTitles(inputs: readonly string[], endpointId: string, rule = ''): Promise<string[]> {
  const usual: string[] = [];
  await inParts(inputs, (slice) => {
    for (const inputText of slice) usual.push(titleFromInput(inputText, endpointId, rule));
  });
  // Cheap: a title that only names fields begins with the endpoint.
  const isNameless = (at: number): boolean =>
    usual[at]?.startsWith(endpointId) === true && usualTitle(inputs[at] ?? '') === null;
  const isClear = new Set(usual).size === inputs.length && !usual.some((_, at) => isNameless(at));
  if (rule !== '' || isClear) return usual;
  const differences = new Differences();
  await inParts(inputs, (slice) => {
    for (const inputText of slice) differences.note(inputText);
  });
  const titles: (string | null)[] = [];
  await inParts(inputs, (slice, from) => {
    for (const [index, inputText] of slice.entries())
      titles.push(differences.titleOf(inputText, isNameless(from + index) ? null : (usual[from + index] ?? null)));
  });
  return titles.map((title, at) => title ?? usual[at] ?? '');
}

/** In which fields the rows of a batch differ. */
class Differences {
  /** By path: the first value, and how many rows have one. */
  readonly #fields = new Map<string, { value: Scalar; rows: number; isVaried: boolean }>();
  #rows = 0;

  note(inputText: string): void {
    this.#rows += 1;
    for (const [path, value] of fieldsOf(inputText)) {
      const field = this.#fields.get(path);
      if (field !== undefined) {
        field.rows += 1;
        field.isVaried ||= field.value !== value;
      } else if (this.#fields.size < maxFields) this.#fields.set(path, { value, rows: 1, isVaried: false });
    }
  }

  /** A title with the values of a row. Null if it has none beyond `telling`, which says what the row is about. */
  titleOf(inputText: string, telling: string | null): string | null {
    const values = [...fieldsOf(inputText)]
      .filter(([path, value]) => this.#isVaried(path) && oneLine(String(value)) !== telling)
      .slice(0, maxValues)
      .map(nameOf);
    return values.length === 0 ? null : oneLine(rowTitle(values, telling));
  }

  #isVaried(path: string): boolean {
    const field = this.#fields.get(path);
    return field !== undefined && (field.isVaried || field.rows < this.#rows);
  }
}

/** Whether a title was made of the values of this input, and so not by the user. */
export function isRowTitle(title: string, inputText: string): boolean {
  let values: string[] = [];
  for (const field of fieldsOf(inputText)) {
    const longer = [...values, nameOf(field)];
    if (title.startsWith(rowTitle(longer, null))) values = longer;
  }
  return values.length > 0 && title === oneLine(rowTitle(values, usualTitle(inputText)));
}

function nameOf([path, value]: [path: string, value: Scalar]): string {
  return namedValue(path.split('.').at(-1) ?? path, oneLine(String(value), maxValueChars));
}

function fieldsOf(inputText: string): Iterable<[path: string, value: Scalar]> {
  return inputText.length > maxChars ? [] : scalarsOf(inputText);
}
