import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { EndpointDiagnosis } from '../../../../src-preload/diagnosis.ts';
import type { HealthPoint } from '../../../../src-preload/health.ts';
import { Totals } from '../../../../src-renderer/health/all-endpoints.tsx';
import { EndpointRow } from '../../../../src-renderer/health/endpoint-rows.tsx';
import { countersOf, newestTogether } from '../../../../src-renderer/health/totals.ts';
import { aPoint } from './points.ts';

const nowMs = Date.now();
const hourMs = 3_600_000;
const busy: Partial<HealthPoint> = { inQueue: 3, inProgress: 2, running: 2, idle: 0, completed: 10, failed: 1 };

function withoutTags(part: ReactElement): string {
  return renderToStaticMarkup(part)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** What the totals of these endpoints say. */
function said(series: readonly (readonly HealthPoint[])[], firingAlerts = 0): string {
  return withoutTags(
    createElement(Totals, { series, isStale: false, nowMs, found: 0, firingAlerts, endpoints: series.length }),
  );
}

/** What the row of an endpoint says. */
function saidOf(point: HealthPoint, diagnosis?: EndpointDiagnosis, firingAlerts = 0): string {
  return withoutTags(
    createElement(EndpointRow, {
      endpoint: { id: 'text', label: '', flavour: 'text' },
      points: [point],
      timings: undefined,
      diagnosis,
      firingAlerts,
      newestMs: nowMs,
      nowMs,
      onGo: () => {},
    }),
  );
}

test('where an alert fires without a finding, totals and rows do not say that all is well', () => {
  const nothing: EndpointDiagnosis = {
    connectionId: 'c1',
    endpointId: 'text',
    atMs: nowMs,
    findings: [],
    mutedUntilMs: null,
  };
  const point = aPoint(nowMs, busy);
  expect([said([[point]]), saidOf(point, nothing)]).toEqual([
    expect.stringContaining('no issues found'),
    expect.stringContaining('no issues found'),
  ]);
  expect([said([[point]], 1), saidOf(point, nothing, 2)]).toEqual([
    expect.stringMatching(/(?<!no issues found.*)1 alert firing/),
    expect.stringMatching(/(?<!no issues found.*)2 alerts firing/),
  ]);
});

test('an endpoint that stopped answering hours ago is not added to the totals of those read now, and the totals show that', () => {
  const series = [[aPoint(nowMs, busy)], [aPoint(nowMs - 2 * hourMs, { ...busy, inQueue: 500 })], []];
  expect(said(series)).toMatch(/In queue 3 jobs on 1 endpoint/);
  expect(said(series)).toMatch(/In progress 2 jobs 1 of 3 endpoints sampled, 1 not read lately/);
  expect(said(series)).toMatch(/Workers running 2 0 idle/);
  expect(countersOf(newestTogether(series).together)).toEqual({ completed: 10, failed: 1, retried: 0 });
});

test('endpoints that were read at about the same time are added, also if that is long ago', () => {
  for (const agoMs of [0, 2 * hourMs]) {
    const series = [[aPoint(nowMs - agoMs, busy)], [aPoint(nowMs - agoMs - 80_000, busy)]];
    expect(said(series)).toMatch(/In queue 6 jobs on 2 endpoints/);
    expect(said(series)).toMatch(/2 of 2 endpoints sampled /);
    expect(countersOf(newestTogether(series).together)).toEqual({ completed: 20, failed: 2, retried: 0 });
  }
});

test('a reading counts until its end: a minute or an hour of readings may be saved as one', () => {
  const series = [[aPoint(nowMs, busy)], [aPoint(nowMs - hourMs, { ...busy, spanMs: hourMs - 60_000 })]];
  expect(newestTogether(series)).toMatchObject({ tooOld: 0, together: { length: 2 } });
});

test('the row of an endpoint that was last read long before the others says how old its figures are', () => {
  expect(saidOf(aPoint(nowMs - 2 * hourMs, busy))).toContain('2 running , 0 idle, as of 2 h ago');
  expect(saidOf(aPoint(nowMs - 5_000, busy))).not.toContain('as of');
});
