interface BenchLine {
  measures: string;
  /** How long it takes without options, on two busy cores or by its own fixed times. Null: not measured. */
  takes: string | null;
}

/** What each bench measures, by the name of its file. */
export const benches: Readonly<Record<string, BenchLine>> = {
  durability: {
    measures: 'what is lost when the engine is killed 200 times at random, beside a naive client',
    takes: null,
  },
  health: { measures: 'reading a year of health and the run times of 100,000 jobs', takes: 'up to two minutes' },
  history: {
    measures: 'saving, searching and listing 100,000 jobs, beside plain tables and files',
    takes: null,
  },
  idle: {
    measures: 'processor time and timers of the built app while no job is active',
    takes: 'over three minutes',
  },
  replies: {
    measures: 'how long large, deep and compressed replies block main, and what memory they take',
    takes: 'up to two and a half minutes',
  },
  sandbox: {
    measures: 'submissions and status reads a second, and memory over 300,000 jobs',
    takes: 'over two minutes',
  },
  start: { measures: 'the start of the built app over a history of 100,000 jobs', takes: null },
  'stream-window': { measures: 'the window of the built app during a stream of 50 MB', takes: null },
  tracker: {
    measures: 'requests and delays of tracking up to 10,000 jobs, beside the official SDK',
    takes: null,
  },
  window: {
    measures: 'scrolling, opening and searching in the built app over a million jobs, and a batch of 10,000 rows',
    takes: null,
  },
};

/** The benches as lines of a terminal. */
export function benchList(): string {
  const width = Math.max(...Object.keys(benches).map((name) => name.length));
  return Object.entries(benches)
    .map(([name, { measures, takes }]) => `  ${name.padEnd(width)}  ${measures}${takes === null ? '' : ` (${takes})`}`)
    .join('\n');
}
