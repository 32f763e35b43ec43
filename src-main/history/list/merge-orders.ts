import { number, type Row } from '../file/row.ts';

/** A place in a list that is put in order by a column: behind the job `id` with that value. */
export type Place = [value: string | number | null, id: number];

/** The place of a row with the columns `id` and `value`. */
export function placeOf(row: Row): Place {
  const { value } = row;
  return [typeof value === 'string' || typeof value === 'number' ? value : null, number(row, 'id')];
}

/** Several orders as one. */
export interface Merged {
  /** Null at the end. */
  next(): Place | null;
  /** Has to be called when no more is wanted. */
  end(): void;
}

/** Texts are compared as bytes, as SQLite does. */
type Key = number | Buffer;

interface Head {
  place: Place;
  key: Key;
  /** What follows it in its own order: the rows that are read now, and those behind them. */
  rows: Iterator<Row>[];
}

/**
 * Puts together what is in order by value and id. Each order is given in parts that follow each other, and is read only
 * as far as it is needed. `isFolded`: A and a are the same, as in SQLite's NOCASE.
 */
export function mergeOrders(
  orders: readonly Iterator<Row>[][],
  { isDescending, isFolded }: { isDescending: boolean; isFolded: boolean },
): Merged {
  const direction = isDescending ? -1 : 1;
  const isBefore = (one: Head, other: Head): boolean =>
    direction * (compared(one.key, other.key) || one.place[1] - other.place[1]) < 0;
  const headOf = (rows: Iterator<Row>[]): Head | null => {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]?.next();
      if (row === undefined || row.done === true) continue;
      const place = placeOf(row.value);
      return { place, key: keyOf(place[0], isFolded), rows: rows.slice(at) };
    }
    return null;
  };
  // The next one stands last.
  const heads: Head[] = [];
  const insert = (rows: Iterator<Row>[]): void => {
    const head = headOf(rows);
    if (head === null) return;
    let low = 0;
    let high = heads.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = heads[middle];
      if (other !== undefined && isBefore(head, other)) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, head);
  };
  for (const rows of orders) insert([...rows]);
  return {
    next() {
      const first = heads.pop();
      if (first === undefined) return null;
      insert(first.rows);
      return first.place;
    },
    end() {
      for (const { rows } of heads) for (const each of rows) each.return?.();
    },
  };
}

function keyOf(value: string | number | null, isFolded: boolean): Key {
  if (typeof value !== 'string') return value ?? 0;
  return Buffer.from(isFolded ? value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : value, 'utf8');
}

function compared(one: Key, other: Key): number {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other);
  return Buffer.compare(one, other);
}
