/** Jobs that are sent, tracked and deleted. */
export const jobText = {
  absent: 'This job is no longer in the history.',
  closing: 'The job was not sent, because Jobdeck is closing. It was not saved.',
  couldNotSave: (why: string): string => `The job was not sent, because Jobdeck could not save it first. ${why}`,
  notResubmitted: (why: string): string => `This job cannot be resubmitted. ${why}.`,
  inputMissing: 'Its input is missing here',
  unknownThere: 'The service does not know this job, so there is nothing to track.',
  mentionedIdUnknown:
    'The service does not know the id in its reply, so there is nothing to track. The submission stays as it is.',
  retryInProgress: 'A retry is being sent',
  rateLimitUsedUp: 'The rate limit of this endpoint is used up; try again in a few seconds',
  notJobId: (text: string, longest: number): string =>
    `"${text}" is not a job id: 1 to ${longest} printable characters. No job was added.`,
};

/** Why nothing was sent, or read. */
export const nothingSentText = {
  closing: 'Jobdeck is closing, so nothing was sent. Saved data stays.',
  keyRefused: (httpStatus: number): string => refusedText('the key of this connection', httpStatus),
  operationRefused: (operation: string, httpStatus: number): string =>
    refusedText(`${operation} for this endpoint`, httpStatus),
  justPurged: 'The queue of this endpoint was just purged. Nothing was sent; wait until the lock ends.',
  healthOncePerSecond: 'Jobdeck reads an endpoint’s health at most once a second. Try again in a moment.',
  healthLater: 'Nothing was sent: the service asked Jobdeck to wait before it reads this endpoint’s health again.',
};

function refusedText(what: string, httpStatus: number): string {
  return (
    `Nothing was sent: the service refuses ${what} (${httpStatus}) right now. Jobdeck will try again ` +
    'automatically; "Try now" does it immediately.'
  );
}

/** Why a status is not read now. */
export const checkNowText = {
  rateLimit: 'The rate limit of this endpoint is used up. Try again in a few seconds.',
  paused: 'Polling is paused. Resume it to check this job.',
  stillUnknown: 'The service still does not know this job (404). Saved data stays, and you can resubmit its input.',
};

/** Why a live job is not tracked, to a user who wants to check it. */
export const notTrackedTexts = {
  'other-host':
    'This job was sent to another address than its connection has now, so Jobdeck does not check it. It is ' +
    'tracked again when the connection has its old address.',
  'no-connection': 'The connection of this job was removed, so Jobdeck cannot check it. Saved data stays.',
};

/** Retries of jobs. */
export const retryText = {
  noId: 'Without an id from the service it cannot be retried',
  inProgress: 'A retry is already being sent',
  outputLeft: 'The rest of its output is still being fetched; try again in a moment',
  streamLeft:
    'The rest of its stream is still being fetched, and a retry would delete it on the service. Stop waiting for ' +
    'it first.',
  closedWhileSending: 'Jobdeck closed while sending the retry, and nothing shows that the service accepted it.',
};

/** A field of an input with its value, in the title of a row. */
export function namedValue(name: string, value: string): string {
  return `${name} ${value}`;
}

/** The title of a row that its values tell from the others. `title`: what all of them are about, if that is known. */
export function rowTitle(values: readonly string[], title: string | null): string {
  return title === null ? values.join(', ') : `${values.join(', ')}: ${title}`;
}

/** Batches of jobs. */
export const batchText = {
  absent: 'This batch is no longer in the history.',
  closing: 'Nothing was sent, because Jobdeck is closing. The batch was not saved.',
  couldNotSave: (why: string): string => `Nothing was sent, because Jobdeck could not save the rows first. ${why}`,
  noFailedRow: 'No row of this batch failed or was refused.',
  beingSubmitted: 'The failed rows of this batch are being submitted already.',
  submittedBefore: 'The failed rows of this batch were submitted again before. Nothing was sent.',
};

/** `Evaluation` becomes `Evaluation (2nd run)`, and that `Evaluation (3rd run)`. */
export function againName(name: string): string {
  const [, first = name, run = '1'] = /^(.*) \((\d+)(?:st|nd|rd|th) run\)$/.exec(name) ?? [];
  const next = Number(run) + 1;
  return `${first.slice(0, 100)} (${next}${ordinalEndings[ordinals.select(next)] ?? 'th'} run)`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinalEndings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };

/** Answers that say nothing certain. */
export const strangeAnswerText = {
  purgeCount: (removed: number): string =>
    `The service answered that ${removed} jobs were removed, which cannot be a count`,
  streamOpen: (status: string): string => `Its stream was still ${status}`,
};

/** What a request came to, in the list of a job's requests. */
export const requestNoteText = {
  removed: (jobs: number): string => `${jobs} removed`,
  executed: (status: string, executionMs: number): string => `${status}, execution ${executionMs} ms`,
  /** `status` is null if the reply has none. */
  chunks: (count: number, status: string | null): string =>
    (count === 0 ? 'no new chunks' : `${count} ${count === 1 ? 'chunk' : 'chunks'}`) +
    (status === null ? '' : `, ${status}`),
  /** The note says it if parts of the reply are not saved byte by byte. */
  withChanges: (note: string, { hiddenSecrets, namedNumbers }: Record<'hiddenSecrets' | 'namedNumbers', number>) =>
    note +
    (hiddenSecrets === 0
      ? ''
      : `; it repeated a key or secret, hidden in ${hiddenSecrets === 1 ? 'one place' : `${hiddenSecrets} places`}`) +
    (namedNumbers === 0
      ? ''
      : `; ${namedNumbers === 1 ? 'one number' : `${namedNumbers} numbers`} (NaN or Infinity) saved as text, ` +
        'because JSON does not have them'),
};
