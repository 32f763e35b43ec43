import { formatCount } from '../../../src-preload/format.ts';
import { maxCounted } from '../../../src-preload/history.ts';
import { countText } from '../common.ts';

/** The filter over the list. */
export const filterBoxText = {
  label: 'Search jobs',
  placeholder: 'Search, or status: tag: after: took>',
  clear: 'Clear filter',
  suggestions: 'Suggestions',
  remove: (token: string): string => `Remove ${token}`,
  /** Instead of an invalid token. */
  use: (token: string): string => `Use ${token}`,
};

/** How many jobs have a tag. The count stops at `maxCounted`. */
export function jobsWithTag(jobs: number): string {
  return jobs > maxCounted ? `more than ${formatCount(maxCounted)} jobs` : countText.jobs(jobs);
}

/** What each field of the filter finds, or examples of its values. */
export const fieldNotes = {
  'status:': 'failed, completed, in_queue',
  'endpoint:': 'by name or id',
  'tag:': 'with a tag',
  '-tag:': 'without a tag',
  'mark:': 'good, bad, 1 to 5, none',
  'label:': 'with a label',
  'after:': 'today, 7d, 2026-11-01',
  'before:': 'yesterday, 7d, 2026-11-01',
  'took>': 'ran for more than 30s, 2m',
  'took<': 'ran for less than 30s, 2m',
  'waited>': 'waited more than 1m',
  'waited<': 'waited less than 1m',
  'cost>': 'cost more than 0.5 credits',
  'cost<': 'cost less than 0.5 credits',
  'id:': 'the beginning of a job id',
  'batch:': 'by name',
  'cause:': 'failed for this reason',
  'same-input:': 'as the job with this id',
  'has:': 'images, error, stream',
  'connection:': 'any, including removed ones',
};

/** What the suggested values of the fields mean. */
export const valueNotes = {
  has: {
    images: 'has an image in its output',
    error: 'failed, refused or timed out',
    stream: 'has streamed output',
  },
  after: {
    '1h': 'the last hour',
    today: 'since midnight',
    yesterday: 'since yesterday, 00:00',
    '7d': 'the last seven days',
    '30d': 'the last thirty days',
  },
  before: {
    today: 'until last midnight',
    yesterday: 'until yesterday, 00:00',
    '7d': 'older than seven days',
    '30d': 'older than thirty days',
  },
  span: {
    '1s': 'one second',
    '10s': 'ten seconds',
    '30s': 'half a minute',
    '1m': 'one minute',
    '5m': 'five minutes',
    '1h': 'one hour',
  },
  cost: 'credits',
  anyConnection: 'including removed ones',
};

/** What the words of `mark:` mean. Its numbers need no note. */
export const markNotes: Readonly<Record<string, string>> = {
  good: '4 and 5',
  bad: '1 and 2',
  any: 'with a mark',
  none: 'without a mark',
};

/** What is wrong with the value of a field, and how to write it instead. */
export interface TokenProblem {
  text: string;
  /** Left out where a button writes it. */
  form: string;
}

/** What can be wrong with the value of a field. */
export const tokenProblemText = {
  status: (value: string): TokenProblem => ignored(value, 'a status', 'status:failed'),
  has: (value: string): TokenProblem =>
    ignored(value, 'something a job can have', 'has:images, has:error or has:stream'),
  mark: (value: string): TokenProblem =>
    ignored(value, 'a mark', 'mark:good, mark:bad, mark:any, mark:none or mark:1 to 5'),
  connection: (value: string): TokenProblem => ignored(value, 'a choice', 'connection:any'),
  moment: (field: string, value: string): TokenProblem =>
    ignored(value, 'a time', `${field}:today, ${field}:7d or ${field}:2026-11-01`),
  time: (field: string, value: string): TokenProblem => ignored(value, 'a time', `${field}>30s or ${field}<2m`),
  credits: (field: string, value: string): TokenProblem => ignored(value, 'a number of credits', `${field}>0.5`),
  noSign: (field: string, value: string): TokenProblem => ({
    text: `${field}:${value} is ignored.`,
    form: `Write ${field}>${value} or ${field}<${value}.`,
  }),
  noValue: (field: string): TokenProblem => ({ text: `Enter a value after ${field}:`, form: '' }),
};

function ignored(value: string, what: string, example: string): TokenProblem {
  return { text: `"${value}" is not ${what}, and is ignored.`, form: `Write ${example}.` };
}

/** Instead of the list, if no job matches the filter. */
export const noMatchesText = {
  title: 'Nothing matches',
  /** `Nothing matches all three`. `parts` is how many parts the filter has. */
  titleOf: (parts: number): string => `Nothing matches ${parts === 2 ? 'both' : `all ${numberWords[parts] ?? parts}`}`,
  here: 'No saved job of this connection has this in its title, id, input, output, error or note.',
  anywhere: 'No saved job has this in its title, id, input, output, error or note.',
  /** Added if the last word has one or two letters. */
  shortWord: 'From the third letter on, words that begin like this are also found outside of titles, tags and labels.',
  searchAll: 'Search all connections',
  dropOne: 'Drop one of them:',
  dropMore: 'Dropping one of them is not enough:',
  without: 'without',
  with: 'with',
};

const numberWords: Readonly<Record<number, string>> = { 3: 'three', 4: 'four', 5: 'five' };
