import { firstIndex } from '../../../src-preload/first-index.ts';
import { number, type Row } from '../file/row.ts';

/** A place in a list that is sorted by a column: after the job `id` with that value. */
export type MergeCursor = [value: string | number | null, id: number];

/** The cursor of a row with the columns `id` and `value`. */
export function cursorOf(row: Row): MergeCursor {
  const { value } = row;
  return [typeof value === 'string' || typeof value === 'number' ? value : null, number(row, 'id')];
}

/** Texts are compared as bytes, as SQLite does. */
type Key = number | Buffer;

interface Head<T extends MergeCursor> {
  place: T;
  key: Key;
  /** What follows in the same order. */
  rest: Iterator<T, unknown, undefined>;
}

/**
 * Merges several lists, each sorted by value and id, into one, and reads each only as far as needed. `isFolded`: A and
 * a are equal, as in SQLite's NOCASE. Stop reading it with `return` (a `for` loop does), so that all lists are closed.
 */
export function* mergeOrders<T extends MergeCursor>(
  orders: readonly Iterator<T, unknown, undefined>[],
  { isDescending, isFolded }: { isDescending: boolean; isFolded: boolean },
): Generator<T, void, undefined> {
  const direction = isDescending ? -1 : 1;
  const isBefore = (one: Head<T>, other: Head<T>): boolean =>
    direction * (compared(one.key, other.key) || one.place[1] - other.place[1]) < 0;
  // The next one is last.
  const heads: Head<T>[] = [];
  const insert = (rest: Iterator<T, unknown, undefined>): void => {
    const step = rest.next();
    if (step.done === true) return;
    const head = { place: step.value, key: keyOf(step.value[0], isFolded), rest };
    const at = firstIndex(heads.length, (index) => {
      const other = heads[index];
      return other !== undefined && isBefore(head, other);
    });
    heads.splice(at, 0, head);
  };
  try {
    for (const order of orders) insert(order);
    for (let first = heads.pop(); first !== undefined; first = heads.pop()) {
      yield first.place;
      insert(first.rest);
    }
  } finally {
    for (const order of orders) order.return?.();
  }
}

function keyOf(value: string | number | null, isFolded: boolean): Key {
  if (typeof value !== 'string') return value ?? 0;
  return Buffer.from(isFolded ? value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : value, 'utf8');
}

function compared(one: Key, other: Key): number {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other);
  return Buffer.compare(one, other);
}
