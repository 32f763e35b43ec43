import { canHit, faultBounds, faultKindNames, isAnswering } from '../../src-preload/sandbox-bounds.ts';
import type { SandboxFault } from '../../src-preload/sandbox.ts';
import { faultFormText, faultNumberProblem, faultPresetText } from '../messages/sandbox/faults.ts';
import type { SandboxFaultKind, SandboxFaultOperation } from '../../src-preload/sandbox-bounds.ts';

/** The content of the form, as text. */
export interface FaultFields {
  kind: SandboxFaultKind;
  /** Empty for all operations. */
  operation: SandboxFaultOperation | '';
  /** Empty for all endpoints. */
  endpointId: string;
  status: string;
  percent: string;
  times: string;
  /** Seconds. Empty for no end. */
  forS: string;
  /** Only used by kinds that answer instead of the service. */
  isProcessed: boolean;
  delayMs: string;
}

export type FaultNumber = 'status' | 'percent' | 'times' | 'forS' | 'delayMs';

export const blankFault: FaultFields = {
  kind: 'status',
  operation: '',
  endpointId: '',
  status: '500',
  percent: '100',
  times: '',
  forS: '',
  isProcessed: false,
  delayMs: '',
};

const defaultStatus: Partial<Record<SandboxFaultKind, string>> = { status: '500', html: '502' };
const defaultDelayMs = '800';

/**
 * The fields after a change of the kind: an operation that it cannot affect is cleared, and its own number gets a
 * default.
 */
export function withKind(fields: FaultFields, kind: SandboxFaultKind): FaultFields {
  return {
    ...fields,
    kind,
    operation: fields.operation !== '' && canHit(kind, fields.operation) ? fields.operation : '',
    status: defaultStatus[kind] ?? '',
    delayMs:
      kind === 'delay'
        ? fields.delayMs === ''
          ? defaultDelayMs
          : fields.delayMs
        : fields.kind === 'delay'
          ? ''
          : fields.delayMs,
  };
}

/** Whether faults of this kind answer with a status that the user chooses. */
export function hasStatus(kind: SandboxFaultKind): boolean {
  return defaultStatus[kind] !== undefined;
}

function read(
  fields: FaultFields,
  name: FaultNumber,
  isWhole: boolean,
): { value: number | null; problem: string | null } {
  const text = fields[name].trim();
  if (text === '') return { value: null, problem: null };
  const value = Number(text);
  const { min, max } = faultBounds[name];
  const holds = Number.isFinite(value) && value >= min && value <= max && (!isWhole || Number.isInteger(value));
  return holds ? { value, problem: null } : { value: null, problem: faultNumberProblem(name, isWhole) };
}

/** The fault in the fields, or what is invalid in each field. */
export function readFault(
  fields: FaultFields,
  id: string,
): { fault: SandboxFault } | { problems: Partial<Record<FaultNumber, string>> } {
  const status = hasStatus(fields.kind) ? read(fields, 'status', true) : { value: null, problem: null };
  const percent = read(fields, 'percent', false);
  const times = read(fields, 'times', true);
  const forS = read(fields, 'forS', false);
  const delayMs = read(fields, 'delayMs', true);
  const missingDelay =
    fields.kind === 'delay' && delayMs.value === null && delayMs.problem === null ? faultFormText.missingDelay : null;
  const problems = {
    ...(status.problem === null ? {} : { status: status.problem }),
    ...(percent.problem === null ? {} : { percent: percent.problem }),
    ...(times.problem === null ? {} : { times: times.problem }),
    ...(forS.problem === null ? {} : { forS: forS.problem }),
    ...(delayMs.problem === null && missingDelay === null ? {} : { delayMs: delayMs.problem ?? missingDelay ?? '' }),
  };
  if (Object.keys(problems).length > 0) return { problems };
  return {
    fault: {
      id,
      isOn: true,
      kind: fields.kind,
      operation: fields.operation === '' ? null : fields.operation,
      endpointId: fields.endpointId === '' ? null : fields.endpointId,
      status: status.value,
      probability: (percent.value ?? 100) / 100,
      times: times.value,
      forMs: forS.value === null ? null : Math.round(forS.value * 1_000),
      isProcessed: isAnswering(fields.kind) && fields.isProcessed,
      delayMs: delayMs.value,
    },
  };
}

/** A rule that has no id yet. */
type Rule = Pick<SandboxFault, 'kind' | 'probability'> & Partial<SandboxFault>;

function rule(partial: Rule, newId: () => string): SandboxFault {
  return {
    id: newId(),
    isOn: true,
    operation: null,
    endpointId: null,
    status: null,
    times: null,
    forMs: null,
    isProcessed: false,
    delayMs: null,
    ...partial,
  };
}

export interface FaultPreset {
  name: string;
  /** Its effect, in a few words. */
  text: string;
  rules: readonly Rule[];
}

/** About fifteen kinds can affect a request, so together they affect three in ten. */
const smallShare = 0.024;

/** Typical failures to test a client with. Rules are tried in order, and the first that applies is used. */
export const faultPresets: readonly FaultPreset[] = [
  {
    ...faultPresetText.flaky,
    rules: [
      { kind: 'reset', probability: 0.05 },
      { kind: 'drop-after-accept', probability: 0.03 },
      { kind: 'truncated-json', probability: 0.03 },
      { kind: 'delay', probability: 0.25, delayMs: 1_200 },
    ],
  },
  {
    ...faultPresetText.overloaded,
    rules: [
      { kind: 'status', probability: 0.15, status: 429 },
      { kind: 'status', probability: 0.1, status: 503 },
      { kind: 'html', probability: 0.05, status: 502 },
      { kind: 'delay', probability: 0.6, delayMs: 2_000 },
    ],
  },
  {
    ...faultPresetText.wrong,
    rules: [
      ...[401, 403, 404, 409].map((status): Rule => ({ kind: 'status', probability: 0.06, status, forMs: 300_000 })),
      { kind: 'html', probability: 0.06, status: 404, forMs: 300_000 },
      { kind: 'status', probability: 0.04, status: 302, isProcessed: true, forMs: 300_000 },
      { kind: 'html', probability: 0.04, status: 502, isProcessed: true, forMs: 300_000 },
    ],
  },
  {
    ...faultPresetText.everything,
    rules: faultKindNames.map((kind): Rule => ({
      kind,
      probability: smallShare,
      ...(kind === 'delay' ? { delayMs: 800 } : {}),
    })),
  },
];

/** The faults of a preset, each with its own id. */
export function presetFaults(preset: FaultPreset, newId: () => string): SandboxFault[] {
  return preset.rules.map((one) => rule(one, newId));
}
