import { createHash } from 'node:crypto';
import type { JobFilter } from '../../src-preload/history.ts';
import { isLive } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { failureWords } from './facets.ts';
import { statusWordOf } from '../../src-preload/history.ts';

/**
 * What a search may be narrowed by stands in the full-text index too, as words nobody can type: they begin with a
 * sign that folding takes out of every text. One MATCH then answers "this word, in failed jobs of this connection",
 * and counting the answers never fetches a job.
 */
const sign = '|';
const connection = (id: string): string => `${sign}c${hashed(id)}`;
const endpoint = (id: string): string => `${sign}e${hashed(id)}`;
const status = (word: string): string => `${sign}w${hashed(word)}`;
const tag = (name: string): string => `${sign}t${hashed(name)}`;
const starred = `${sign}starred`;
const live = `${sign}live`;
const finished = `${sign}finished`;

function hashed(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 12);
}

/** The marks of a job, for its index row. Whenever one changes the job is indexed again. */
export function marksOf(job: Job): string[] {
  return [
    connection(job.connectionId),
    endpoint(job.endpointId),
    status(statusWordOf(job)),
    ...job.tags.map(tag),
    ...(job.isStarred ? [starred] : []),
    ...(isLive(job) ? [live] : []),
    ...(job.phase === 'finished' ? [finished] : []),
  ];
}

/** The marks a filter asks for, as an FTS5 expression around `terms`. Times are not among them. */
export function narrowedMatch(terms: string, filter: JobFilter): string {
  const asked = [`(${terms})`];
  if (filter.connectionId !== null) asked.push(quoted(connection(filter.connectionId)));
  if (filter.endpointId !== null) asked.push(quoted(endpoint(filter.endpointId)));
  if (filter.statuses.length > 0) asked.push(anyOf(filter.statuses.map(status)));
  asked.push(...filter.tags.map((name) => quoted(tag(name))));
  if (filter.view === 'starred') asked.push(quoted(starred));
  if (filter.view === 'active') asked.push(quoted(live));
  if (filter.view === 'finished-today') asked.push(quoted(finished));
  if (filter.view === 'failed') asked.push(anyOf(failureWords.map(status)));
  const match = asked.join(' AND ');
  return filter.notTags.length === 0 ? match : `(${match}) NOT ${anyOf(filter.notTags.map(tag))}`;
}

const quoted = (mark: string): string => `"${mark}"`;
const anyOf = (marks: readonly string[]): string => `(${marks.map(quoted).join(' OR ')})`;
