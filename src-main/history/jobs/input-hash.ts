import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { number, statement } from '../file/row.ts';
import { inputBody, readBody } from './bodies.ts';

/** A longer input is hashed as it was sent. */
const maxOrderedChars = 262_144;
/** A number that JavaScript may round, so that two different ones would have the same hash. */
const longNumber = /\d{16}/;

/**
 * The hash of an input. It is the same for JSON that differs only in the order of members, in spaces and in the
 * notation of numbers and strings. Null if there is no input.
 */
export function hashOfInput(json: string): number | null {
  if (json === '') return null;
  const isOrdered = json.length <= maxOrderedChars && !longNumber.test(json);
  const value = isOrdered ? parseJson(json) : undefined;
  const digest = hash('sha256', value === undefined ? json : orderedText(value), 'buffer');
  // 52 bits, which a number of JavaScript holds exactly.
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) & 15);
}

/** The JSON of a value with the members of its objects sorted. It uses a stack, because values may be nested deeply. */
function orderedText(value: unknown): string {
  const parts: string[] = [];
  const open: (string | { value: unknown })[] = [{ value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    if (Array.isArray(next.value)) {
      parts.push('[');
      open.push(']');
      for (const item of next.value.toReversed()) open.push(',', { value: item });
    } else if (typeof next.value === 'object' && next.value !== null) {
      parts.push('{');
      open.push('}');
      const members = Object.entries(next.value).sort(([a], [b]) => (a < b ? 1 : -1));
      for (const [name, member] of members) open.push(',', { value: member }, `${JSON.stringify(name)}:`);
    } else parts.push(JSON.stringify(next.value));
  }
  return parts.join('');
}

/** How many jobs of former versions are hashed in one idle step. */
const jobsPerStep = 100;

/** Adds the hash to jobs of former versions, newest first. Returns whether there are more. */
export function hashFormerInputs(db: DatabaseSync): boolean {
  const place = statement(db, 'SELECT below_id FROM inputs_unhashed').get();
  if (place === undefined) return false;
  const ids = statement(db, 'SELECT id FROM jobs WHERE id < ? ORDER BY id DESC LIMIT ?')
    .all(number(place, 'below_id'), jobsPerStep)
    .map((row) => number(row, 'id'));
  for (const id of ids) statement(db, 'UPDATE jobs SET input_hash = ? WHERE id = ?').run(readInputHash(db, id), id);
  const last = ids.at(-1);
  if (last === undefined) statement(db, 'DELETE FROM inputs_unhashed').run();
  else statement(db, 'UPDATE inputs_unhashed SET below_id = ?').run(last);
  return last !== undefined;
}

/** The hash of a job's saved input. */
export function readInputHash(db: DatabaseSync, job: number): number | null {
  return hashOfInput(readBody(db, job, inputBody)?.text ?? '');
}
