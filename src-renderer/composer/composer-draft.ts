import type { SubmissionDraft, SubmitOperation } from '../../src-preload/job.ts';
import { writeDuration } from '../../src-preload/duration-text.ts';
import { readVariables, type Variable } from './variables/variable.ts';
import { isJsonObject } from '../../src-preload/json-spans.ts';

/** Everything in the composer's fields, as typed. It is saved while it changes, so that nothing is lost. */
export interface ComposerDraft {
  connectionId: string;
  endpointId: string;
  operation: SubmitOperation;
  inputText: string;
  waitText: string;
  executionTimeoutText: string;
  ttlText: string;
  isLowPriority: boolean;
  /** Its stream is collected even while it is off screen. */
  isKeptWhole: boolean;
  webhook: string;
  s3ProfileId: string;
  /** The variables of the input's placeholders, including those whose placeholder was removed. */
  variables: Variable[];
  /** The tags of the job, separated by commas. */
  tagsText: string;
  /** The preset it was started from. Empty: none. */
  presetId: string;
  /** How many jobs of its batch may be at the service at the same time. Empty: all. */
  maxLiveText: string;
  /** After how many failures its batch stops. Empty: never. */
  stopAfterFailuresText: string;
}

const freshInput = '{\n  "prompt": ""\n}';

/** An empty draft for an endpoint. */
export function emptyDraft(connectionId: string, endpointId: string): ComposerDraft {
  return {
    connectionId,
    endpointId,
    operation: 'run',
    inputText: freshInput,
    waitText: '',
    executionTimeoutText: '',
    ttlText: '',
    isLowPriority: false,
    isKeptWhole: true,
    webhook: '',
    s3ProfileId: '',
    variables: [],
    tagsText: '',
    presetId: '',
    maxLiveText: '',
    stopAfterFailuresText: '',
  };
}

/** Whether there is no input yet. */
export function isUntouched({ inputText }: Pick<ComposerDraft, 'inputText'>): boolean {
  return ['', '{}', freshInput].includes(inputText.trim());
}

/** The draft with an example as its input, unless there is an input, which is never replaced. */
export function withExample(draft: ComposerDraft, inputText: string | undefined): ComposerDraft {
  return inputText !== undefined && isUntouched(draft) ? { ...draft, inputText } : draft;
}

/** The fields for a saved submission, to be edited and sent again. */
export function fromSubmission(saved: SubmissionDraft): ComposerDraft {
  return {
    connectionId: saved.connectionId,
    endpointId: saved.endpointId,
    operation: saved.operation,
    inputText: saved.inputText,
    waitText: saved.waitMs === undefined ? '' : writeDuration(saved.waitMs),
    executionTimeoutText:
      saved.policy?.executionTimeout === undefined ? '' : writeDuration(saved.policy.executionTimeout),
    ttlText: saved.policy?.ttl === undefined ? '' : writeDuration(saved.policy.ttl),
    isLowPriority: saved.policy?.lowPriority ?? false,
    isKeptWhole: saved.isKeptWhole ?? true,
    webhook: saved.webhook ?? '',
    s3ProfileId: saved.s3ProfileId ?? '',
    variables: [],
    tagsText: (saved.tags ?? []).join(', '),
    presetId: '',
    maxLiveText: '',
    stopAfterFailuresText: '',
  };
}

/** A saved draft. Null if the text is not one (an older form, a damaged file). */
export function readSavedDraft(text: string): ComposerDraft | null {
  const kept = objectIn(text);
  if (kept === null) return null;
  const textOf = (name: string): string => (typeof kept[name] === 'string' ? kept[name] : '');
  const countOf = (name: string): string => (/^[1-9]\d{0,4}$/.test(textOf(name)) ? textOf(name) : '');
  if (textOf('inputText') === '') return null;
  return {
    connectionId: textOf('connectionId'),
    endpointId: textOf('endpointId'),
    operation: kept['operation'] === 'runsync' ? 'runsync' : 'run',
    inputText: textOf('inputText'),
    waitText: textOf('waitText'),
    executionTimeoutText: textOf('executionTimeoutText'),
    ttlText: textOf('ttlText'),
    isLowPriority: kept['isLowPriority'] === true,
    // Missing in a draft of an earlier version.
    isKeptWhole: kept['isKeptWhole'] !== false,
    webhook: textOf('webhook'),
    s3ProfileId: textOf('s3ProfileId'),
    variables: readVariables(kept['variables']),
    tagsText: textOf('tagsText'),
    presetId: textOf('presetId'),
    // `mostLiveText` in a draft of an earlier version.
    maxLiveText: countOf('maxLiveText') || countOf('mostLiveText'),
    stopAfterFailuresText: countOf('stopAfterFailuresText'),
  };
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
