import { payloadLimitBytes, policyDefaults, waitBounds, policyBounds } from '../../src-preload/job-bounds.ts';
import type { Policy, SubmissionDraft } from '../../src-preload/job.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { checkJson, type JsonCheck } from '../../src-preload/json-check.ts';
import { commonText } from '../messages/common.ts';
import { draftCheckText } from '../messages/composer/input.ts';
import { type ComposerDraft } from './composer-draft.ts';
import { readTags } from '../data/tags.ts';
import { parseDuration } from '../../src-preload/duration-text.ts';
import { checkableText, isInBraces } from './variables/placeholders.ts';
import { inputAt, planVariables, type VariablePlan } from './variables/variable-plan.ts';
import { variableWarnings, type VariableWarning } from './variables/variable-warnings.ts';
import { isJsonObject } from '../../src-preload/json-spans.ts';
import { isHttpUrl } from '../../src-preload/url.ts';

type DraftField = 'input' | 'wait' | 'executionTimeout' | 'ttl' | 'webhook' | 'endpoint' | 'tags';

interface DraftProblem {
  field: DraftField;
  message: string;
}

export interface DraftCheck {
  json: JsonCheck;
  problems: DraftProblem[];
  /** Hints that do not prevent sending (rulings 17 and 18). */
  hints: string[];
  /** What is probably not meant, and does not prevent sending either. */
  warnings: VariableWarning[];
  /** The variables of the input's placeholders. */
  plan: VariablePlan;
  /**
   * UTF-8 bytes of the body (of the longest, if variables make several), without an s3 profile, whose keys never reach
   * a window. The body itself is counted before it is sent (ruling 16).
   */
  bodyBytes: number;
  tags: string[];
  policy: Policy;
  waitMs: number;
}

/** Checks every field against the bounds of the spec and the existing endpoints. Pure. */
export function checkDraft(
  draft: ComposerDraft,
  connections: readonly Pick<Connection, 'id' | 'endpoints'>[],
): DraftCheck {
  const problems: DraftProblem[] = [];
  const hints: string[] = [];
  const plan = planVariables(draft.inputText, draft.variables);
  const json = checkInput(draft.inputText, plan);
  const target = connections.find(({ id }) => id === draft.connectionId);
  if (connections.length === 0) problems.push({ field: 'endpoint', message: commonText.addConnectionFirst });
  else if (target?.endpoints.some(({ id }) => id === draft.endpointId) !== true)
    problems.push({ field: 'endpoint', message: draftCheckText.chooseEndpoint });
  if (!json.ok) {
    problems.push({ field: 'input', message: draftCheckText.notJson(json.line, json.column, json.reason) });
  } else if (!isJsonObject(json.value)) {
    problems.push({ field: 'input', message: draftCheckText.mustBeObject });
  } else if (Object.keys(json.value).length === 0) {
    hints.push(draftCheckText.emptyInput);
  }
  if (json.ok && plan.problem !== null) problems.push({ field: 'input', message: plan.problem.message });

  const executionTimeout = readBounded(
    draft.executionTimeoutText,
    'executionTimeout',
    policyBounds.executionTimeout,
    draftCheckText.executionTimeoutBounds,
    problems,
  );
  const ttl = readBounded(draft.ttlText, 'ttl', policyBounds.ttl, draftCheckText.ttlBounds, problems);
  if ((executionTimeout ?? policyDefaults.executionTimeoutMs) > (ttl ?? policyDefaults.ttlMs)) {
    hints.push(draftCheckText.ttlEndsFirst);
  }

  const wait = draft.waitText.trim() === '' ? waitBounds.defaultMs : parseDuration(draft.waitText);
  if (draft.operation === 'runsync' && (wait === null || wait < waitBounds.minMs || wait > waitBounds.maxMs)) {
    problems.push({ field: 'wait', message: draftCheckText.waitBounds });
  }
  if (draft.webhook.trim() !== '' && !isHttpUrl(draft.webhook))
    problems.push({ field: 'webhook', message: draftCheckText.webhookAddress });

  const tags = readTags(draft.tagsText);
  if (tags.problem !== null) problems.push({ field: 'tags', message: tags.problem });

  const policy: Policy = {
    ...(executionTimeout === null ? {} : { executionTimeout }),
    ...(ttl === null ? {} : { ttl }),
    ...(draft.isLowPriority ? { lowPriority: true } : {}),
  };
  const bodyBytes = utf8Bytes(draft.inputText) + plan.growthBytes + bytesAround(draft.webhook.trim(), policy);
  const limitBytes = payloadLimitBytes[draft.operation];
  if (bodyBytes >= limitBytes) {
    problems.push({
      field: 'input',
      message:
        draft.operation === 'run' && bodyBytes < payloadLimitBytes.runsync
          ? draftCheckText.tooLargeForRun(bodyBytes, limitBytes)
          : draftCheckText.tooLarge(bodyBytes, draft.operation, limitBytes),
    });
  }

  const warnings = variableWarnings(draft.inputText, plan);
  return {
    json,
    plan,
    problems,
    hints,
    warnings,
    tags: tags.tags,
    bodyBytes,
    policy,
    waitMs: wait ?? waitBounds.defaultMs,
  };
}

/** How many bytes the body has beside its input. */
function bytesAround(webhook: string, policy: Policy): number {
  const inputPlace = 0;
  const body = {
    input: inputPlace,
    ...(webhook === '' ? {} : { webhook }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
  return utf8Bytes(JSON.stringify(body)) - String(inputPlace).length;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Whether the input is valid JSON with its placeholders. A fix that would overwrite a placeholder is not offered,
 * because it was made for the text that replaces it in the check.
 */
function checkInput(text: string, { placeholders }: VariablePlan): JsonCheck {
  const checkable = checkableText(text, placeholders);
  const json = checkJson(checkable);
  if (json.ok) return json;
  if (isInBraces(checkable, json.offset)) return { ...json, reason: draftCheckText.variableName };
  if (json.fix === undefined) return json;
  const { fix, ...unmended } = json;
  return placeholders.some(({ from, to, isInString }) => !isInString && from < fix.to && fix.from < to)
    ? unmended
    : json;
}

/**
 * The submission for the bridge. Only meaningful if `checkDraft` found no problem. `index`: which of the inputs that
 * the variables make, from 0.
 */
export function toSubmission(draft: ComposerDraft, check: DraftCheck, index = 0): SubmissionDraft {
  const webhook = draft.webhook.trim();
  return {
    connectionId: draft.connectionId,
    endpointId: draft.endpointId,
    operation: draft.operation,
    inputText: inputAt(draft.inputText, check.plan, index),
    ...(draft.operation === 'runsync' ? { waitMs: check.waitMs } : {}),
    ...(Object.keys(check.policy).length === 0 ? {} : { policy: check.policy }),
    ...(webhook === '' ? {} : { webhook }),
    ...(draft.s3ProfileId === '' ? {} : { s3ProfileId: draft.s3ProfileId }),
    ...(draft.isKeptWhole ? {} : { isKeptWhole: false }),
    ...(check.tags.length === 0 ? {} : { tags: check.tags }),
  };
}

function readBounded(
  text: string,
  field: DraftField,
  { minMs, maxMs }: { minMs: number; maxMs: number },
  outOfBounds: string,
  problems: DraftProblem[],
): number | null {
  if (text.trim() === '') return null;
  const ms = parseDuration(text);
  if (ms === null || ms < minMs || ms > maxMs) {
    problems.push({ field, message: ms === null ? draftCheckText.needsDuration : outOfBounds });
    return null;
  }
  return ms;
}
