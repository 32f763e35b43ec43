import { reasonText } from '../../src-preload/messages/job-reason.ts';
import type { Notice } from '../../src-preload/app.ts';
import type { Batch } from '../../src-preload/batch.ts';
import { statusLook, statusWord, type Job, type StatusLook } from '../../src-preload/job.ts';
import type { Settings } from '../../src-preload/settings.ts';

/**
 * Whether the end of this job is told at all. A job that somebody cancelled has not failed; one without output has
 * (ruling 30).
 */
export function isEndTold(job: Job, notifyOn: Settings['notifyOn']): boolean {
  switch (notifyOn) {
    case 'every-end':
      return true;
    case 'failures':
      return (job.isWithoutOutput && job.pendingStream === undefined) || isFailure[statusLook(job)];
    case 'nothing':
      return false;
  }
}

const isFailure: Record<StatusLook, boolean> = {
  fail: true,
  timeout: true,
  gone: true,
  unknown: true,
  done: false,
  cancel: false,
  queue: false,
  run: false,
  'to-send': false,
  orphaned: false,
};

/** Title and body for one job that ended. Pure; never holds output, only what the user named and the reason. */
export function wordEnd(job: Job, endpointLabel: string): { title: string; body: string } {
  const took = job.executionTimeMs === null ? '' : `${wordSeconds(job.executionTimeMs)} on `;
  switch (statusLook(job)) {
    case 'done':
      if (job.unreadReply !== undefined)
        return {
          title: `${job.title} completed`,
          body: `${took}${endpointLabel}. The reply is too large to read; the beginning is saved here.`,
        };
      if (job.pendingStream !== undefined)
        return {
          title: `${job.title} completed`,
          body: `${took}${endpointLabel}. The rest of its stream is still being fetched.`,
        };
      return job.isWithoutOutput
        ? {
            title: `${job.title} completed without output`,
            body: `${took}${endpointLabel}. The service returned no output.`,
          }
        : { title: `${job.title} completed`, body: `${took}${endpointLabel}, saved here` };
    case 'fail':
    case 'timeout':
      return {
        title: `${job.title} ${statusWord(job).toLowerCase()}`,
        body:
          (job.reason === null ? 'No reason given' : reasonText(job.reason)) +
          (took === '' ? ` on ${endpointLabel}` : `, after ${took}${endpointLabel}`),
      };
    case 'cancel':
      return { title: `${job.title} was cancelled`, body: endpointLabel };
    case 'gone':
      if (job.goneReason === 'too-large')
        return {
          title: `The reply for ${job.title} is too large to read`,
          body: `Its beginning is saved here. The job may have completed normally on ${endpointLabel}.`,
        };
      return {
        title: `${job.title} is gone from the service`,
        body: job.reason === null ? `${endpointLabel} no longer knows it` : reasonText(job.reason),
      };
    case 'queue':
    case 'run':
    case 'to-send':
    case 'unknown':
    case 'orphaned':
      return { title: job.title, body: `${statusWord(job)} on ${endpointLabel}` };
  }
}

/** Title and body for several jobs that ended together. */
export function wordMany(jobs: readonly Job[]): { title: string; body: string } {
  const counts = new Map<string, number>();
  for (const job of jobs) {
    const word = groupWord[statusLook(job)];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const first = jobs[0]?.title ?? '';
  return {
    title: `${jobs.length} jobs ended`,
    body: `${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}. ${first}, and ${jobs.length - 1} more`,
  };
}

/** Title and body for a batch whose last row ended. */
export function wordBatch({ name, counts, total }: Batch): { title: string; body: string } {
  const words: readonly (readonly [number, string])[] = [
    [counts.completed, 'completed'],
    [counts.failed, 'failed'],
    [counts.refused, 'refused'],
    [counts.unknown, 'with an unknown outcome'],
    [counts.gone, 'gone'],
    [counts.cancelled, 'cancelled'],
  ];
  return {
    title: `Batch "${name}" finished`,
    body: `${total} ${total === 1 ? 'row' : 'rows'}: ${words
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${count} ${word}`)
      .join(', ')}`,
  };
}

const groupWord: Record<StatusLook, string> = {
  done: 'completed',
  fail: 'failed',
  timeout: 'timed out',
  cancel: 'cancelled',
  gone: 'gone',
  queue: 'queued',
  run: 'running',
  'to-send': 'waiting',
  unknown: 'unknown',
  orphaned: 'orphaned',
};

function wordSeconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(1)} s`;
}

/** What is said where the system shows no notifications of Jobdeck. `error`: the system's words. */
export function notificationsRefusedNotice(error: string): Omit<Notice, 'atMs'> {
  return {
    id: 'notifications-refused',
    tone: 'warning',
    title: 'Your system does not show Jobdeck’s notifications',
    text: `Allow them in the system’s settings; results are saved either way. The system said: ${error}`,
    path: null,
  };
}
