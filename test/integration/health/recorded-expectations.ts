import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import type { Diagnosis, DiagnosisKind } from '../../../src-preload/diagnosis.ts';

/**
 * A kind of finding that a recording must show: its worst level, and the seconds between which it shows first and last.
 */
export interface Expected {
  kind: DiagnosisKind;
  worst: Diagnosis['severity'];
  firstS: readonly [number, number];
  lastS: readonly [number, number];
}

function shows(
  kind: DiagnosisKind,
  worst: Diagnosis['severity'],
  firstS: readonly [number, number],
  lastS: readonly [number, number],
): Expected {
  return { kind, worst, firstS, lastS };
}

function both(...expected: Expected[]): Record<Dialect, Expected[]> {
  return { spec: expected, observed: expected };
}

/**
 * The expected diagnosis of each recorded scenario. Kinds that are not named never show. The seconds follow from the
 * scenario (test/kit/health-recording-scenarios.ts): when its problem begins and ends, and how long a rule waits.
 */
export const expectations: Readonly<Record<string, Record<Dialect, Expected[]>>> = {
  // Healthy endpoints.
  'scaled-to-zero': both(),
  'one-kept-worker': both(),
  'burst-drained': both(),
  'bursts-from-zero': both(),
  'near-capacity': both(),
  'one-in-five-fails': both(),
  'half-fails': both(),
  'poison-job': both(),
  'scales-up': both(),
  'service-restarted': both(),
  'app-was-closed': both(),
  'bulk-retry': both(),
  'long-jobs': both(),

  // Jobs at 5 s, workers at 15 s.
  'cold-start-10s': both(shows('cold-start', 'notice', [10, 11], [13, 14])),
  // Jobs at 6 s, workers at 96 s.
  'cold-start-90s': both(shows('cold-start', 'warning', [11, 15], [90, 95])),
  // The second start, from 120 s to 160 s, is the long one.
  'cold-start-again': both(shows('cold-start', 'warning', [9, 11], [155, 159])),

  // Jobs at 6 s. In the dialect that does not report starting workers, it might be a start for two minutes.
  'max-workers-0': {
    spec: [
      shows('cold-start', 'warning', [11, 15], [118, 125]),
      shows('no-workers', 'critical', [120, 132], [420, 420]),
    ],
    observed: [shows('no-workers', 'critical', [21, 27], [420, 420])],
  },
  // Workers are removed at 60 s. They are gone a little later.
  'scaled-down-to-0': {
    spec: [shows('cold-start', 'warning', [65, 72], [90, 115]), shows('no-workers', 'warning', [93, 118], [360, 360])],
    observed: [shows('no-workers', 'warning', [75, 84], [360, 360])],
  },
  'low-priority-only': {
    spec: [
      shows('cold-start', 'warning', [13, 20], [120, 128]),
      shows('no-workers', 'warning', [124, 136], [300, 300]),
    ],
    observed: [shows('no-workers', 'warning', [23, 28], [300, 300])],
  },
  // Closed from 100 s to 340 s: readings before are not joined with those after.
  'no-workers-app-closed': {
    spec: [
      shows('cold-start', 'warning', [13, 20], [452, 460]),
      shows('no-workers', 'warning', [456, 468], [480, 480]),
    ],
    observed: [shows('no-workers', 'warning', [23, 28], [480, 480])],
  },
  // Jobs at 100 s, after the service restarts at 90 s.
  'restart-into-nothing': {
    spec: [
      shows('cold-start', 'warning', [105, 111], [141, 225]),
      shows('no-workers', 'warning', [144, 228], [399, 399]),
    ],
    observed: [shows('no-workers', 'warning', [115, 120], [399, 399])],
  },

  // The specification's dialect does not report throttled workers.
  'throttled-all': {
    spec: [
      shows('cold-start', 'warning', [11, 15], [118, 125]),
      shows('no-workers', 'critical', [120, 132], [399, 399]),
    ],
    observed: [shows('throttled', 'critical', [16, 21], [399, 399])],
  },
  'throttled-some': {
    spec: [shows('all-busy', 'warning', [48, 63], [300, 300])],
    observed: [shows('throttled', 'warning', [33, 48], [300, 300])],
  },
  // From 60 s to 280 s.
  'throttled-later': {
    spec: [shows('all-busy', 'warning', [93, 130], [276, 330])],
    observed: [shows('throttled', 'warning', [90, 110], [276, 282])],
  },

  'all-busy-growing': {
    spec: [shows('all-busy', 'warning', [48, 66], [360, 360])],
    observed: [shows('all-busy', 'warning', [33, 51], [360, 360])],
  },
  'all-busy-long-jobs': {
    spec: [shows('all-busy', 'warning', [50, 65], [420, 420])],
    observed: [shows('all-busy', 'warning', [35, 50], [420, 420])],
  },
  // Nothing arrives after 180 s, so that the queue clears.
  'all-busy-foreign': {
    spec: [shows('all-busy', 'warning', [48, 68], [200, 280])],
    observed: [shows('all-busy', 'warning', [33, 52], [200, 280])],
  },
  'backlog-drains': {
    spec: [shows('all-busy', 'notice', [46, 60], [200, 300])],
    observed: [shows('all-busy', 'notice', [31, 45], [200, 300])],
  },
  // Purged at 150 s.
  'purged-in-time': {
    spec: [shows('all-busy', 'notice', [48, 60], [144, 149])],
    observed: [shows('all-busy', 'notice', [33, 45], [144, 149])],
  },

  'crash-on-job': both(
    shows('cold-start', 'notice', [9, 12], [9, 14]),
    shows('crash-looping', 'critical', [14, 30], [240, 240]),
  ),
  // All jobs fail finally at 100 s. That counts as recent for three minutes.
  'crash-and-requeue': both(
    shows('cold-start', 'notice', [9, 12], [10, 18]),
    shows('crash-looping', 'critical', [14, 26], [276, 284]),
  ),
  'crash-at-start': {
    spec: [
      shows('cold-start', 'warning', [10, 15], [118, 125]),
      shows('no-workers', 'critical', [120, 132], [360, 360]),
    ],
    observed: [
      shows('cold-start', 'notice', [10, 15], [18, 36]),
      shows('crash-looping', 'critical', [24, 39], [360, 360]),
    ],
  },
  // From 80 s. Repaired from 180 s on.
  'crash-after-release': both(shows('crash-looping', 'critical', [86, 110], [170, 186])),
  'every-job-fails': both(shows('crash-looping', 'critical', [14, 34], [180, 180])),

  // The first ttl ends at 304 s.
  'outlives-ttl': {
    spec: [shows('all-busy', 'notice', [48, 64], [296, 303]), shows('outlives-ttl', 'critical', [60, 92], [296, 303])],
    observed: [
      shows('all-busy', 'notice', [33, 52], [296, 303]),
      shows('outlives-ttl', 'critical', [60, 92], [296, 303]),
    ],
  },
  // It ends at 605 s.
  'outlives-ttl-no-workers': {
    spec: [
      shows('cold-start', 'warning', [9, 15], [115, 125]),
      shows('no-workers', 'critical', [120, 135], [590, 590]),
      shows('outlives-ttl', 'critical', [300, 315], [590, 590]),
    ],
    observed: [
      shows('no-workers', 'critical', [20, 30], [590, 590]),
      shows('outlives-ttl', 'critical', [300, 315], [590, 590]),
    ],
  },

  timeouts: both(shows('near-timeout', 'critical', [27, 36], [240, 240])),
  // The last timeout is at about 75 s. It is over after five successes.
  'timeouts-mended': both(shows('near-timeout', 'critical', [14, 20], [120, 160])),
  // The job runs from 60 s to 90 s.
  'one-timeout-of-many': both(shows('near-timeout', 'notice', [82, 93], [93, 125])),
  'near-timeout': both(shows('near-timeout', 'notice', [27, 36], [240, 240])),

  // Accepted at 4 s and not read since: its result may be deleted from 64 s on, and no client knows that it exists.
  'runsync-unread': both(shows('results-expiring', 'critical', [39, 41], [100, 100])),
  // Accepted at 15 s: their results may be deleted from 1,815 s on.
  'run-unread': both(shows('results-expiring', 'critical', [1_215, 1_230], [1_830, 1_830])),
};
