import { formatCount } from '../../../src-preload/format.ts';
import type { SandboxFault } from '../../../src-preload/sandbox.ts';
import { faultBounds, maxFaults, type SandboxFaultKind } from '../../../src-preload/sandbox-bounds.ts';

interface KindText {
  name: string;
  /** Its effect on a request, in one line. */
  text: string;
}

/** The name of each kind of fault, in the order of the menu. */
export const faultKindText: Readonly<Record<SandboxFaultKind, KindText>> = {
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
  return Object.entries(faultKindText).find(([name]) => name === kind)?.[1].name ?? kind;
}

/** `Status 500`, `Status 409 once done`, `Delay of 800 ms`, `Lost answer`. */
export function faultTitle({ kind, status, isProcessed, delayMs }: SandboxFault): string {
  const afterwards = isProcessed ? ' once done' : '';
  if (kind === 'status') return `Status ${status ?? 500}${afterwards}`;
  if (kind === 'html') return `HTML error page${status === null ? '' : `, ${status}`}${afterwards}`;
  if (kind === 'delay' && delayMs !== null) return `Delay of ${delayText(delayMs)}`;
  return faultKindText[kind].name;
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

/** The faults that are injected on purpose. */
export const faultsText = {
  title: 'Faults',
  presets: 'Presets',
  replaces: 'Replaces the current faults',
  add: 'Add fault',
  isFull: `At most ${maxFaults}`,
  empty: 'The sandbox does what the specification says. Add a fault to see how a client copes with a bad day.',
  firstWins: 'First match wins',
  appliesToAll: 'Applies to Jobdeck’s own requests too',
  clear: 'Clear all',
  remove: (fault: SandboxFault): string => `Remove ${faultTitle(fault)}`,
};

/** The presets, and the effect of each in a few words. */
export const faultPresetText = {
  flaky: { name: 'Flaky network', text: 'resets, lost and slow answers' },
  overloaded: { name: 'Overloaded', text: '429, 503, slow' },
  wrong: { name: 'Wrong answers', text: '401, 404, redirects, pages, 5 minutes' },
  everything: { name: 'Everything at 30 %', text: 'every kind, 3 requests in 10' },
};

/** The form for a new fault. */
export const faultFormText = {
  form: 'New fault',
  kind: 'Kind',
  operation: 'Operation',
  endpoint: 'Endpoint',
  any: 'Any',
  status: 'Status',
  percent: 'How often',
  times: 'At most',
  timesUnit: 'times',
  forS: 'For',
  noEnd: 'No end',
  howLong: 'How long',
  after: 'After',
  isProcessed: 'Processed before the error',
  isProcessedHint: 'The job is created, cancelled or read; only the answer is wrong',
  add: 'Add',
  missingDelay: 'Say how long',
};

type FaultNumber = keyof typeof faultBounds;

const numbers: Readonly<Record<FaultNumber, { name: string; unit: string }>> = {
  status: { name: 'A status', unit: '' },
  percent: { name: 'A share', unit: ' %' },
  times: { name: 'A number of requests', unit: '' },
  forS: { name: 'A time', unit: ' s' },
  delayMs: { name: 'A delay', unit: ' ms' },
};

/** Why a number in the form is invalid: `A share is from 0.1 to 100 %`. */
export function faultNumberProblem(number: FaultNumber, isWhole: boolean): string {
  const { name, unit } = numbers[number];
  const { min, max } = faultBounds[number];
  return `${name} is ${isWhole ? 'a whole number ' : ''}from ${min} to ${formatCount(max)}${unit}`;
}
