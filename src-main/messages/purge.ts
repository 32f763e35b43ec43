const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Purges of queues. */
export const purgeText = {
  wrongName: 'What you typed is neither the name nor the id of this endpoint. Nothing was sent.',
  inProgress: 'A purge of this queue is in progress. Nothing more was sent.',
  locked: (seconds: number): string => `Purging is locked for another ${seconds} s. Nothing was sent.`,
  couldNotSave: 'Nothing was sent, because Jobdeck could not save the purge first.',
  closedMeanwhile: 'Jobdeck closed before the service answered',
  notSaved: 'This purge is no longer saved.',
};

/** Purged jobs that are submitted again. */
export const submitAgainText = {
  nothingLeft: 'No job of this purge is left to submit again.',
  inProgress: 'These jobs are being submitted already.',
  batchName: (atMs: number): string => `Purged jobs, resubmitted ${dayFormat.format(atMs)}`,
  rowsRefused: 'The rows were refused.',
};
