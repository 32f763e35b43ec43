import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnosis, DiagnosisKind } from '../../../src-preload/diagnosis.ts';
import { diagnose } from '../../../src-main/health/diagnosis/diagnose.ts';
import { readRecordings, recordedFolder } from '../../kit/health-recording-files.ts';
import { inputAt } from '../../kit/health-recording.ts';
import type { HealthRecording } from '../../kit/health-recording.ts';
import { healthyScenarios, recordingScenarios } from '../../kit/health-recording-scenarios.ts';
import { expectations } from './recorded-expectations.ts';

const recordings = readRecordings();
const worseThan: Record<Diagnosis['severity'], number> = { notice: 0, warning: 1, critical: 2 };

interface Shown {
  worst: Diagnosis['severity'];
  firstS: number;
  lastS: number;
}

/** What was shown while the recording went on, each reading judged with what was known then. */
function shownIn(recording: HealthRecording): Map<DiagnosisKind, Shown> {
  const shown = new Map<DiagnosisKind, Shown>();
  recording.readings.forEach(([at = 0], index) => {
    for (const { kind, severity } of diagnose(inputAt(recording, index))) {
      const before = shown.get(kind) ?? { worst: severity, firstS: at / 1_000, lastS: 0 };
      const worst = worseThan[severity] > worseThan[before.worst] ? severity : before.worst;
      shown.set(kind, { ...before, worst, lastS: at / 1_000 });
    }
  });
  return shown;
}

/** A new kind does not compile until it is here, and fails until a recording shows it. */
const everyKind: Record<DiagnosisKind, true> = {
  'all-busy': true,
  'cold-start': true,
  'crash-looping': true,
  'near-timeout': true,
  'no-workers': true,
  'outlives-ttl': true,
  'results-expiring': true,
  throttled: true,
};

describe('health recorded from the sandbox, diagnosed', () => {
  it.each([...recordings])('%s', (_name, recording) => {
    const shown = shownIn(recording);
    const expected = expectations[recording.name]?.[recording.dialect] ?? [];
    expect([...shown.keys()].sort()).toEqual(expected.map(({ kind }) => kind).sort());
    for (const { kind, worst, firstS, lastS } of expected) {
      const { worst: worstShown, firstS: first = NaN, lastS: last = NaN } = shown.get(kind) ?? {};
      expect.soft({ kind, worst: worstShown }).toEqual({ kind, worst });
      expect
        .soft({ kind, first, isInTime: first >= firstS[0] && first <= firstS[1] })
        .toEqual({ kind, first, isInTime: true });
      expect
        .soft({ kind, last, isInTime: last >= lastS[0] && last <= lastS[1] })
        .toEqual({ kind, last, isInTime: true });
    }
  });
});

describe('the recordings', () => {
  it('exist for each scenario in both dialects, each with its expectation, and are small', () => {
    const names = recordingScenarios.flatMap(({ name }) => [`${name}.observed`, `${name}.spec`]).sort();
    expect([...recordings.keys()].sort()).toEqual(names);
    expect(Object.keys(expectations).sort()).toEqual(recordingScenarios.map(({ name }) => name).sort());
    expect(healthyScenarios.length).toBeGreaterThanOrEqual(8);
    expect(names.filter((name) => statSync(new URL(`${name}.json`, recordedFolder)).size >= 20_000)).toEqual([]);
  });

  it('cover every kind of diagnosis', () => {
    const kinds = new Set([...recordings.values()].flatMap((recording) => [...shownIn(recording).keys()]));
    expect([...kinds].sort()).toEqual(Object.keys(everyKind).sort());
  });
});
