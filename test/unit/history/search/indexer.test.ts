import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit, setTags } from '../../../../src-main/history/jobs/jobs.ts';
import { commitChunks } from '../../../../src-main/history/jobs/streams.ts';
import { listJobs } from '../../../../src-main/history/list/list.ts';
import { openDatabase } from '../../../../src-main/history/file/open.ts';
import { SearchIndexer } from '../../../../src-main/history/search/indexer.ts';
import { parseQuery } from '../../../../src-main/history/search/query.ts';
import { snippetOf } from '../../../../src-main/history/search/snippet.ts';
import { emptyFilter } from '../../../../src-preload/history.ts';
import type { JobFilter } from '../../../../src-preload/history.ts';
import { aJob } from '../../../kit/a-job.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

interface Searched {
  db: DatabaseSync;
  indexer: SearchIndexer;
  find(text: string, filter?: Partial<JobFilter>, nowMs?: number): string[];
}

function searched(db: DatabaseSync): Searched {
  const indexer = new SearchIndexer(db);
  return {
    db,
    indexer,
    find(text, filter = {}, nowMs = 0) {
      indexer.beforeSearch(nowMs);
      return listJobs(db, { ...emptyFilter, ...filter, text }, { limit: 100, startOfTodayMs: 0 }).jobs.map(
        (job) => job.key,
      );
    },
  };
}

const pieces = (...texts: string[]): { outputJson: string; metricsJson: null }[] =>
  texts.map((text) => ({ outputJson: JSON.stringify({ text: [text] }), metricsJson: null }));

describe('a search finds a job', () => {
  const { db, find } = searched(openDatabase(':memory:', 0).db);
  commit(db, [
    {
      ...aNewJob(
        {
          key: 'k1',
          jobId: 'd7c6aa87-df8d-49db-982b-8890054fe56f-u1',
          endpointId: 'sdxl-turbo',
          title: 'Evening harbour',
          tags: ['regression set'],
        },
        '{"prompt":"zwei rote Schiffe","num_inference_steps":30}',
      ),
      attempt: {
        number: 1,
        startedAtMs: 0,
        status: 'FAILED',
        delayTimeMs: null,
        executionTimeMs: null,
        workerId: 'uhbbfre73gqjwh',
        errorText: '{"error_message":"CUDA out of memory"}',
        hasOutput: true,
        outputBytes: 1,
        chunkCount: 0,
        finishedSeenAtMs: null,
      },
      bodies: [
        { part: 'output', attempt: 1, text: '{"caption":"Lanternlight","image":"data:image/png;base64,iVBORw0KGgo"}' },
        { part: 'error', attempt: 1, text: 'Traceback in handler.py' },
      ],
    },
    aNewJob({ key: 'k2' }, '"something else"'),
  ]);
  commitChunks(db, { key: 'k1', attempt: 1 }, pieces('The light', 'house blin', 'ks twice'), 0);

  it.each([
    ['a word of the title', 'harbour'],
    ['a tag', 'regression'],
    ['the input', 'schiffe'],
    ['a name in the input', 'num_inference_steps'],
    ['the output', 'lanternlight'],
    ['the error body', 'traceback'],
    ["the attempt's error", 'cuda'],
    ['streamed text', 'twice'],
    ['a word across two chunks', 'lighthouse'],
    ['another word across two chunks', 'blinks'],
    ['the beginning of a word', 'lantern'],
    ['the whole service id', 'd7c6aa87-df8d-49db-982b-8890054fe56f-u1'],
    ['a part of the id', 'aa87-df8'],
    ['letters inside the id', '90054fe'],
    ['a part of the worker id', 'fre73gq'],
    ['a part of the endpoint', 'xl-tur'],
    ['a part of a file name', 'andler.p'],
    ['a part of an identifier', 'ference_st'],
    ['several words in any order', 'twice harbour 90054fe'],
    ['words in a row', '"lighthouse blinks twice"'],
    ['other case and accents', 'HÁRBOUR'],
  ])('by %s', (_, text) => {
    expect(find(text)).toEqual(['k1']);
  });

  it.each([
    ['words in another order in quotes', '"blinks lighthouse"'],
    ['words one of which is missing', 'harbour elephant'],
    ['a part across two words', 'ghthouseblin'],
    ['a missing word', 'submarine'],
  ])('but not by %s', (_, text) => {
    expect(find(text)).toEqual([]);
  });

  it('with a snippet of the place', () => {
    const page = listJobs(db, { ...emptyFilter, text: 'blinks ' }, { limit: 10, startOfTodayMs: 0 });
    expect(page.snippets['k1']).toBe('The lighthouse \u0001blinks\u0002 twice');
  });

  it('without a snippet if only the title has the words', () => {
    const page = listJobs(db, { ...emptyFilter, text: 'harbour ' }, { limit: 10, startOfTodayMs: 0 });
    expect([page.jobs.length, page.snippets]).toEqual([1, {}]);
    // A tag is not part of the title.
    expect(listJobs(db, { ...emptyFilter, text: 'regression ' }, { limit: 10, startOfTodayMs: 0 }).snippets['k1']).toBe(
      '\u0001regression\u0002 set',
    );
  });
});

it('a snippet of a failed job is the message alone, not the record that repeats it', () => {
  const { db, find } = searched(openDatabase(':memory:', 0).db);
  const said = 'seed must be an integer.';
  const errorText = JSON.stringify({ error_type: 'RangeError', error_message: said, error_traceback: 'at job.js' });
  const reason = { kind: 'failed', said } as const;
  const failed = aNewJob({ key: 'k1', phase: 'finished', status: 'FAILED', reason }, '{"seed":"7"}');
  commit(db, [{ ...failed, bodies: [{ part: 'error', attempt: 1, text: errorText }] }]);
  expect(find('seed must')).toEqual(['k1']);
  const snippetFor = (text: string) =>
    listJobs(db, { ...emptyFilter, text }, { limit: 10, startOfTodayMs: 0 }).snippets['k1'];
  expect(snippetFor('seed must ')).toBe('\u0001seed\u0002 \u0001must\u0002 be an integer.');
  expect(snippetFor('rangeerror ')).toContain('RangeError');
});

describe('a search of one or two characters', () => {
  const { db, find } = searched(openDatabase(':memory:', 0).db);
  commit(db, [
    aNewJob({ key: 'k1', title: 'Hidden lake', tags: ['Österreich'] }, '"a word: hi"'),
    aNewJob({ key: 'k2', title: 'Say hi' }, '"whisper"'),
    aNewJob({ key: 'k3', title: 'Whiskers' }, '"hint"'),
    aNewJob({ key: 'k4', title: '夜の港' }, '"東京タワーを描く"'),
    aNewJob({ key: 'k5', title: '서울에서' }, '"우리나라의 한국어"'),
    // As macOS writes it in file names.
    aNewJob({ key: 'k6', title: '서울역.png'.normalize('NFD') }, '"x"'),
  ]);

  it.each([
    ['a word anywhere, or the beginning of one in a title', 'hi', ['k2', 'k1']],
    ['only the word if a blank follows', 'hi ', ['k2', 'k1']],
    ['the beginning of a tag, without its accents', 'os', ['k1']],
    ['one letter', 'W', ['k3']],
    ['not a beginning in a text', 'wh', ['k3']],
    ['with other words', 'whisper s', ['k2']],
    ['within a filter', 'hi', ['k1']],
    ['two kanji', '東京', ['k4']],
    ['one kanji', '港', ['k4']],
    ['two kana within a word', 'ワー', ['k4']],
    ['two syllables of hangul with an ending', '서울', ['k6', 'k5']],
    ['two syllables of hangul within a word', '국어', ['k5']],
    ['one syllable of hangul', '의', ['k5']],
    ['kanji in another order', '京東', []],
  ])('finds %s: %j', (what, text, keys) => {
    const filter = what === 'within a filter' ? { tags: ['Österreich'] } : {};
    expect(find(text, filter)).toEqual(keys);
  });

  it('marks hangul where it is, however it is written', () => {
    const page = listJobs(db, { ...emptyFilter, text: '국어' }, { limit: 10, startOfTodayMs: 0 });
    expect(page.snippets['k5']).toBe('우리나라의 한\u0001국어\u0002');
    expect(snippetOf('서울역.png'.normalize('NFD'), parseQuery('서울'), '')).toBe(
      '\u0001서울\u0002역.png'.normalize('NFD'),
    );
  });

  it('follows a change of names', () => {
    const own = searched(aDatabase());
    commit(own.db, [aNewJob({ tags: ['lake'] })]);
    expect(own.find('la')).toEqual(['key-1']);
    setTags(own.db, 'key-1', ['harbour']);
    expect([own.find('la'), own.find('ha')]).toEqual([[], ['key-1']]);
  });
});

describe('the index', () => {
  it('follows changes: tags, status, a retry’s new text beside the old', () => {
    const { db, find } = searched(aDatabase());
    commit(db, [aNewJob({ title: 'harbour', tags: ['morning'] })]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, pieces('first try'), 0);
    expect(find('harbour', { statuses: ['in_queue'] })).toEqual(['key-1']);
    setTags(db, 'key-1', ['evening']);
    commit(db, [{ job: aJob({ title: 'harbour', phase: 'finished', status: 'COMPLETED' }) }]);
    expect(find('harbour', { statuses: ['in_queue'] })).toEqual([]);
    expect(find('harbour', { statuses: ['completed'] })).toEqual(['key-1']);
    expect([find('morning'), find('evening')]).toEqual([[], ['key-1']]);
    commit(db, [{ job: aJob({ attempt: 2, status: 'IN_QUEUE' }) }]);
    commitChunks(db, { key: 'key-1', attempt: 2 }, pieces('second go'), 0);
    expect([find('first try'), find('second go')]).toEqual([['key-1'], ['key-1']]);
  });

  it('contains text streamed before a crash, after a fresh start', () => {
    const db = aDatabase();
    commit(db, [aNewJob({})]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, pieces('about to van', 'ish'), 0);
    expect(searched(db).find('vanish')).toEqual(['key-1']);
  });

  it('has no words that are ids of one job, which are found by their parts, except ids too short for these', () => {
    const { db, find } = searched(aDatabase());
    const jobId = 'd7c6aa87-df8d-49db-982b-8890054fe56f-u1';
    commit(db, [aNewJob({ jobId, endpointId: 'my-ai' }), aNewJob({ key: 'key-2', jobId: 'j7' })]);
    const texts = [jobId, `${jobId} `, '8890054fe56f', '8890054fe56f ', 'd7c6aa87-df8d', 'd7c6aa87 df8d', 'ai '];
    expect(texts.filter((text) => find(text).join() !== 'key-1')).toEqual([]);
    expect([find('j7'), find('j7 ')]).toEqual([['key-2'], ['key-2']]);
    const words = db.prepare('SELECT DISTINCT term FROM temp.search_words').all();
    const terms = words.map(({ term }) => String(term));
    expect(terms).toEqual(expect.arrayContaining(['d7c', 'ai', 'j7']));
    expect(terms.filter((term) => !term.startsWith('|') && jobId.includes(term) && term.length > 3)).toEqual([]);
  });

  it('catches up automatically in idle moments, in short steps', () => {
    const { db, indexer } = searched(aDatabase());
    commit(
      db,
      Array.from({ length: 100 }, (_, at) => aNewJob({ key: `k${at}`, title: 'harbour' })),
    );
    let steps = 0;
    while (indexer.idleStep(0)) steps += 1;
    expect(steps).toBe(1);
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(listJobs(db, { ...emptyFilter, text: 'harbour' }, { limit: 1, startOfTodayMs: 0 }).total).toBe(100);
  });

  it('indexes a long stream again only after it grew much or some seconds passed', () => {
    const { db, find } = searched(aDatabase());
    commit(db, [aNewJob({})]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, pieces('plain words '.repeat(7_000)), 0);
    expect(find('plain', {}, 0)).toEqual(['key-1']);
    commitChunks(db, { key: 'key-1', attempt: 1 }, pieces('lighthouse '), 0);
    expect(find('lighthouse', {}, 1_000)).toEqual([]);
    expect(find('lighthouse', {}, 6_000)).toEqual(['key-1']);
    commitChunks(db, { key: 'key-1', attempt: 1 }, pieces('harbour '), 0);
    commit(db, [{ job: aJob({ phase: 'finished', status: 'COMPLETED' }) }]);
    expect(find('harbour', {}, 6_001)).toEqual(['key-1']);
  });

  it('skips base64 and text beyond its limit, and keeps the rest searchable', () => {
    const { db, find } = searched(aDatabase());
    const noise = 'QUJD'.repeat(2_000);
    commit(db, [
      {
        ...aNewJob({}),
        bodies: [
          {
            part: 'output',
            attempt: 1,
            text: JSON.stringify({
              image: noise,
              caption: 'seagull',
              long: 'ordinary words '.repeat(30_000),
              last: 'zebra',
            }),
          },
        ],
      },
    ]);
    expect(find('seagull')).toEqual(['key-1']);
    expect(find(noise.slice(0, 40))).toEqual([]);
    expect(find('zebra')).toEqual([]);
  });

  it('finds any word that was saved, cut over any chunks', () => {
    const word = fc.stringMatching(/^[a-zäöüéßαβжшम१]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 2, maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.nat(),
        (words, cuts, pick) => {
          const { db } = openDatabase(':memory:', 0);
          const { find } = searched(db);
          commit(db, [aNewJob({ title: '' })]);
          const text = words.join(' ');
          const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
          commitChunks(
            db,
            { key: 'key-1', attempt: 1 },
            pieces(...places.slice(1).map((place, at) => text.slice(places[at], place))),
            0,
          );
          expect(find(`${words[pick % words.length] ?? ''} `)).toEqual(['key-1']);
          db.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('accepts any text without an error', () => {
    const { db, find } = searched(aDatabase());
    commit(db, [aNewJob({ title: 'harbour' })]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(() => find(text)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});
