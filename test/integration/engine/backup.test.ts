import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { findJob, updateJobByKey } from '../../../src-main/history/jobs/jobs.ts';
import { schemaVersion } from '../../../src-main/history/file/migrations.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import type { Job } from '../../../src-preload/job.ts';
import { closeApps, listed, newFolder, openApp, removeAppFolders, type App } from './app-scene.ts';
import { modeOf } from '../../kit/file-mode.ts';

let app: App;
let sandbox: Connection;
let folder: string;
beforeEach(async () => {
  app = await openApp();
  sandbox = await app.answer('connection:openSandbox', undefined);
  folder = await newFolder();
});
afterEach(closeApps);
afterAll(removeAppFolders);

async function ended(title: string, on = app, connection = sandbox): Promise<Job> {
  const job = await on.submit({ connectionId: connection.id, endpointId: 'echo', input: { title } });
  return await on.untilEnd(job.key);
}

async function backedUp(from = app): Promise<string> {
  const path = join(await newFolder(), 'backup.db');
  const written = await from.engine.backups.write(path);
  if (!written.ok) throw new Error(written.failure.message);
  return path;
}

const titles = async (of: App): Promise<string[]> => (await listed(of)).jobs.map(({ title }) => title);

describe('a backup', () => {
  it('is written while jobs are saved, contains one consistent moment, and is readable only by this user', async () => {
    await ended('before');
    const path = join(folder, 'backup.db');
    const saving = Promise.all(Array.from({ length: 20 }, (_, index) => ended(`meanwhile ${index}`)));
    const written = await app.engine.backups.write(path);
    await saving;
    expect(written).toMatchObject({ ok: true, value: { path, bytes: statSync(path).size } });
    expect(modeOf(path, 0o600)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['backup.db']);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(db.prepare("SELECT count(*) AS jobs FROM jobs WHERE title = 'before'").get()).toEqual({ jobs: 1 });
    db.close();
    expect(await titles(app)).toHaveLength(21);
  });

  it('contains no key and no secret, neither plainly nor in base64 or hex', async () => {
    const canaries = ['canary-key-4711', 'canary-s3-4712'];
    await app.connect({ baseUrl: sandbox.baseUrl, apiKey: 'canary-key-4711', endpoints: ['echo'] });
    await app.answer('s3:save', {
      draft: { name: 'Bucket', accessId: 'access', bucketName: 'b', endpointUrl: 'https://s3.example' },
      secret: 'canary-s3-4712',
    });
    await ended('with secrets around');
    const path = await backedUp();
    const raw = readFileSync(path);
    const texts = [raw, ...unpacked(path)];
    const isThere = (needle: string): boolean => texts.some((text) => text.includes(needle));
    expect(isThere('with secrets around')).toBe(true);
    // In base64 it looks different after one or two other bytes. The characters at its ends depend on what is beside it.
    const inBase64 = (canary: string) =>
      ['', '.', '..'].map((before) =>
        Buffer.from(before + canary)
          .toString('base64')
          .slice(before === '' ? 0 : 4, -4),
      );
    for (const canary of canaries)
      for (const needle of [canary, ...inBase64(canary), Buffer.from(canary).toString('hex')])
        expect(isThere(needle)).toBe(false);
  });

  it.each([
    ['a folder that is not there', () => join(folder, 'nowhere', 'backup.db'), 'The folder no longer exists'],
    ['a folder in its place', () => folder, ''],
  ])('to %s leaves nothing behind', async (_name, target, said) => {
    await ended('one');
    const answer = await app.engine.backups.write(target());
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    if (!answer.ok) expect(answer.failure.message).toContain(said);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)(
    'on a full disk says so, leaves nothing behind, and the app continues',
    async () => {
      await ended('one');
      const small = join(folder, 'small');
      mkdirSync(small);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
      try {
        const answer = await app.engine.backups.write(join(small, 'backup.db'));
        expect(answer).toMatchObject({ ok: false, failure: { kind: 'storage' } });
        if (!answer.ok) expect(answer.failure.message).toContain('The disk is full');
        expect(readdirSync(small)).toEqual([]);
      } finally {
        execFileSync('umount', [small]);
      }
      expect((await ended('another')).status).toBe('COMPLETED');
    },
  );

  it('replaces a link by its own file, and leaves the link’s target', async () => {
    await ended('one');
    const [precious, link] = [join(folder, 'precious'), join(folder, 'link.db')];
    writeFileSync(precious, 'precious');
    symlinkSync(precious, link);
    expect((await app.engine.backups.write(link)).ok).toBe(true);
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    expect((await app.engine.backups.open(link)).ok).toBe(true);
  });

  it('is cancelled and leaves nothing behind; only one runs at a time', async () => {
    await ended('one');
    const writing = app.engine.backups.write(join(folder, 'backup.db'));
    expect(await app.engine.backups.write(join(folder, 'second.db'))).toMatchObject({ failure: { kind: 'refused' } });
    await app.answer('backup:cancel', undefined);
    expect(await writing).toEqual({ ok: true, value: null });
    expect(readdirSync(folder)).toEqual([]);
    expect((await app.engine.backups.write(join(folder, 'backup.db'))).ok).toBe(true);
  });
});

/** Everything in the file that is kept compressed, as it was. */
function unpacked(path: string): Buffer[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const out: Buffer[] = [];
  for (const table of ['bodies', 'body_pieces', 'chunk_batches'])
    for (const { encoding, data } of db.prepare(`SELECT encoding, data FROM ${table}`).all())
      if (data instanceof Uint8Array)
        out.push(encoding === 1 ? process.getBuiltinModule('zlib').zstdDecompressSync(data) : Buffer.from(data));
  db.close();
  return out;
}

describe('a file to restore or merge', () => {
  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const sound = async (): Promise<string> => {
    await ended('one');
    const path = join(folder, 'sound.db');
    copyFileSync(await backedUp(), path);
    return path;
  };

  it.each<[string, () => Promise<string>, string]>([
    ['an empty file', async () => write('empty.db', ''), 'is empty'],
    ['a text', async () => write('text.db', 'SQLite is a fine thing, but this is a text.'), 'not a Jobdeck backup'],
    ['a folder', async () => folder, 'not a file'],
    ['a deleted file', async () => join(folder, 'gone.db'), 'no longer exists'],
    [
      'a database of another program',
      async () => {
        const path = join(folder, 'foreign.db');
        const db = new DatabaseSync(path);
        db.exec('CREATE TABLE jobs (id INTEGER)');
        db.close();
        return path;
      },
      'not a Jobdeck backup',
    ],
    [
      'a newer history',
      async () => {
        const path = await sound();
        const db = new DatabaseSync(path);
        db.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
        db.close();
        return path;
      },
      'newer version of Jobdeck',
    ],
    [
      'a truncated one',
      async () => {
        const path = await sound();
        truncateSync(path, Math.floor(statSync(path).size / 2 / 4_096) * 4_096);
        return path;
      },
      'damaged',
    ],
    [
      'a damaged one',
      async () => {
        const path = await sound();
        const raw = readFileSync(path);
        raw.fill(0x5a, 8_192, raw.length - 8_192);
        writeFileSync(path, raw);
        return path;
      },
      'damaged',
    ],
  ])('is refused if it is %s, and nothing is changed or left behind', async (_name, make, said) => {
    const path = await make();
    const answer = await app.engine.backups.open(path);
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'refused', message: expect.stringContaining(said) } });
    expect(readdirSync(app.dataDir).filter((name) => name.includes('incoming'))).toEqual([]);
    expect(await app.call('backup:merge', undefined)).toMatchObject({ ok: false, failure: { kind: 'absent' } });
    expect(await app.call('backup:restore', undefined)).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  });

  it('is only read: even in a read-only folder, and by a link', async () => {
    const path = await sound();
    const before = readFileSync(path);
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    chmodSync(folder, 0o500);
    try {
      expect(await app.engine.backups.open(link)).toMatchObject({ ok: true, value: { jobs: 1, path: link } });
    } finally {
      chmodSync(folder, 0o700);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['link.db', 'sound.db']);
    await app.answer('backup:close', undefined);
    expect(readdirSync(app.dataDir).filter((name) => name.includes('incoming'))).toEqual([]);
  });

  it('of an app that was not closed properly is read with its last changes', async () => {
    await ended('one');
    for (const suffix of ['', '-wal'])
      copyFileSync(join(app.dataDir, `history.db${suffix}`), join(folder, `raw.db${suffix}`));
    expect(await app.engine.backups.open(join(folder, 'raw.db'))).toMatchObject({ ok: true, value: { jobs: 1 } });
  });
});

describe('a restore', () => {
  it('comes with the next start, sets the present history aside, sends nothing, and can be undone', async () => {
    await ended('in the backup');
    const deleted = await ended('deleted since');
    const retention = { afterDays: 30, areInputsDeleted: true, maxBytes: null };
    await app.answer('settings:change', { theme: 'dark', retention });
    const waiting = join(await newFolder(), 'waiting.db');
    copyFileSync(await backedUp(), waiting);
    makeWaiting(waiting);
    await app.answer('job:delete', { keys: [deleted.key] });
    await ended('after the backup');
    expect((await app.engine.backups.open(waiting)).ok).toBe(true);
    await app.answer('backup:restore', undefined);
    expect(await titles(app)).toEqual(['after the backup', 'in the backup']);
    await app.close();

    const { dataDir } = app;
    app = await openApp({ dataDir });
    expect(await titles(app)).toEqual(['deleted since', 'in the backup']);
    // A rule would delete what the backup was brought back for.
    expect(await app.answer('settings:get', undefined)).toMatchObject({
      theme: 'dark',
      retention: { afterDays: null, areInputsDeleted: false, maxBytes: null },
    });
    // What is found by words is what is in it.
    expect(await found('backup')).toEqual(['in the backup']);
    // What the present history knows of a job is not unknown.
    expect((await listed(app)).jobs).toMatchObject([
      { phase: 'outcome-unknown', reason: { kind: 'prose' } },
      { phase: 'finished', status: 'COMPLETED' },
    ]);
    const restored = await app.answer('backup:restored', undefined);
    expect(app.engine.notices().map(({ path }) => path)).toContain(restored?.asidePath);
    expect(
      (await ended('in the restored one', app, sandboxOf(await app.answer('connection:list', undefined)))).status,
    ).toBe('COMPLETED');
    expect(app.engine.backups.undoRestore().ok).toBe(true);
    await app.close();

    app = await openApp({ dataDir });
    expect(await titles(app)).toEqual(['after the backup', 'in the backup']);
    expect(await found('backup')).toEqual(['after the backup', 'in the backup']);
    expect(await found('restored')).toEqual([]);
    expect(await app.answer('settings:get', undefined)).toMatchObject({ retention });
    // What was there meanwhile is not lost either.
    const aside = readdirSync(dataDir).filter(
      (name) => name.startsWith('history.before-restore') && name.endsWith('.db'),
    );
    expect(aside).toHaveLength(1);
  });
});

it('a restore keeps the jobs that are active meanwhile, and their results', async () => {
  const path = await backedUp();
  const live = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000, mock_return: 'kept' } });
  await app.untilJob(live.key, ({ phase }) => phase === 'active');
  const queued = await app.untilJob(live.key, ({ phase }) => phase === 'active');
  await app.engine.backups.open(path);
  await app.answer('backup:restore', undefined);
  await app.close();

  const { dataDir } = app;
  app = await openApp({ dataDir });
  expect((await listed(app)).jobs.map(({ key }) => key)).toEqual([live.key]);
  await app.untilSeen(() => app.engine.liveJobs().length === 1);
  expect(app.engine.liveJobs()).toMatchObject([{ key: live.key, jobId: queued.jobId, phase: 'active', reason: null }]);
  expect((await app.answer('job:draft', { key: live.key })).inputText).toContain('kept');
});

it('a restore knows how the jobs of the backup went on that were active then', async () => {
  const { key } = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 2_000, mock_return: 'kept' } });
  await app.untilJob(key, ({ phase }) => phase === 'active');
  const path = await backedUp();
  const unsent = join(await newFolder(), 'unsent.db');
  copyFileSync(path, unsent);
  makeWaiting(unsent);
  await app.untilEnd(key);
  await app.engine.backups.open(unsent);
  await app.answer('backup:restore', undefined);
  await app.close();

  app = await openApp({ dataDir: app.dataDir });
  expect((await app.answer('job:get', { key })).job).toMatchObject({ phase: 'finished', status: 'COMPLETED' });
  expect((await app.answer('job:body', { key, part: 'output', attempt: 1, isWhole: true })).text).toBe('"kept"');
});

it('what is sent between the choice of a restore and its start is tracked after it', async () => {
  await app.engine.backups.open(await backedUp());
  await app.answer('backup:restore', undefined);
  const { key } = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000 } });
  const { jobId } = await app.untilJob(key, ({ phase }) => phase === 'active');
  await app.close();

  app = await openApp({ dataDir: app.dataDir });
  await app.untilSeen(() => app.engine.liveJobs().length === 1);
  expect(app.engine.liveJobs()).toMatchObject([{ key, jobId, phase: 'active', reason: null }]);
});

/** Restores a backup without "after it", and ends as a crash does: SQLite's log has what was saved last. */
async function restoreAndCrash(): Promise<string> {
  await ended('in the backup');
  const path = await backedUp();
  await ended('after it');
  await app.engine.backups.open(path);
  await app.answer('backup:restore', undefined);
  const present = join(app.dataDir, 'history.db');
  for (const suffix of ['', '-wal']) copyFileSync(present + suffix, join(folder, `crashed${suffix}`));
  await app.close();
  for (const suffix of ['', '-wal']) copyFileSync(join(folder, `crashed${suffix}`), present + suffix);
  return present;
}

it.each([
  ['the note of it', []],
  ['the log of the history', ['-wal']],
  ['the history', ['-wal', '']],
])('a restore that ended behind its step with %s continues, and leaves the former history whole', async (_at, done) => {
  const present = await restoreAndCrash();
  const { dataDir } = app;
  const asidePath = join(dataDir, 'history.before-restore-2026-01-01T00-00-00.db');
  writeFileSync(`${present}-restored.json`, JSON.stringify({ atMs: 1, asidePath }));
  for (const suffix of done) renameSync(present + suffix, asidePath + suffix);

  app = await openApp({ dataDir });
  expect(await titles(app)).toEqual(['in the backup']);
  expect(await app.answer('backup:restored', undefined)).toEqual({ atMs: 1, asidePath });
  expect(app.engine.backups.undoRestore().ok).toBe(true);
  await app.close();

  app = await openApp({ dataDir });
  expect(await titles(app)).toEqual(['after it', 'in the backup']);
});

/** A job that is sent after a restore was chosen, and active. */
async function sentSince(): Promise<Job> {
  await app.engine.backups.open(await backedUp());
  await app.answer('backup:restore', undefined);
  const { key } = await app.submit({ connectionId: sandbox.id, title: 'sent since', input: { mock_delay: 600_000 } });
  return await app.untilJob(key, ({ phase }) => phase === 'active');
}

it('a restore waits for the next start if the active jobs cannot be taken along now', async () => {
  const { key } = await sentSince();
  await app.close();
  const { dataDir } = app;
  const inUse = new DatabaseSync(join(dataDir, 'history.db-restore'));
  inUse.exec('BEGIN EXCLUSIVE');
  app = await openApp({ dataDir });
  expect(app.engine.notices().map(({ id }) => id)).toEqual(['restore-delayed']);
  expect(app.engine.liveJobs().map((job) => job.key)).toEqual([key]);
  await app.close();
  inUse.close();

  app = await openApp({ dataDir });
  expect(app.engine.notices().map(({ id }) => id)).toEqual([expect.stringMatching(/^restored:/)]);
  await app.untilSeen(() => app.engine.liveJobs().length === 1);
  expect(app.engine.liveJobs().map((job) => job.key)).toEqual([key]);
});

it('a restore in place of a damaged history says which active jobs it cannot take along', async () => {
  await sentSince();
  await app.close();
  const { dataDir } = app;
  const path = join(dataDir, 'history.db');
  const raw = readFileSync(path);
  writeFileSync(path, raw.fill(0x5a, 8_192));
  app = await openApp({ dataDir });
  expect(app.engine.notices()).toMatchObject([
    { id: expect.stringMatching(/^restored:/), tone: 'warning', text: expect.stringContaining('does not track') },
  ]);
});

it('a restore takes along the active jobs that can be read of a damaged history, and names the others', async () => {
  const readable = await sentSince();
  const { key } = await app.submit({ connectionId: sandbox.id, title: 'damaged', input: { mock_delay: 600_000 } });
  await app.untilJob(key, ({ phase }) => phase === 'active');
  await app.close();
  const { dataDir } = app;
  const path = join(dataDir, 'history.db');
  const db = new DatabaseSync(path);
  // Its input cannot be unpacked.
  db.prepare('UPDATE jobs SET input_hash = NULL WHERE key = ?').run(key);
  db.prepare('UPDATE bodies SET encoding = 1 WHERE job = (SELECT id FROM jobs WHERE key = ?)').run(key);
  db.close();
  app = await openApp({ dataDir });
  expect(app.engine.notices()[0]?.text).toContain('does not track damaged');
  await app.untilSeen(() => app.engine.liveJobs().length === 1);
  expect(app.engine.liveJobs().map((job) => job.key)).toEqual([readable.key]);
});

it('an undone restore keeps what is active since, and knows how the jobs from before it ended', async () => {
  const path = await backedUp();
  const before = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 2_000, mock_return: 'kept' } });
  await app.untilJob(before.key, ({ phase }) => phase === 'active');
  await app.engine.backups.open(path);
  await app.answer('backup:restore', undefined);
  await app.close();

  const { dataDir } = app;
  app = await openApp({ dataDir });
  await app.untilEnd(before.key);
  const since = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000 } });
  await app.untilJob(since.key, ({ phase }) => phase === 'active');
  expect(app.engine.backups.undoRestore().ok).toBe(true);
  await app.close();

  app = await openApp({ dataDir });
  await app.untilSeen(() => app.engine.liveJobs().length === 1);
  expect(app.engine.liveJobs()).toMatchObject([{ key: since.key, phase: 'active' }]);
  expect((await app.answer('job:get', { key: before.key })).job).toMatchObject({ status: 'COMPLETED' });
  const output = await app.answer('job:body', { key: before.key, part: 'output', attempt: 1, isWhole: true });
  expect(output.text).toBe('"kept"');
});

/** The titles of what a search for words finds. */
async function found(text: string): Promise<string[]> {
  return (await listed(app, { text })).jobs.map(({ title }) => title);
}

function sandboxOf(connections: readonly Connection[]): Connection {
  const found = connections.find(({ isSandbox }) => isSandbox);
  if (found === undefined) throw new Error('There is no sandbox.');
  return found;
}

/** As if its jobs had not been sent when the backup was written. */
function makeWaiting(path: string): void {
  changeJobs(path, { phase: 'waiting', status: null, jobId: null, isResultSaved: false });
}

/** Changes all jobs of a file that no app has open. */
function changeJobs(path: string, change: Partial<Job>): void {
  const { db } = openDatabase(path, 0);
  for (const { key } of db.prepare('SELECT key FROM jobs').all()) {
    const job = findJob(db, String(key))?.job;
    if (job !== undefined) updateJobByKey(db, { ...job, ...change });
  }
  db.close();
}

describe('a merge of another computer’s history', () => {
  it('brings its jobs whole, once, with the user’s marks from both sides', async () => {
    const there = await openApp();
    const away = await there.answer('connection:openSandbox', undefined);
    const own = await ended('from here');
    const [first, second] = [await ended('first', there, away), await ended('second', there, away)];
    await there.answer('job:note', { key: first.key, text: 'Seen there.' });
    await there.answer('job:tag', { key: second.key, add: ['there'], remove: [] });
    const path = await backedUp(there);

    await app.engine.backups.open(path);
    expect(await app.answer('backup:merge', undefined)).toEqual({ added: 2, enriched: 0, known: 0 });
    expect((await titles(app)).toSorted()).toEqual(['first', 'from here', 'second']);
    const detail = await app.answer('job:get', { key: first.key });
    expect(detail).toMatchObject({ note: 'Seen there.', job: { status: 'COMPLETED', noteLine: 'Seen there.' } });
    expect(
      await app.answer('job:body', { key: first.key, part: 'output', attempt: null, isWhole: true }),
    ).toMatchObject({
      text: expect.stringContaining('first'),
    });
    expect((await app.answer('job:requests', { key: first.key })).length).toBeGreaterThan(0);
    expect((await listed(app, { text: 'second', tags: ['there'] })).jobs.map(({ key }) => key)).toEqual([second.key]);
    expect((await app.answer('connection:list', undefined)).map(({ id }) => id)).toEqual([sandbox.id]);

    // Changed on both sides since; merging again brings the other side's words and nothing else.
    await app.answer('job:tag', { key: second.key, add: ['here'], remove: ['there'] });
    await there.answer('job:note', { key: second.key, text: 'Later.' });
    await app.engine.backups.open(await backedUp(there));
    expect(await app.answer('backup:merge', undefined)).toEqual({ added: 0, enriched: 1, known: 1 });
    expect(await app.answer('job:get', { key: second.key })).toMatchObject({
      note: 'Later.',
      job: { tags: ['here', 'there'] },
    });
    await app.engine.backups.open(await backedUp(there));
    expect(await app.answer('backup:merge', undefined)).toEqual({ added: 0, enriched: 0, known: 2 });
    expect((await app.answer('job:get', { key: own.key })).job.title).toBe('from here');
  });

  it('leaves its active jobs untracked if their connection is not here', async () => {
    const there = await openApp();
    const away = await there.answer('connection:openSandbox', undefined);
    const live = await there.submit({ connectionId: away.id, input: { mock_delay: 600_000 } });
    await there.untilJob(live.key, ({ phase }) => phase === 'active');
    const path = await backedUp(there);
    await app.engine.backups.open(path);
    await app.answer('backup:merge', undefined);
    expect((await app.answer('job:get', { key: live.key })).job).toMatchObject({
      phase: 'orphaned',
      jobId: expect.any(String),
    });
    expect((await app.answer('tracker:state', undefined)).orphans).toBe(1);
  });

  it('gives an active job here the end that another computer saw', async () => {
    const live = await app.submit({ connectionId: sandbox.id, input: { mock_delay: 600_000 } });
    await app.untilJob(live.key, ({ phase }) => phase === 'active');
    const path = await backedUp();
    endThere(path);
    await app.engine.backups.open(path);
    expect(await app.answer('backup:merge', undefined)).toMatchObject({ added: 0, enriched: 1 });
    const over = await app.untilEnd(live.key);
    expect(over).toMatchObject({ phase: 'finished', status: 'COMPLETED', isResultSaved: true });
    expect((await app.answer('tracker:state', undefined)).tracked).toBe(0);
  });
});

/** As if the other computer had seen its only job end. */
function endThere(path: string): void {
  changeJobs(path, { phase: 'finished', status: 'COMPLETED', isResultSaved: true, finishedSeenAtMs: 9 });
}
