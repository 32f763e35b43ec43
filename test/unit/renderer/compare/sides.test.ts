import { expect, test } from 'vitest';
import type { Attempt, Job } from '../../../../src-preload/job.ts';
import { compareTexts, type Compared } from '../../../../src-renderer/compare/compared.ts';
import { factRows, statusKindOf } from '../../../../src-renderer/compare/fact-rows.ts';
import { comparisonReport } from '../../../../src-renderer/compare/report.ts';
import { changesText, compareRowTexts } from '../../../../src-renderer/compare/row-texts.ts';
import type { SideRead } from '../../../../src-renderer/compare/sides.ts';
import { aJob } from '../../../kit/a-job.ts';
import { drained } from '../stream/drained.ts';

function side(job: Partial<Job>, attempt: Partial<Attempt>, firstReceivedAtMs: number | null = null): SideRead {
  const own: Attempt = {
    number: 1,
    startedAtMs: 1_000,
    status: 'COMPLETED',
    delayTimeMs: 400,
    executionTimeMs: 2_000,
    workerId: null,
    errorText: null,
    hasOutput: true,
    outputBytes: 10,
    chunkCount: 0,
    finishedSeenAtMs: null,
    ...attempt,
  };
  const whole = aJob({ phase: 'finished', status: 'COMPLETED', ...job });
  return {
    side: { key: whole.key, attempt: null },
    detail: {
      job: whole,
      attempts: [own],
      webhook: null,
      waitMs: null,
      s3ProfileId: null,
      note: '',
      lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
      error: null,
      extraFields: {},
    },
    attempt: own,
    bodies: { input: '{}', output: null, firstReceivedAtMs },
    problem: null,
  };
}

const compared = (...texts: (string | null)[]): Compared => drained(compareTexts(texts, false));

test('bars show the state of each side, the wait, or an amount that is not a state', () => {
  const failed = side({ status: 'FAILED' }, { executionTimeMs: 1_000 }, 1_900);
  const rows = factRows([side({}, {}, 1_750), failed], [], 9_000);
  const bars = Object.fromEntries(rows.map(({ name, bars: what }) => [name, what]));
  expect(bars).toMatchObject({ Execution: 'state', 'First token': 'ink', 'Output size': 'ink' });
  expect(bars['In queue']).toBe('queue');
  expect(statusKindOf(failed)).toBe('fail');
  // From when a worker took it: what it waited before is no part of it.
  const token = rows.find(({ name }) => name === 'First token');
  expect(token?.cells.map(({ amount }) => amount)).toEqual([350, 500]);
  expect(token?.change).toBe('43 % more');
  const without = factRows([side({}, { delayTimeMs: null }, 1_750), side({}, {})], [], 9_000);
  expect(without.some(({ name }) => name === 'First token')).toBe(false);
});

test('the changes between two texts are counted, and a text without a counterpart is shown whole', () => {
  const story = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
  const textsOf = (...values: (string | null)[]) => {
    const rows = compared(...values.map((value) => (value === null ? '{}' : JSON.stringify({ text: value })))).rows;
    const row = rows.find(({ path }) => path === '$.text');
    return row === undefined ? null : drained(compareRowTexts(row));
  };
  expect(changesText(textsOf(story, story.replace('word3 ', 'other ').replace('word30', 'last')))).toBe('2 changes');
  expect(changesText(textsOf(story, `${story} and more`))).toBe('1 change');
  const long = `${story}\n`.repeat(400);
  const alone = textsOf(long, null);
  expect(alone?.[0]?.parts[0]).toMatchObject({ kind: 'same' });
  expect(alone?.[1]).toBeNull();
  expect(changesText(alone)).toBe('');
});

test('a report contains the service’s output as text, and nothing that a browser would load', () => {
  const evil = '<img src=x onerror=alert(1)><script>1</script>';
  const part = {
    part: 'output' as const,
    texts: [JSON.stringify({ html: evil }), JSON.stringify({ html: 'plain' })],
    compared: compared(JSON.stringify({ html: evil }), JSON.stringify({ html: 'plain' })),
  };
  const sides = [side({ title: evil }, {}), side({ key: 'key-2', title: 'B' }, {})];
  const html = drained(
    comparisonReport({ sides, facts: factRows(sides, [], 0), parts: [part], atMs: 0, nonce: 'only-here' }),
  );
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).toContain("style-src 'nonce-only-here'");
  expect(html).toContain('<style nonce="only-here">');
  expect(html).toContain('1 of 1 value differs');
  expect(html.endsWith('</html>\n')).toBe(true);
});

test('the cost of a compared job that runs does not grow while nothing is known of it', () => {
  const nowMs = Date.UTC(2026, 10, 20, 12);
  const rates = [{ sinceMs: 0, creditsPerHour: 2, source: { kind: 'typed' as const } }];
  const cost = { rates, limits: { perJob: null, perDay: null }, limitsSinceMs: 0 };
  for (const statusReadAtMs of [nowMs - 1_000, nowMs - 3_600_000]) {
    const job = { startedSeenAtMs: statusReadAtMs - 1_800_000, statusReadAtMs };
    const one = side({ phase: 'active', status: 'IN_PROGRESS', finishedSeenAtMs: null, ...job }, {});
    const { connectionId, endpointId } = one.detail.job;
    const rows = factRows([one], [{ ...cost, connectionId, endpointId }], nowMs);
    expect(rows.find(({ name }) => name === 'Cost, estimated')?.cells[0]?.amount).toBeCloseTo(1, 2);
  }
});
