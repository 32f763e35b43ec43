import type { SubmissionDraft, SubmitOperation } from '../../src-preload/job.ts';
import { writeDuration } from '../design/duration-text.ts';

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
}

const freshInput = '{\n  "prompt": ""\n}';

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
  };
}

/** The draft with an example as its input, unless something was typed: that is never replaced. */
export function withExample(draft: ComposerDraft, inputText: string | undefined): ComposerDraft {
  const isUntouched = draft.inputText.trim() === '' || draft.inputText === freshInput;
  return inputText !== undefined && isUntouched ? { ...draft, inputText } : draft;
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
  };
}

/** A draft kept on disk, or null where the text is not one (an older form, a damaged file). */
export function readKeptDraft(text: string): ComposerDraft | null {
  const kept = objectIn(text);
  if (kept === null) return null;
  const textOf = (name: string): string => (typeof kept[name] === 'string' ? kept[name] : '');
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
  };
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
