import type { SandboxFault, SandboxFaultKind } from '../../src-preload/sandbox.ts';

interface KindWords {
  name: string;
  /** What it does to a request, in a line. */
  text: string;
}

/** How the window calls each kind of fault, in the order it offers them. */
export const faultWords: Readonly<Record<SandboxFaultKind, KindWords>> = {
  status: { name: 'Status code', text: 'Answered with this status and not processed.' },
  html: { name: 'HTML error page', text: 'A gateway’s error page comes in place of JSON. Not processed.' },
  delay: { name: 'Delay', text: 'Processed as usual, after a pause in the sandbox’s time.' },
  hang: { name: 'No answer', text: 'Never answered. The client has to give up by itself.' },
  reset: { name: 'Connection reset', text: 'The connection breaks before anything is processed.' },
  'drop-after-accept': { name: 'Lost answer', text: 'Processed, then the connection breaks in place of the answer.' },
  'invalid-json': { name: 'Invalid JSON', text: 'Processed, but the answer cannot be read.' },
  'truncated-json': { name: 'Truncated JSON', text: 'Processed, but only half of the answer comes.' },
  'late-in-progress': { name: 'Late IN_PROGRESS', text: 'A completed job is told of as IN_PROGRESS again.' },
  'unknown-status': { name: 'Unknown status', text: 'The job has a status that the specification does not name.' },
  'duplicate-chunks': { name: 'Doubled chunks', text: 'Every chunk of a stream comes twice in a row.' },
  'replay-chunks': { name: 'Replayed chunks', text: 'A stream begins again with its first chunk.' },
  'drop-webhook': { name: 'Dropped webhook', text: 'A webhook call is not sent.' },
  'clock-skew': { name: 'Clock skew', text: 'The times in replies are ten minutes off.' },
};

/** The name of a kind; one this window does not know keeps its own. */
export function faultName(kind: string): string {
  return Object.entries(faultWords).find(([name]) => name === kind)?.[1].name ?? kind;
}

/** `Status 500`, `Delay of 800 ms`, `Lost answer`. */
export function faultTitle({ kind, status, delayMs }: SandboxFault): string {
  if (kind === 'status') return `Status ${status ?? 500}`;
  if (kind === 'html' && status !== null) return `HTML error page, ${status}`;
  if (kind === 'delay' && delayMs !== null) return `Delay of ${delayText(delayMs)}`;
  return faultWords[kind].name;
}

/** What it hits and how often: `status on echo, 30 %, first 5`. */
export function faultReach({ kind, operation, endpointId, probability, times, delayMs }: SandboxFault): string {
  const where = operation === null ? (endpointId === null ? everywhere(kind) : `everything on ${endpointId}`) : endpointId === null ? operation : `${operation} on ${endpointId}`;
  const parts = [
    where,
    probability === 1 ? 'always' : `${percentText(probability)} %`,
    ...(times === null ? [] : [`first ${times}`]),
    ...(kind !== 'delay' && delayMs !== null ? [`after ${delayText(delayMs)}`] : []),
  ];
  return parts.join(', ');
}

function everywhere(kind: SandboxFaultKind): string {
  switch (kind) {
    case 'late-in-progress':
    case 'unknown-status':
      return 'every status';
    case 'duplicate-chunks':
    case 'replay-chunks':
      return 'every stream';
    case 'drop-webhook':
      return 'every webhook';
    case 'status': case 'html': case 'delay': case 'hang': case 'reset': case 'drop-after-accept': case 'invalid-json': case 'truncated-json': case 'clock-skew':
      return 'every request';
  }
}

/** A share as per cent, without needless decimals. */
export function percentText(probability: number): string {
  return String(Math.round(probability * 1_000) / 10);
}

function delayText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 10) / 100} s`;
}
