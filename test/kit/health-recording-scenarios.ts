import type { RecordingScenario } from './health-recording.ts';

/** Endpoints that are well: nothing is to be said of them. */
export const healthyScenarios: readonly RecordingScenario[] = [
  {
    name: 'scaled-to-zero',
    about: 'Nothing waits and no worker runs.',
    workers: {}, everyS: 5, lastsS: 600, steps: [],
  },
  {
    name: 'one-kept-worker',
    about: 'One worker is kept, and a short job comes every 10 s.',
    workers: { minWorkers: 1 }, everyS: 2, lastsS: 240,
    steps: [{ atS: 0, submit: { count: 24, everyS: 10, runS: [2, 3, 4] } }],
  },
  {
    name: 'burst-drained',
    about: '40 jobs of 2 s at once; five workers are up and drain them in 16 s.',
    workers: { minWorkers: 5, maxWorkers: 5, coldStartS: 1 }, everyS: 1, lastsS: 90,
    steps: [{ atS: 0, submit: { count: 1, runS: 1 } }, { atS: 20, submit: { count: 40, runS: 2 } }],
  },
  {
    name: 'bursts-from-zero',
    about: 'Small bursts wake an endpoint that is scaled to zero; it starts in 3 s.',
    workers: { maxWorkers: 4, coldStartS: 3, idleTimeoutS: 20 }, everyS: 2, lastsS: 300,
    steps: [30, 110, 190, 260].map((atS) => ({ atS, submit: { count: 6, runS: 3 } })),
  },
  {
    name: 'near-capacity',
    about: 'Three workers keep up with jobs of 3 s that come about as fast as they can be done.',
    workers: { minWorkers: 3, coldStartS: 1 }, everyS: 2, lastsS: 240,
    steps: [{ atS: 5, submit: { count: 215, everyS: 1.08, runS: [3, 3.4, 2.6, 4, 2] } }],
  },
  {
    name: 'one-in-five-fails',
    about: 'One job of five fails, workers are fine.',
    workers: { minWorkers: 2, maxWorkers: 3 }, everyS: 3, lastsS: 300,
    steps: [{ atS: 5, submit: { count: 120, everyS: 2.4, runS: [2, 3], how: ['return', 'fail', 'return', 'return', 'return'] } }],
  },
  {
    name: 'service-restarted',
    about: 'The service starts anew in the middle of the day: its counters begin at 0.',
    workers: { minWorkers: 2, coldStartS: 1 }, everyS: 3, lastsS: 240,
    steps: [{ atS: 0, submit: { count: 60, everyS: 2, runS: 2 } }, { atS: 121, restartService: true }, { atS: 125, submit: { count: 50, everyS: 2, runS: 2 } }],
  },
  {
    name: 'app-was-closed',
    about: 'The app is closed for ten minutes in the middle of steady work.',
    workers: { minWorkers: 2, coldStartS: 1 }, everyS: 4, lastsS: 900,
    steps: [{ atS: 0, submit: { count: 150, everyS: 6, runS: 3 } }, { atS: 120, closedForS: 600 }],
  },
  {
    name: 'bulk-retry',
    about: 'Twelve jobs fail one after another among good ones; all of them are retried at once and complete.',
    workers: { minWorkers: 4, maxWorkers: 4, coldStartS: 1 }, everyS: 2, lastsS: 180,
    steps: [
      { atS: 2, submit: { count: 12, everyS: 6, runS: 3 } },
      { atS: 4, submit: { count: 4, everyS: 14, runS: 1, how: 'fail' } },
      { atS: 80, retryFailed: true },
      { atS: 80, submit: { count: 20, everyS: 4, runS: 3 } },
    ],
  },
  {
    name: 'half-fails',
    about: 'Every other job fails, workers are fine: bad inputs, not a bad endpoint.',
    workers: { minWorkers: 2, maxWorkers: 2, coldStartS: 1 }, everyS: 3, lastsS: 180,
    steps: [{ atS: 3, submit: { count: 50, everyS: 3.4, runS: [1, 2, 3], how: ['return', 'fail'] } }],
  },
  {
    name: 'poison-job',
    about: 'One job takes down each worker that it is given to, twice; all others complete.',
    workers: { minWorkers: 3, maxWorkers: 3, coldStartS: 2 }, crashRetries: 1, everyS: 2, lastsS: 150,
    steps: [{ atS: 2, submit: { count: 40, everyS: 3, runS: 3 } }, { atS: 50, submit: { count: 1, runS: 2, how: 'crash' } }],
  },
  {
    name: 'scales-up',
    about: 'Work grows, and workers come one after another, each after a start of 6 s.',
    workers: { minWorkers: 1, maxWorkers: 10, coldStartS: 6, idleTimeoutS: 30 }, everyS: 2, lastsS: 200,
    steps: [{ atS: 2, submit: { count: 10, everyS: 4, runS: 3 } }, { atS: 42, submit: { count: 30, everyS: 2, runS: 6 } }, { atS: 102, submit: { count: 60, everyS: 1, runS: 7 } }],
  },
  {
    name: 'long-jobs',
    about: 'Jobs that run for five minutes on as many workers as there are jobs.',
    workers: { minWorkers: 0, maxWorkers: 4, coldStartS: 2, idleTimeoutS: 30 }, everyS: 5, lastsS: 420,
    steps: [{ atS: 10, submit: { count: 3, everyS: 20, runS: 300 } }],
  },
];

/** Endpoints that something is wrong with. */
export const troubledScenarios: readonly RecordingScenario[] = [
  {
    name: 'cold-start-10s',
    about: 'Six jobs wake an endpoint whose workers take 10 s to start.',
    workers: { coldStartS: 10 }, everyS: 1, lastsS: 60,
    steps: [{ atS: 5, submit: { count: 6, runS: 2 } }],
  },
  {
    name: 'cold-start-90s',
    about: 'A large image: the first worker takes 90 s.',
    workers: { coldStartS: 90 }, everyS: 3, lastsS: 180,
    steps: [{ atS: 6, submit: { count: 4, runS: 3 } }],
  },
  {
    name: 'cold-start-again',
    about: 'Workers that took 8 s the first time take 40 s the second.',
    workers: { coldStartS: 8, idleTimeoutS: 20 }, everyS: 2, lastsS: 260,
    steps: [{ atS: 4, submit: { count: 2, runS: 2 } }, { atS: 100, workers: { coldStartS: 40 } }, { atS: 120, submit: { count: 4, runS: 2 } }],
  },
  {
    name: 'max-workers-0',
    about: 'Max workers is 0: jobs wait for nothing.',
    workers: { maxWorkers: 0 }, everyS: 3, lastsS: 420,
    steps: [{ atS: 6, submit: { count: 5 } }],
  },
  {
    name: 'scaled-down-to-0',
    about: 'Max workers is set to 0 while jobs wait.',
    workers: { minWorkers: 2, maxWorkers: 2 }, everyS: 3, lastsS: 360,
    steps: [{ atS: 0, submit: { count: 200, everyS: 1.5, runS: 2 } }, { atS: 60, workers: { minWorkers: 0, maxWorkers: 0 } }],
  },
  {
    name: 'low-priority-only',
    about: 'Only lowPriority jobs wait, which bring up no workers.',
    workers: {}, everyS: 4, lastsS: 300,
    steps: [{ atS: 8, submit: { count: 4, isLowPriority: true } }],
  },
  {
    name: 'throttled-all',
    about: 'The host holds back all three workers.',
    workers: { throttledWorkers: 3 }, everyS: 3, lastsS: 400,
    steps: [{ atS: 6, submit: { count: 6 } }],
  },
  {
    name: 'throttled-some',
    about: 'The host holds back two of three workers, and more comes than one can do.',
    workers: { throttledWorkers: 2 }, everyS: 3, lastsS: 300,
    steps: [{ atS: 3, submit: { count: 100, everyS: 2.5, runS: 5 } }],
  },
  {
    name: 'throttled-later',
    about: 'Busy workers are held back one after another, and let go again.',
    workers: { maxWorkers: 4, coldStartS: 2 }, everyS: 3, lastsS: 420,
    steps: [{ atS: 3, submit: { count: 130, everyS: 2, runS: 6 } }, { atS: 60, workers: { throttledWorkers: 3 } }, { atS: 280, workers: { throttledWorkers: 0 } }],
  },
  {
    name: 'all-busy-growing',
    about: 'Two workers and twice the work they can do.',
    workers: { maxWorkers: 2 }, everyS: 3, lastsS: 360,
    steps: [{ atS: 3, submit: { count: 140, everyS: 2.5, runS: 10 } }],
  },
  {
    name: 'all-busy-long-jobs',
    about: 'Two workers are held by jobs of ten minutes, five wait.',
    workers: { maxWorkers: 2 }, everyS: 5, lastsS: 420,
    steps: [{ atS: 5, submit: { count: 7, runS: 600, timeoutS: 3_600 } }],
  },
  {
    name: 'all-busy-foreign',
    about: 'Somebody else fills the queue; one job of ours is in it.',
    workers: { maxWorkers: 3 }, everyS: 4, lastsS: 300,
    steps: [{ atS: 2, submit: { count: 120, everyS: 1.5, runS: 9, isForeign: true } }, { atS: 60, submit: { count: 1, runS: 9 } }],
  },
  {
    name: 'backlog-drains',
    about: 'A long backlog that five busy workers clear in a few minutes.',
    workers: { minWorkers: 5, maxWorkers: 5, coldStartS: 1 }, everyS: 3, lastsS: 420,
    steps: [{ atS: 3, submit: { count: 180, runS: 10 } }],
  },
  {
    name: 'crash-on-job',
    about: 'Every job takes its worker down, and is FAILED.',
    workers: { maxWorkers: 2, coldStartS: 4 }, everyS: 2, lastsS: 240,
    steps: [{ atS: 4, submit: { count: 60, everyS: 3, runS: 2, how: 'crash' } }],
  },
  {
    name: 'crash-and-requeue',
    about: 'Workers fall over under every job, and the jobs go back into the queue three times.',
    workers: { maxWorkers: 2, coldStartS: 5 }, crashRetries: 3, everyS: 2, lastsS: 300,
    steps: [{ atS: 4, submit: { count: 8, runS: 1, how: 'crash' } }],
  },
  {
    name: 'crash-at-start',
    about: 'Workers fall over 6 s after they began to start, again and again.',
    workers: { maxWorkers: 2, coldStartS: 2 }, everyS: 3, lastsS: 360,
    steps: [{ atS: 0, startsDieAfterS: 6 }, { atS: 5, submit: { count: 5 } }],
  },
  {
    name: 'crash-after-release',
    about: 'Work goes well until every job takes its worker down; then it is mended.',
    workers: { minWorkers: 2, maxWorkers: 2, coldStartS: 3 }, everyS: 2, lastsS: 300,
    steps: [{ atS: 0, submit: { count: 40, everyS: 2, runS: 2 } }, { atS: 80, submit: { count: 30, everyS: 3, runS: 1, how: 'crash' } }, { atS: 180, submit: { count: 50, everyS: 2, runS: 2 } }],
  },
  {
    name: 'every-job-fails',
    about: 'The handler throws for every job; workers stay up.',
    workers: { minWorkers: 2, maxWorkers: 2 }, everyS: 2, lastsS: 180,
    steps: [{ atS: 4, submit: { count: 40, everyS: 4, runS: 1, how: 'fail' } }],
  },
  {
    name: 'outlives-ttl',
    about: 'One worker, jobs of 20 s, and a ttl of five minutes.',
    workers: { maxWorkers: 1 }, everyS: 4, lastsS: 360,
    steps: [{ atS: 4, submit: { count: 30, runS: 20, ttlS: 300 } }],
  },
  {
    name: 'outlives-ttl-no-workers',
    about: 'No worker comes, and the ttl of ten minutes runs out.',
    workers: { maxWorkers: 0 }, everyS: 5, lastsS: 590,
    steps: [{ atS: 5, submit: { count: 4, ttlS: 600 } }],
  },
  {
    name: 'timeouts',
    about: 'Half of the jobs run into their executionTimeout of 20 s.',
    workers: { minWorkers: 3, maxWorkers: 3, coldStartS: 1 }, everyS: 3, lastsS: 240,
    steps: [{ atS: 4, submit: { count: 24, everyS: 8, runS: 5, how: ['return', 'hang'], timeoutS: 20 } }],
  },
  {
    name: 'near-timeout',
    about: 'Jobs take 27 s of the 30 s they may take.',
    workers: { minWorkers: 3, maxWorkers: 3, coldStartS: 1 }, everyS: 3, lastsS: 240,
    steps: [{ atS: 4, submit: { count: 15, everyS: 12, runS: [27, 26, 28], timeoutS: 30 } }],
  },
  {
    name: 'runsync-unread',
    about: 'The result of a runsync job is not fetched.',
    workers: { minWorkers: 1, coldStartS: 1 }, everyS: 2, lastsS: 100,
    steps: [{ atS: 4, submit: { count: 1, runS: 3, operation: 'runsync', isUnread: true } }],
  },
  {
    name: 'run-unread',
    about: 'Results of run jobs are not fetched for half an hour.',
    workers: { minWorkers: 1, coldStartS: 1 }, everyS: 15, lastsS: 1_830,
    steps: [{ atS: 15, submit: { count: 3, runS: 3, isUnread: true } }],
  },
  {
    name: 'restart-into-nothing',
    about: 'The service starts anew, and no worker comes for what is submitted then.',
    workers: { minWorkers: 2, coldStartS: 1 }, everyS: 3, lastsS: 400,
    steps: [{ atS: 0, submit: { count: 30, everyS: 2, runS: 2 } }, { atS: 80, workers: { minWorkers: 0, maxWorkers: 0 } }, { atS: 90, restartService: true }, { atS: 100, submit: { count: 3 } }],
  },
  {
    name: 'no-workers-app-closed',
    about: 'Max workers is 0, and the app is closed for four minutes meanwhile.',
    workers: { maxWorkers: 0 }, everyS: 4, lastsS: 480,
    steps: [{ atS: 8, submit: { count: 3 } }, { atS: 100, closedForS: 240 }],
  },
  {
    name: 'one-timeout-of-many',
    about: 'One job of thirty hangs until its executionTimeout of 30 s.',
    workers: { minWorkers: 2, maxWorkers: 2, coldStartS: 1 }, everyS: 3, lastsS: 200,
    steps: [{ atS: 3, submit: { count: 29, everyS: 5, runS: 4, timeoutS: 30 } }, { atS: 60, submit: { count: 1, how: 'hang', timeoutS: 30 } }],
  },
  {
    name: 'timeouts-mended',
    about: 'Jobs run into their executionTimeout until they are given more.',
    workers: { minWorkers: 3, maxWorkers: 3, coldStartS: 1 }, everyS: 3, lastsS: 300,
    steps: [{ atS: 3, submit: { count: 8, everyS: 8, how: 'hang', timeoutS: 15 } }, { atS: 90, submit: { count: 12, everyS: 10, runS: 18, timeoutS: 60 } }],
  },
  {
    name: 'purged-in-time',
    about: 'Too much for two workers, until the queue is purged.',
    workers: { maxWorkers: 2 }, everyS: 3, lastsS: 300,
    steps: [{ atS: 3, submit: { count: 40, runS: 15 } }, { atS: 150, purge: true }],
  },
];

export const recordingScenarios: readonly RecordingScenario[] = [...healthyScenarios, ...troubledScenarios];
