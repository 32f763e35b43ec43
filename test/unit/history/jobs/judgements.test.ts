import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src-main/history/file/migrations.ts';
import { judge, readLabels, readNote, writeNote, readTags } from '../../../../src-main/history/jobs/judgements.ts';
import { commit, findJob } from '../../../../src-main/history/jobs/jobs.ts';
import { removeJob } from '../../../../src-main/history/jobs/remove.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { noteLineOf } from '../../../../src-preload/judgement.ts';
import { emptyFilter, maxCounted } from '../../../../src-preload/history.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

/** The last version whose jobs did not have the first line of their notes. */
const beforeNoteLines = 22;

test('a mark, a label and a note survive the engine’s writes of the job', () => {
  const db = aDatabase();
  commit(db, [aNewJob({ key: 'k1' })]);
  judge(db, 'k1', { mark: 4, label: 'sharp' });
  writeNote(db, 'k1', 'Looks **right**.');
  const { job } = aNewJob({ key: 'k1', status: 'COMPLETED', phase: 'finished' });
  expect(commit(db, [{ job }])[0]).toMatchObject({
    status: 'COMPLETED',
    mark: 4,
    label: 'sharp',
    noteLine: 'Looks **right**.',
  });
  expect(judge(db, 'k1', { mark: null })).not.toHaveProperty('mark');
  expect(findJob(db, 'k1')?.job).toMatchObject({ label: 'sharp', noteLine: 'Looks **right**.' });
  expect(judge(db, 'not there', { mark: 1 })).toBeNull();
});

test('an empty note is no note, and a deleted job leaves none', () => {
  const db = aDatabase();
  commit(db, [aNewJob({ key: 'k1' })]);
  writeNote(db, 'k1', 'x');
  const id = findJob(db, 'k1')?.id ?? 0;
  expect(readNote(db, id)).toBe('x');
  expect(writeNote(db, 'k1', '  \n')).not.toHaveProperty('noteLine');
  expect(readNote(db, id)).toBe('');
  writeNote(db, 'k1', 'again');
  removeJob(db, 'k1');
  expect(db.prepare('SELECT count(*) AS notes FROM job_notes').get()).toEqual({ notes: 0 });
});

test('a note and a label are found by their words, and no longer when they changed', () => {
  const db = aDatabase();
  const indexer = new SearchIndexer(db);
  const find = (text: string): string[] => {
    indexer.beforeSearch(0);
    return listJobs(db, { ...emptyFilter, text }, { limit: 10, startOfTodayMs: 0 }).jobs.map(({ key }) => key);
  };
  commit(db, [aNewJob({ key: 'k1' }), aNewJob({ key: 'k2' })]);
  writeNote(db, 'k1', 'The harbour is **overexposed**.');
  judge(db, 'k2', { label: 'wide angle' });
  expect([find('overexposed'), find('wide angle')]).toEqual([['k1'], ['k2']]);
  expect(listJobs(db, { ...emptyFilter, text: 'harbour' }, { limit: 10, startOfTodayMs: 0 }).snippets['k1']).toContain(
    'harbour',
  );
  writeNote(db, 'k1', 'Fine.');
  expect(find('overexposed')).toEqual([]);
});

test('labels in use are sorted by how often they were given', () => {
  const db = aDatabase();
  commit(
    db,
    ['k1', 'k2', 'k3'].map((key) => aNewJob({ key })),
  );
  for (const [key, label] of [
    ['k1', 'blurry'],
    ['k2', 'Blurry'],
    ['k3', 'sharp'],
  ] as const)
    judge(db, key, { label });
  expect(readLabels(db, 10).map((label) => label.toLowerCase())).toEqual(['blurry', 'sharp']);
  expect(readLabels(db, 1)).toHaveLength(1);
});

test('the first lines of a former version’s notes are the same as for a new note', () => {
  const notes = ['# Bright\r\nmore', '\n\n  plain  \nmore', '##', '- a list', `${'x'.repeat(300)}\ny`];
  const db = new DatabaseSync(':memory:');
  migrate(db, beforeNoteLines);
  db.exec(
    `INSERT INTO facets (id, connection_id, endpoint_id, phase, word, is_starred, is_seen)
    VALUES (1, 'c', 'e', 'finished', 'completed', 0, 1)`,
  );
  for (const [id, note] of notes.entries()) {
    db.prepare(
      `INSERT INTO jobs (id, key, facet, connection_id, base_url, endpoint_id, operation, title, tags_json, phase,
        attempt, created_at_ms, policy_json, input_bytes, output_bytes, is_result_saved, is_without_output, chunk_count,
        request_count, is_starred, is_seen, is_cancelling)
      VALUES (?, 'k' || ?1, 1, 'c', 'http://127.0.0.1', 'e', 'run', 't', '[]', 'finished', 1, 5, '{}', 2, 0, 1, 0, 0, 0,
        0, 1, 0)`,
    ).run(id);
    db.prepare('INSERT INTO job_notes (job, text) VALUES (?, ?)').run(id, note);
  }
  migrate(db);
  const lines = db.prepare('SELECT note_line FROM jobs ORDER BY id').all();
  expect(lines.map((row) => row['note_line'])).toEqual(notes.map(noteLineOf));
  expect(notes.map(noteLineOf)).toEqual(['Bright', 'plain', '#', '- a list', 'x'.repeat(200)]);
  // Their inputs have no hash yet: all below the next id.
  expect(db.prepare('SELECT below_id FROM inputs_unhashed').get()).toEqual({ below_id: notes.length });
  db.close();
});

test('tags in use come with their job counts, the most used first', () => {
  const db = aDatabase();
  expect(readTags(db, 10)).toEqual([]);
  commit(db, [
    aNewJob({ key: 'k1', tags: ['seed', 'nightly'] }),
    aNewJob({ key: 'k2', tags: ['nightly'] }),
    aNewJob({ key: 'k3', tags: ['a'] }),
  ]);
  expect(readTags(db, 10)).toEqual([
    { tag: 'nightly', jobs: 2 },
    { tag: 'a', jobs: 1 },
    { tag: 'seed', jobs: 1 },
  ]);
  expect(readTags(db, 1)).toEqual([{ tag: 'nightly', jobs: 2 }]);
});

test('the jobs of a tag are counted only up to the limit of lists', () => {
  const db = aDatabase();
  const jobs = Array.from({ length: maxCounted + 5 }, (_, at) => aNewJob({ key: `k${at}`, tags: ['many'] }));
  commit(db, jobs);
  expect(readTags(db, 10)).toEqual([{ tag: 'many', jobs: maxCounted + 1 }]);
});
