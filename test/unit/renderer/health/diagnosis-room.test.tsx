import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { EndpointDiagnosis } from '../../../../src-preload/diagnosis.ts';
import { DiagnosisCard } from '../../../../src-renderer/health/diagnosis-card.tsx';

/** What is drawn above the figures of an endpoint. */
function drawn(diagnosis: EndpointDiagnosis | null | undefined): string {
  const of = { endpointId: 'text', firingAlerts: 0, ourJobs: [], nowMs: 1_000, onShowJobs: undefined };
  return renderToStaticMarkup(createElement(DiagnosisCard, { ...of, diagnosis }));
}

test('a diagnosis that is being read has the room of its line, so that it moves nothing when it comes', () => {
  const found = { connectionId: 'c1', endpointId: 'text', atMs: 1_000, findings: [], mutedUntilMs: null };
  expect(drawn(found)).toContain('No issues found');
  const lineOf = (markup: string): string | undefined => /class="([\w-]+)/.exec(markup)?.[1];
  expect(lineOf(drawn(undefined))).toBe(lineOf(drawn(found)));
  // Where there is none, nothing is to come.
  expect(drawn(null)).toBe('');
});
