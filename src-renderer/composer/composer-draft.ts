import type { SubmissionDraft, SubmitOperation } from '../../src-preload/job.ts';
import { writeDuration } from '../design/duration-text.ts';
import { readVariables, type Variable } from './variables/variable-values.ts';
import { isJsonObject } from '../../src-preload/json-object.ts';

/** Everything typed into the composer, as typed. It is kept on disk while it changes, so nothing is ever lost. */
export interface ComposerDraft {
  connectionId: string;
  endpointId: string;
  operation: SubmitOperation;
  inputText: string;
  waitText: string;
  executionTimeoutText: string;
  ttlText: string;
  isLowPriority: boolean;
  /** Its stream is collected though nobody watches it. */
  isKeptWhole: boolean;
  webhook: string;
  s3ProfileId: string;
  /** What stands for the placeholders of the input; also of those that were taken out of it again. */
  variables: Variable[];
  /** Tags that the job gets, with commas between them. */
  tagsText: string;
  /** The preset it began with; empty: none. */
  presetId: string;
  /** Jobs of its batch that may be on the service at once; empty: all. */
  mostLiveText: string;
  /** Failures after which its batch stops; empty: none. */
  stopAfterFailuresText: string;
}

const freshInput = '{\n  "prompt": ""\n}';

/** A draft with nothing typed, for one endpoint. */
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
    mostLiveText: '',
    stopAfterFailuresText: '',
  };
}

/** Whether nobody typed an input yet. */
export function isUntouched({ inputText }: Pick<ComposerDraft, 'inputText'>): boolean {
  return ['', '{}', freshInput].includes(inputText.trim());
}

/** The draft with an example as its input, unless something was typed: that is never replaced. */
export function withExample(draft: ComposerDraft, inputText: string | undefined): ComposerDraft {
  return inputText !== undefined && isUntouched(draft) ? { ...draft, inputText } : draft;
}

/** A saved submission back into the fields, to be edited and sent again. */
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
    mostLiveText: '',
    stopAfterFailuresText: '',
  };
}

/** A draft kept on disk, or null where the text is not one (an older form, a damaged file). */
export function readKeptDraft(text: string): ComposerDraft | null {
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
    // A draft of an earlier version knows nothing of it.
    isKeptWhole: kept['isKeptWhole'] !== false,
    webhook: textOf('webhook'),
    s3ProfileId: textOf('s3ProfileId'),
    variables: readVariables(kept['variables']),
    tagsText: textOf('tagsText'),
    presetId: textOf('presetId'),
    mostLiveText: countOf('mostLiveText'),
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
