import type { History } from '../../../src-main/history/history.ts';
import { emptyFilter, type JobFilter, type JobSort } from '../../../src-preload/history.ts';
import type { BenchResult } from '../run.ts';
import { firstAtMs, id, word } from './jobs.ts';
import { both, latencies, percentiles } from './measure.ts';

const hourMs = 3_600_000;

/** Writes something, so that no count is cached from the call before. */
async function forgetTotals(history: History): Promise<void> {
  await history.putDocument('bench', 'written', 'between');
}

async function measured(
  history: History,
  filter: Partial<JobFilter>,
  sort: JobSort | null = null,
): Promise<{ p50: number; p95: number; total: string }> {
  let total = '';
  const { p50, p95 } = await latencies(
    40,
    async () => {
      const page = await history.list({ ...emptyFilter, ...filter }, null, 100, sort);
      total = `${page.total}${page.isTotalCut ? '+' : ''}`;
    },
    () => forgetTotals(history),
  );
  return { p50, p95, total };
}

/** Every kind of list, each with its total. */
export async function measureLists(history: History, jobs: number): Promise<BenchResult> {
  const lastAtMs = firstAtMs + jobs * 1_000;
  await history.putDocument(
    'cost',
    'bench',
    JSON.stringify({
      connectionId: 'c1',
      endpointId: 'text',
      rates: [{ creditsPerHour: 3_600, sinceMs: 0 }],
      limits: { perJob: null, perDay: null },
      limitsSinceMs: 0,
    }),
  );
  const filters: Record<string, Partial<JobFilter>> = {
    'first list of 100': {},
    'list of a connection': { connectionId: 'c1' },
    'list failed': { view: 'failed' },
    'list one endpoint, completed': { connectionId: 'c1', endpointId: 'text', statuses: ['completed'] },
    'list tag': { tags: ['eval'] },
    'list tag of a connection': { connectionId: 'c1', tags: ['eval'] },
    'list without tag': { notTags: ['eval'] },
    'list without tag of a connection': { connectionId: 'c1', notTags: ['eval'] },
    'list since nearly all': { sinceMs: firstAtMs + hourMs },
    'list since of a connection': { connectionId: 'c1', sinceMs: firstAtMs + hourMs },
    'list since an hour': { sinceMs: lastAtMs - hourMs },
    'list before': { connectionId: 'c1', beforeMs: firstAtMs + 24 * hourMs },
    'list took>30s': { connectionId: 'c1', took: { over: 30_000, under: null } },
    'list took<1s': { took: { over: null, under: 1_000 } },
    'list waited>49s': { waited: { over: 49_000, under: null } },
    'list cost>100 (one bad day)': { cost: { over: 100, under: null } },
    'list cost>0.5 (most)': { cost: { over: 0.5, under: null } },
    'list id': { idStart: id(777).slice(0, 6) },
    'list id of one digit': { connectionId: 'c1', idStart: 'a' },
    'list same input': { sameInput: id(777) },
    'list has:error': { has: ['error'] },
    'list has:images (none)': { has: ['images'] },
    'list has:stream': { has: ['stream'] },
    'list active': { view: 'active' },
    'list finished today': { view: 'finished-today' },
  };
  const result: BenchResult = {};
  const all: number[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const { total, ...times } = await measured(history, filter);
    if (name !== 'first list of 100') all.push(times.p95);
    result[`${name} (${total}) p50 / p95 ms`] = both(times);
  }
  result['worst p95 of the filtered lists ms'] = Math.max(...all);
  for (const column of ['status', 'id', 'endpoint', 'title', 'wait', 'execution', 'created', 'ttl', 'cost'] as const)
    for (const isDescending of [true, false]) {
      const times = await measured(history, { connectionId: 'c1' }, { column, isDescending });
      result[`sorted by ${column} ${isDescending ? 'down' : 'up'} p50 / p95 ms`] = both(times);
    }
  return result;
}

/** Words of every frequency, phrases, beginnings and parts of ids. */
export async function measureSearches(history: History): Promise<BenchResult> {
  const queries = [
    'firstofall',
    word(3_000),
    word(300),
    word(30),
    word(0),
    'prompt',
    `${word(0)} ${word(1)}`,
    `${word(10)} ${word(2_000)}`,
    `"${word(5)} ${word(9)}"`,
    word(700).slice(0, 4),
    word(2).slice(0, 3),
    word(2).slice(0, 2),
    word(2).slice(0, 1),
    '東京',
    id(777).slice(9, 20),
    id(4_242).slice(0, 13),
    'nothinglikethis',
  ];
  const result: BenchResult = {};
  const all: number[] = [];
  for (const text of queries) {
    let total = '';
    const { values, ...times } = await latencies(
      40,
      async () => {
        const page = await history.list({ ...emptyFilter, text }, null, 50);
        total = `${page.total}${page.isTotalCut ? '+' : ''}`;
      },
      () => forgetTotals(history),
    );
    all.push(...values);
    result[`search ${text} (${total}) p50 / p95 ms`] = both(times);
  }
  return {
    ...result,
    ...Object.fromEntries(Object.entries(percentiles(all)).map(([name, value]) => [`search ${name} ms`, value])),
  };
}
