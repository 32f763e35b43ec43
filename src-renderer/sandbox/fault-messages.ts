import type { SandboxFault } from '../../src-preload/sandbox.ts';
import type { SandboxFaultKind } from '../../src-preload/sandbox-bounds.ts';

interface KindText {
  name: string;
  /** Its effect on a request, in one line. */
  text: string;
}

/** The name of each kind of fault, in the order of the menu. */
export const faultText: Readonly<Record<SandboxFaultKind, KindText>> = {
  status: { name: 'Status code', text: 'Answers with this status, by default without processing.' },
  html: {
    name: 'HTML error page',
    text: 'A gateway’s error page instead of JSON, by default without processing.',
  },
  delay: { name: 'Delay', text: 'Processed as usual, after a pause in the sandbox’s time.' },
  hang: { name: 'No answer', text: 'Never answers. The client has to time out.' },
  reset: { name: 'Connection reset', text: 'The connection breaks before anything is processed.' },
  'drop-after-accept': { name: 'Lost answer', text: 'Processed, then the connection breaks instead of an answer.' },
  'invalid-json': { name: 'Invalid JSON', text: 'Processed, but the answer is unreadable.' },
  'truncated-json': { name: 'Truncated JSON', text: 'Processed, but only half of the answer arrives.' },
  deep: { name: 'Deep JSON', text: 'The answer contains lists nested 100,000 deep, in an unknown field.' },
  large: { name: 'Large JSON', text: 'The answer grows to 19 MB, within the limits.' },
  huge: { name: 'Huge JSON', text: 'The answer grows to 70 MB, beyond the limits.' },
  compressed: { name: 'Compressed a thousandfold', text: '60 MB arrive as 60 KB of gzip.' },
  'late-in-progress': { name: 'Late IN_PROGRESS', text: 'A completed job is reported as IN_PROGRESS again.' },
  'unknown-status': { name: 'Unknown status', text: 'The job has a status that the specification does not name.' },
  'duplicate-chunks': { name: 'Doubled chunks', text: 'Every chunk of a stream arrives twice in a row.' },
  'replay-chunks': { name: 'Replayed chunks', text: 'A stream starts over from its first chunk.' },
  'drop-webhook': { name: 'Dropped webhook', text: 'A webhook call is not sent.' },
  'clock-skew': { name: 'Clock skew', text: 'The times in replies are ten minutes off.' },
};

/** The name of a kind. A kind that this window does not know keeps its own. */
export function faultName(kind: string): string {
  return Object.entries(faultText).find(([name]) => name === kind)?.[1].name ?? kind;
}

/** `Status 500`, `Status 409 once done`, `Delay of 800 ms`, `Lost answer`. */
export function faultTitle({ kind, status, isProcessed, delayMs }: SandboxFault): string {
  const afterwards = isProcessed ? ' once done' : '';
  if (kind === 'status') return `Status ${status ?? 500}${afterwards}`;
  if (kind === 'html') return `HTML error page${status === null ? '' : `, ${status}`}${afterwards}`;
  if (kind === 'delay' && delayMs !== null) return `Delay of ${delayText(delayMs)}`;
  return faultText[kind].name;
}

/** What a fault affects and how often: `status on echo, 30 %, first 5, for 10 s`. */
export function faultReach({ kind, operation, endpointId, probability, times, forMs, delayMs }: SandboxFault): string {
  const where =
    operation === null
      ? endpointId === null
        ? everywhere(kind)
        : `everything on ${endpointId}`
      : endpointId === null
        ? operation
        : `${operation} on ${endpointId}`;
  const parts = [
    where,
    probability === 1 ? 'always' : `${percentText(probability)} %`,
    ...(times === null ? [] : [`first ${times}`]),
    ...(forMs === null ? [] : [`for ${delayText(forMs)}`]),
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
    case 'status':
    case 'html':
    case 'delay':
    case 'hang':
    case 'reset':
    case 'drop-after-accept':
    case 'invalid-json':
    case 'truncated-json':
    case 'deep':
    case 'large':
    case 'huge':
    case 'compressed':
    case 'clock-skew':
      return 'every request';
  }
}

/** A share as a percentage, without needless decimals. */
function percentText(probability: number): string {
  return String(Math.round(probability * 1_000) / 10);
}

function delayText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 10) / 100} s`;
}
