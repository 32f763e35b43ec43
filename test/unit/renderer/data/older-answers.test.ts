import { environmentManager } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AlertOverview } from '../../../../src-preload/alert.ts';
import type { EndpointDiagnosis } from '../../../../src-preload/diagnosis.ts';
import { ok, type Result } from '../../../../src-preload/failure.ts';
import { noJobs } from '../../../../src-preload/history.ts';
import type { Job, JobDetail } from '../../../../src-preload/job.ts';
import type { SandboxState } from '../../../../src-preload/sandbox.ts';
import { settingsDefaults, type Settings } from '../../../../src-preload/settings.ts';
import { setRuleOn } from '../../../../src-renderer/alerts/alerts.ts';
import { keptAnswer, queries } from '../../../../src-renderer/data/calls.ts';
import { listenToJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { listenToEngine, useSession } from '../../../../src-renderer/data/session-store.ts';
import { changeSettings, listenToSettings } from '../../../../src-renderer/data/change-settings.ts';
import { listenForStale } from '../../../../src-renderer/data/stale-on.ts';
import { mute, useHealth } from '../../../../src-renderer/health/health-store.ts';
import { saveNote, typeNote } from '../../../../src-renderer/job/note-edits.ts';
import { changeFaults } from '../../../../src-renderer/sandbox/sandbox-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';

/*
 * Events bring every change, and main sends what an answer shows as an event before it. So an answer to a change is
 * never newer than the last event, and may be older.
 */
beforeAll(() => environmentManager.setIsServer(() => false));
beforeEach(() => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hasFocus: () => false, hidden: false }));
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
});

/** An answer that main gives when the test says so. */
function heldAnswer<T>(): { promise: Promise<Result<T>>; give: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<Result<T>>();
  return { promise, give: (value) => resolve(ok(value)) };
}

/** A window that listens to its engine. */
function listening(answers: Parameters<typeof answerCalls>[0]): ReturnType<typeof answerCalls>['listeners'] {
  const { listeners } = answerCalls(answers);
  listenToEngine();
  listenToSettings();
  listenForStale();
  listenToJobs();
  return listeners;
}

describe('an answer that is older than the last event', () => {
  it('does not undo a later change of the settings', async () => {
    const held = heldAnswer<Settings>();
    const listeners = listening({ 'settings:change': () => held.promise });
    const changed = changeSettings({ theme: 'dark' });
    const dark: Settings = { ...settingsDefaults, theme: 'dark' };
    listeners['settings:changed']?.(dark);
    listeners['settings:changed']?.({ ...dark, density: 'compact' });
    held.give(dark);
    expect(await changed).toBeNull();
    expect(useSession.getState().settings).toMatchObject({ theme: 'dark', density: 'compact' });
  });

  it('does not undo that an alert fires', async () => {
    const quiet: AlertOverview = { connectionId: 'c1', rules: [], ruleStates: [] };
    const firing: AlertOverview = {
      ...quiet,
      ruleStates: [{ ruleId: 'r1', endpointId: 'text', phase: 'firing', sinceMs: 1, lastFiredAtMs: 1 }],
    };
    const held = heldAnswer<AlertOverview>();
    const listeners = listening({ 'alert:setOn': () => held.promise });
    queries.setQueryData(['alert:list', { connectionId: 'c1' }], quiet);
    const changed = setRuleOn('c1', 'r2', null, false);
    listeners['alert:changed']?.(firing);
    held.give(quiet);
    expect(await changed).toBeNull();
    expect(keptAnswer('alert:list', { connectionId: 'c1' })).toEqual(firing);
  });

  it('does not undo a later diagnosis', async () => {
    const of = { connectionId: 'c1', endpointId: 'text' };
    const muted: EndpointDiagnosis = { ...of, atMs: 1, findings: [], mutedUntilMs: 9 };
    const held = heldAnswer<EndpointDiagnosis>();
    const listeners = listening({ 'health:mute': () => held.promise });
    queries.setQueryData(['health:diagnoses', { connectionId: 'c1' }], []);
    useHealth.setState({ subject: { connectionId: 'c1', endpointId: null } });
    const done = mute('text', 9);
    listeners['diagnosis:changed']?.({ ...muted, atMs: 2 });
    held.give(muted);
    await done;
    expect(keptAnswer('health:diagnoses', { connectionId: 'c1' })).toEqual([{ ...muted, atMs: 2 }]);
  });

  it('does not undo that the sandbox stopped', async () => {
    const started: SandboxState = {
      isRunning: true,
      baseUrl: 'http://127.0.0.1:1/v2',
      restUrl: null,
      templates: [],
      problem: null,
      timeScale: 1,
      faults: [],
      handlers: [],
      endpoints: ['text'],
      pods: [],
    };
    const held = heldAnswer<SandboxState>();
    const listeners = listening({ 'sandbox:setFaults': () => held.promise });
    const changed = changeFaults(() => []);
    // The change waits for the one before it.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    listeners['sandbox:changed']?.({ ...started, isRunning: false });
    held.give(started);
    expect(await changed).toBe(true);
    expect(useSession.getState().sandbox?.isRunning).toBe(false);
  });

  it('does not undo that the job of a note ended, and the note is that of the answer', async () => {
    const before = jobOf(1, running);
    const { key } = before;
    const detail: JobDetail = {
      job: before,
      attempts: [],
      webhook: null,
      waitMs: null,
      s3ProfileId: null,
      note: '',
      lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
      error: null,
      extraFields: {},
    };
    const held = heldAnswer<Job>();
    const listeners = listening({ 'job:note': () => held.promise });
    queries.setQueryData(['job:get', { key }], detail);
    typeNote(key, '', 'good');
    const saved = saveNote(key);
    const counts = { revision: 1, all: noJobs, byConnection: {}, savedBytes: 0 };
    listeners['job:changed']?.({ jobs: [jobOf(1, { noteLine: 'good' })], removedKeys: [], batches: [], counts });
    held.give({ ...before, noteLine: 'good' });
    await saved;
    expect(keptAnswer('job:get', { key })).toMatchObject({ job: { phase: 'finished' }, note: 'good' });
  });
});
