import { describe, expect, it } from 'vitest';
import { createClosing, CallGuard } from '../../../src-main/engine/closing.ts';
import { createNews } from '../../../src-main/engine/engine-events.ts';
import { createNotices } from '../../../src-main/engine/notices.ts';
import { setAsideNotice } from '../../../src-main/messages/notices.ts';
import { refreshHealth } from '../../../src-main/health/handlers.ts';
import { createWatchedJobs } from '../../../src-main/engine/watched-jobs.ts';
import { createLog } from '../../../src-main/log.ts';
import type { Connection, ConnectionState } from '../../../src-preload/connection.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import type { Caller } from '../../../src-preload/contract.ts';
import type { Notice } from '../../../src-preload/app.ts';
import { aConnection } from '../../kit/a-connection.ts';

describe('an event', () => {
  it('reaches every listener, even after one that throws', () => {
    const troubles: unknown[] = [];
    const news = createNews((error) => troubles.push(error));
    const heard: string[] = [];
    news.listen((name) => heard.push(`first ${name}`));
    news.listen(() => {
      throw new Error('the window is gone');
    });
    news.listen((name) => heard.push(`last ${name}`));
    news.emit('connection:changed', { connections: [] });
    expect(heard).toEqual(['first connection:changed', 'last connection:changed']);
    expect(troubles).toEqual([new Error('the window is gone')]);
  });
});

const asker: Caller = { windowId: 1 };

describe('the gate', () => {
  it('passes calls with their arguments, and none once closed', () => {
    const gate = new CallGuard();
    const dismissed: string[] = [];
    const handlers = gate.guard({
      'notice:dismiss': ({ id }: { id: string }, { windowId }: Caller) => {
        dismissed.push(`${id} by ${windowId}`);
        return ok(null);
      },
    });
    expect(handlers['notice:dismiss']({ id: 'a' }, asker)).toEqual(ok(null));
    // As the desktop joins them with its own.
    const joined = { ...handlers };
    gate.close();
    for (const each of [handlers, joined])
      expect(each['notice:dismiss']({ id: 'b' }, asker)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(dismissed).toEqual(['a by 1']);
  });

  it('is idle when all callers have their answer, and not before', async () => {
    const gate = new CallGuard();
    const answer = Promise.withResolvers<Result<null>>();
    const failing = Promise.withResolvers<Result<null>>();
    const handlers = gate.guard({
      'app:showInFolder': (_input: unknown, _from: Caller) => answer.promise,
      'job:checkNow': (_input: { key: string }, _from: Caller) => failing.promise,
    });
    const answers = Promise.allSettled([
      handlers['app:showInFolder']({ file: 'log' }, asker),
      handlers['job:checkNow']({ key: 'a' }, asker),
    ]);
    const seen: string[] = [];
    const idle = gate.idle(60_000).then(() => seen.push('idle'));
    failing.reject(new Error('no'));
    void Promise.resolve().then(() => {
      seen.push('answered');
      answer.resolve(ok(null));
    });
    await idle;
    expect(seen).toEqual(['answered', 'idle']);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('does not wait forever', async () => {
    const gate = new CallGuard();
    const handlers = gate.guard({
      'app:showInFolder': (_input: unknown, _from: Caller) => new Promise<Result<null>>(() => undefined),
    });
    void handlers['app:showInFolder']({ file: 'log' }, asker);
    await expect(gate.idle(1)).resolves.toBeUndefined();
  });
});

describe('closing', () => {
  it('ends parts in reverse order, once, even if one of them cannot be ended', async () => {
    const lines: string[] = [];
    const closing = createClosing(createLog({ write: (line) => void lines.push(line), now: () => 0 }));
    const ended: string[] = [];
    closing.later('history', () => void ended.push('history'));
    closing.later('keys', () => Promise.reject(new Error('stuck')));
    closing.later('jobs', async () => void ended.push('jobs'));
    await Promise.all([closing.all(), closing.all()]);
    expect(ended).toEqual(['jobs', 'history']);
    expect(lines).toEqual([expect.stringContaining('"part":"keys"')]);
  });
});

describe('the shown jobs', () => {
  it('are those of all windows, each once, until their window shows others or closes', () => {
    let onView: { opened: string[]; rows: string[] } = { opened: [], rows: [] };
    const jobs = createWatchedJobs((opened, rows) => {
      onView = { opened, rows };
    });
    jobs.set(1, { openKey: 'a', rowKeys: ['a', 'b'] });
    jobs.set(2, { openKey: 'a', rowKeys: ['b', 'c'] });
    expect(onView).toEqual({ opened: ['a'], rows: ['a', 'b', 'c'] });
    jobs.set(1, { openKey: 'd', rowKeys: [] });
    expect(onView).toEqual({ opened: ['d', 'a'], rows: ['b', 'c'] });
    jobs.forget(2);
    expect(onView).toEqual({ opened: ['d'], rows: [] });
    jobs.forget(7);
    jobs.set(1, { openKey: null, rowKeys: [] });
    expect(onView).toEqual({ opened: [], rows: [] });
  });
});

describe('notices', () => {
  it('stay until dismissed; the same one again replaces the former', () => {
    const told: Notice[] = [];
    let nowMs = 1;
    const removed: string[] = [];
    const notices = createNotices(() => nowMs, {
      added: (notice) => told.push(notice),
      removed: (id) => removed.push(id),
    });
    const disk = { id: 'disk', tone: 'error' as const, title: 'Disk', text: 'Full.', path: null };
    notices.add(disk);
    notices.add(setAsideNotice({ path: '/data/history.damaged.db', reason: 'damaged', keptDocuments: 0 }));
    nowMs = 2;
    notices.add({ ...disk, text: 'Still full.' });
    expect(notices.all().map(({ text, atMs }) => [text.slice(0, 11), atMs])).toEqual([
      ['Still full.', 2],
      ['Its file co', 1],
    ]);
    expect(told).toHaveLength(3);
    // A window that dismissed the one before, as is heard here late, has not seen this one.
    notices.dismiss('disk', 1);
    expect([notices.all().length, removed]).toEqual([2, []]);
    notices.dismiss('disk', 2);
    notices.dismiss('disk');
    // Windows hear of it, whoever dismissed it.
    expect(removed).toEqual(['disk']);
    expect(notices.all().map(({ path }) => path)).toEqual(['/data/history.damaged.db']);
  });
});

describe('refreshing the health of a connection', () => {
  const connection = (state: ConnectionState, endpoints: number): Connection =>
    aConnection({
      id: 'c',
      name: 'C',
      baseUrl: 'http://127.0.0.1:9',
      hasKey: state.kind !== 'no-key',
      state,
      endpoints: Array.from({ length: endpoints }, (_, index) => ({ id: `e${index}`, label: '', flavour: 'other' })),
    });

  it('reads each endpoint once, six at a time', async () => {
    const asked: string[] = [];
    let inProgress = 0;
    let max = 0;
    const result = await refreshHealth(connection({ kind: 'ready' }, 15), async (endpointId) => {
      asked.push(endpointId);
      inProgress += 1;
      max = Math.max(max, inProgress);
      await Promise.resolve();
      inProgress -= 1;
      return ok(null);
    });
    expect(result).toEqual({ ok: true, value: null });
    expect(asked).toEqual(Array.from({ length: 15 }, (_, index) => `e${index}`));
    expect(max).toBe(6);
  });

  it.each([
    ['fails with the first failure if no read succeeded', ['timeout', 'network'] as const, 'timeout'],
    ['succeeds if any succeeded', ['timeout', null] as const, null],
  ])('%s', async (_name, kinds, told) => {
    const result = await refreshHealth(connection({ kind: 'ready' }, 2), async (endpointId) => {
      const kind = kinds[Number(endpointId.slice(1))] ?? null;
      return kind === null
        ? ok(null)
        : failed({ kind, message: `${endpointId} did not answer.`, mayHaveArrived: true });
    });
    expect(result.ok ? null : result.failure.kind).toBe(told);
  });

  it('reads nothing without a key', async () => {
    const asked: string[] = [];
    const result = await refreshHealth(connection({ kind: 'no-key' }, 2), async (endpointId) =>
      ok(asked.push(endpointId)),
    );
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'no-key', connectionId: 'c', message: expect.stringContaining('No key saved') },
    });
    expect(asked).toEqual([]);
  });

  it('reads with a refused key: it may be accepted by now (ruling 35)', async () => {
    const asked: string[] = [];
    const refused = connection(
      { kind: 'key-refused', httpStatus: 403, path: '/v2/e0/health', sinceMs: 1, nextTryMs: null },
      2,
    );
    expect(await refreshHealth(refused, async (endpointId) => ok(asked.push(endpointId)))).toEqual(ok(null));
    expect(asked).toEqual(['e0', 'e1']);
  });
});
