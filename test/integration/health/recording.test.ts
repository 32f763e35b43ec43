import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../kit/health-recording-files.ts';
import { inputAt } from '../../kit/health-recording.ts';
import type { HealthRecording } from '../../kit/health-recording.ts';
import { recordHealth } from '../../kit/health-recording-player.ts';
import { recordingScenarios } from '../../kit/health-recording-scenarios.ts';
import { diagnose } from '../../../src-main/health/diagnosis/diagnose.ts';

/** Short ones that need each part of the recorder: starts, crashes, throttling, timeouts, results, ttl. */
const again = [
  'cold-start-10s',
  'crash-and-requeue',
  'throttled-some',
  'one-timeout-of-many',
  'runsync-unread',
  'outlives-ttl',
] as const;

/** At which reading which kinds show, as a text to compare. */
function timeline(recording: HealthRecording): string[] {
  return recording.readings.map(
    ([at], index) =>
      `${at}: ${diagnose(inputAt(recording, index))
        .map(({ kind, severity }) => `${kind} ${severity}`)
        .join(', ')}`,
  );
}

const cases = again.flatMap((name) => [[name, 'spec'] as const, [name, 'observed'] as const]);

describe('the sandbox, recorded again', () => {
  it.each(cases)(
    '%s, %s: gives the diagnoses of the saved recording',
    async (name, dialect) => {
      const scenario = recordingScenarios.find((candidate) => candidate.name === name);
      const kept = readRecordings().get(`${name}.${dialect}`);
      if (scenario === undefined || kept === undefined) throw new Error(`There is no ${name}.`);
      expect(timeline(await recordHealth(scenario, dialect))).toEqual(timeline(kept));
    },
    120_000,
  );
});
