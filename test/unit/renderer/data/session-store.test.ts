import { afterEach, expect, test, vi } from 'vitest';
import type { Connection, KeyStorage } from '../../../../src-preload/connection.ts';
import { endpointKey } from '../../../../src-preload/endpoint-key.ts';
import { failed, ok } from '../../../../src-preload/failure.ts';
import { noJobs, type AllJobCounts } from '../../../../src-preload/history.ts';
import type { Health } from '../../../../src-preload/health.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';
import {
  dismissNotice,
  listenToEngine,
  mergeNotices,
  takeCounts,
  useSession,
} from '../../../../src-renderer/data/session-store.ts';
import { listenToSettings } from '../../../../src-renderer/data/change-settings.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aConnection } from '../../../kit/a-connection.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A window whose engine answers as given, and says what the test has it say. */
function listening(answers: Parameters<typeof answerCalls>[0]): ReturnType<typeof answerCalls>['listeners'] {
  const { listeners } = answerCalls(answers);
  listenToEngine();
  listenToSettings();
  return listeners;
}

/** Holds an answer back until the test lets it go. */
function heldBack(): { wait: Promise<void>; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, letGo: () => resolve() };
}

test('a setting that changes while the window waits for its other first answers is kept', async () => {
  const held = heldBack();
  const listeners = listening({
    'settings:get': async () => ok({ ...settingsDefaults, isStartedAtLogin: true }),
    'connection:list': () => held.wait.then(() => ok([])),
  });
  const loaded = useSession.getState().load();
  listeners['settings:changed']?.({ ...settingsDefaults, isStartedAtLogin: false });
  held.letGo();
  await loaded;
  expect(useSession.getState().settings.isStartedAtLogin).toBe(false);
});

const inKeychain: KeyStorage = {
  kind: 'keychain',
  explanation: 'Keys are in the keychain.',
  isWaiting: false,
  places: [],
};

test('reports of keys and of the start before the window has its first answers are kept', async () => {
  const held = heldBack();
  const listeners = listening({
    'app:preparation': () => held.wait.then(() => ok(null)),
    'app:info': () =>
      held.wait.then(() =>
        ok({
          version: '1.0.0',
          runtime: 'stand-in',
          platform: 'linux',
          keyStorage: { ...inKeychain, isWaiting: true },
          notices: [],
        }),
      ),
    'connection:list': async () => ok([]),
  });
  const loaded = useSession.getState().load();
  listeners['keys:changed']?.(inKeychain);
  listeners['app:preparing']?.({ preparation: { kind: 'check', jobs: 5 } });
  held.letGo();
  await loaded;
  expect(useSession.getState().keyStorage).toEqual(inKeychain);
  expect(useSession.getState().preparation).toEqual({ kind: 'check', jobs: 5 });
});

const connection: Connection = aConnection({ id: 'c' });

test('health that was read while the saved one was awaited stays, and its trend has both', async () => {
  const held = heldBack();
  const of = { connectionId: 'c', endpointId: 'e' };
  const healthAt = (atMs: number): Health => ({
    ...of,
    atMs,
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 1, running: 0 },
    extra: {},
  });
  const sample = (atMs: number) => ({ atMs, inQueue: 0, inProgress: 0, running: 0, idle: 1 });
  useSession.setState({ connections: [] });
  let hasAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (hasAsked = resolve));
  const listeners = listening({
    'connection:list': async () => ok([connection]),
    'health:latest': async () => {
      hasAsked();
      await held.wait;
      const trends = [{ ...of, samples: [sample(500), sample(1_000)] }];
      return ok({ health: [healthAt(1_000)], trends, failures: [] });
    },
  });
  const loaded = useSession.getState().load();
  await asked;
  listeners['health:changed']?.({ health: healthAt(2_000) });
  held.letGo();
  await loaded;
  const key = endpointKey({ connectionId: 'c', endpointId: 'e' });
  expect(useSession.getState().health[key]?.atMs).toBe(2_000);
  expect(useSession.getState().trends[key]?.samples.map(({ atMs }) => atMs)).toEqual([500, 1_000, 2_000]);
});

test('a notice about the same subject replaces the one before, and an older late one does not', () => {
  const notice = (id: string, title: string, atMs: number) =>
    ({ id, title, atMs, tone: 'warning', text: '', path: null }) as const;
  const first = [notice('link', 'not saved here', 1), notice('restarted', 'restarted', 1)];
  const newer = notice('link', 'not understood', 2);
  expect(mergeNotices(first, [newer])).toEqual([newer, first[1]]);
  expect(mergeNotices([newer], first)).toEqual([newer, first[1]]);
});

test('a notice that could not be dismissed is shown again, and one that is dismissed elsewhere goes', async () => {
  const held = heldBack();
  const refused = failed({ kind: 'storage', message: 'The disk is full.' } as const);
  const listeners = listening({ 'notice:dismiss': () => held.wait.then(() => refused) });
  const notice = { id: 'disk', title: 'Disk', atMs: 1, tone: 'error', text: '', path: null } as const;
  listeners['notice:added']?.(notice);
  const dismissed = dismissNotice(notice);
  expect(useSession.getState().notices).toEqual([]);
  held.letGo();
  await dismissed;
  expect(useSession.getState().notices).toEqual([notice]);
  listeners['notice:removed']?.({ id: 'disk' });
  expect(useSession.getState().notices).toEqual([]);
});

test('counts that did not change stay the same objects, and changed ones are new', () => {
  const counted = (revision: number, running: number): AllJobCounts => ({
    revision,
    all: { ...noJobs, all: 3, running, byEndpoint: {} },
    byConnection: { here: { ...noJobs, all: 3, running }, elsewhere: { ...noJobs } },
    savedBytes: 10,
  });
  takeCounts(counted(1, 1));
  const first = useSession.getState().counts;
  takeCounts(counted(2, 1));
  const second = useSession.getState().counts;
  expect(second?.revision).toBe(2);
  expect(second?.all).toBe(first?.all);
  expect(second?.byConnection).toBe(first?.byConnection);

  takeCounts(counted(3, 2));
  const third = useSession.getState().counts;
  expect(third?.all).toEqual({ ...noJobs, all: 3, running: 2 });
  expect(third?.all).not.toBe(first?.all);
  expect(third?.byConnection['elsewhere']).toBe(first?.byConnection['elsewhere']);
});

test('run times are known by connection and endpoint', async () => {
  const connection = aConnection();
  const times = { endpointId: 'image', count: 9, executionP50Ms: 1_000, executionP95Ms: 2_000, delayP95Ms: null };
  answerCalls({
    'settings:get': async () => ok(settingsDefaults),
    'connection:list': async () => ok([connection]),
    'job:runTimes': async () => ok([times]),
    'health:latest': async () => ok({ health: [], trends: [], failures: [] }),
  });
  await useSession.getState().load();
  expect(useSession.getState().runTimes).toEqual({ [endpointKey({ connectionId: 'c1', endpointId: 'image' })]: times });
});
