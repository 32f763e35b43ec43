import { readdirSync, readFileSync } from 'node:fs';
import type { HealthRecording } from './health-recording.ts';

/** The folder of the recordings. */
export const recordedFolder = new URL('../integration/health/recorded/', import.meta.url);

/** A recording in its file format: a line for each reading and each job. */
export function textOf({ name, about, dialect, readings, jobs }: HealthRecording): string {
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  const list = (rows: readonly unknown[]): string => (rows.length === 0 ? '[]' : `[\n${lines(rows)}\n  ]`);
  return `{
  "name": ${JSON.stringify(name)},
  "about": ${JSON.stringify(about)},
  "dialect": ${JSON.stringify(dialect)},
  "readings": ${list(readings)},
  "jobs": ${list(jobs)}
}
`;
}

/** All recordings, by `name.dialect`. */
export function readRecordings(): Map<string, HealthRecording> {
  const files = readdirSync(recordedFolder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return new Map(
    files.map((file): [string, HealthRecording] => {
      const recording: HealthRecording = JSON.parse(readFileSync(new URL(file, recordedFolder), 'utf8'));
      return [`${recording.name}.${recording.dialect}`, recording];
    }),
  );
}
