import type { Job, NotKnown, PendingStream } from '../../src-preload/job.ts';

/** What is not settled about a job; hardly any has one of these. */
export type Unsettled = Pick<Job, 'notKnown' | 'pendingStream' | 'unreadReply' | 'formerStartsAtMs'>;

/** The JSON text to keep; null where all is settled. */
export function writeUnsettled({ notKnown, pendingStream, unreadReply, formerStartsAtMs }: Unsettled): string | null {
  const parts = { notKnown, pendingStream, unreadReply, formerStartsAtMs };
  return Object.values(parts).every((part) => part === undefined) ? null : JSON.stringify(parts);
}

/** What `writeUnsettled` kept. A part that cannot be read is left out: it is learned anew from the service. */
export function readUnsettled(json: string | null): Unsettled {
  if (json === null) return {};
  const kept: unknown = JSON.parse(json);
  const notKnown = notKnownOf(memberOf(kept, 'notKnown'));
  const pendingStream = pendingStreamOf(memberOf(kept, 'pendingStream'));
  const unreadReply = memberOf(kept, 'unreadReply');
  const formerStartsAtMs = timesOf(memberOf(kept, 'formerStartsAtMs'));
  return {
    ...(notKnown === null ? {} : { notKnown }),
    ...(pendingStream === null ? {} : { pendingStream }),
    ...(typeof unreadReply === 'string' ? { unreadReply } : {}),
    ...(formerStartsAtMs.length === 0 ? {} : { formerStartsAtMs }),
  };
}

function notKnownOf(value: unknown): NotKnown | null {
  const [sinceMs, times, lastAtMs, nextTryMs] = ['sinceMs', 'times', 'lastAtMs', 'nextTryMs'].map((name) =>
    numberOf(value, name),
  );
  if (sinceMs === undefined || times === undefined || lastAtMs === undefined || nextTryMs === undefined) return null;
  return { sinceMs, times, lastAtMs, nextTryMs };
}

function pendingStreamOf(value: unknown): PendingStream | null {
  const [sinceMs, failures, nextTryMs, untilMs] = ['sinceMs', 'failures', 'nextTryMs', 'untilMs'].map((name) =>
    numberOf(value, name),
  );
  const reason = memberOf(value, 'reason');
  if (sinceMs === undefined || failures === undefined || nextTryMs === undefined || untilMs === undefined) return null;
  return { sinceMs, failures, nextTryMs, untilMs, reason: typeof reason === 'string' ? reason : '' };
}

function timesOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((atMs) => typeof atMs === 'number') : [];
}

function numberOf(value: unknown, name: string): number | undefined {
  const member = memberOf(value, name);
  return typeof member === 'number' ? member : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined;
}
