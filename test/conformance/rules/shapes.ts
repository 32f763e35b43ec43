import { isRecord } from '../answers.ts';

/** Checks whether a value has a shape; `name` is for verdicts. */
export interface Shape {
  name: string;
  fits(value: unknown): boolean;
}

function shape(name: string, fits: (value: unknown) => boolean): Shape {
  return { name, fits };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const PORT = /^\d{1,5}\/(http|tcp)$/;

export const text = shape('a string', isText);
export const integer = shape('an integer', (value) => Number.isInteger(value));
export const number = shape('a number', isNumber);
export const boolean = shape('a boolean', (value) => typeof value === 'boolean');
export const texts = shape('an array of strings', (value) => Array.isArray(value) && value.every(isText));
export const ports = shape(
  'an array of <port>/<protocol>',
  (value) => Array.isArray(value) && value.every((port) => isText(port) && PORT.test(port)),
);
export const textMap = shape('an object of strings', (value) => isRecord(value) && Object.values(value).every(isText));
export const portMap = shape(
  'an object of port numbers',
  (value) =>
    isRecord(value) && Object.entries(value).every(([port, open]) => /^\d+$/.test(port) && Number.isInteger(open)),
);
export const ipv4 = shape('an IPv4 address', (value) => isText(value) && /^(\d{1,3}\.){3}\d{1,3}$/.test(value));
export const timestamp = shape(
  'a timestamp',
  (value) => isText(value) && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(value),
);

/** A number, as a text where the observed dialect writes it so (ruling 29). */
export const numberOrText = shape(
  'a number, or a text of one',
  (value) => isNumber(value) || (isText(value) && /^\d+(\.\d+)?$/.test(value)),
);

export function oneOf(...values: readonly string[]): Shape {
  return shape(`one of ${values.join(', ')}`, (value) => isText(value) && values.includes(value));
}

export function orNull(inner: Shape): Shape {
  return shape(`${inner.name} or null`, (value) => value === null || inner.fits(value));
}

/** An object with these fields at least. */
export function objectWith(fields: Readonly<Record<string, Shape>>): Shape {
  return shape(
    `an object of ${Object.keys(fields).join(', ')}`,
    (value) => isRecord(value) && misfits(value, fields).length === 0,
  );
}

/** The fields that are missing or of another shape, with what they are. */
export function misfits(record: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, Shape>>): string[] {
  return Object.entries(fields)
    .filter(([name, { fits }]) => !(name in record) || !fits(record[name]))
    .map(
      ([name, { name: wanted }]) =>
        `${name} is ${name in record ? (JSON.stringify(record[name]) ?? '').slice(0, 80) : 'missing'} instead of ${wanted}`,
    );
}
