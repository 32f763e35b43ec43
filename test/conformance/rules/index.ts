import type { Rule } from '../rule.ts';
import { addressRules } from './addresses.ts';
import { authenticationRules } from './authentication.ts';
import { cancelRules } from './cancel.ts';
import { executionTimeoutRules } from './execution-timeout.ts';
import { healthRules } from './health.ts';
import { lifespanRules } from './lifespan.ts';
import { limitRules } from './limits.ts';
import { payloadRules } from './payload.ts';
import { podRules } from './pods.ts';
import { purgeRules } from './purge.ts';
import { retentionRules } from './retention.ts';
import { retryRules } from './retry.ts';
import { runsyncRules } from './runsync.ts';
import { scalingRules } from './scaling.ts';
import { statusRules } from './status.ts';
import { streamRules } from './stream.ts';
import { submissionRules } from './submission.ts';
import { templateRules } from './templates.ts';
import { webhookRules } from './webhook.ts';

/**
 * Every rule, in the order of a run: pods first, because those of a service that was just started may
 * be initialising; limits last, because their rules use them up.
 */
export const RULES: readonly Rule[] = [
  ...podRules,
  ...authenticationRules,
  ...addressRules,
  ...submissionRules,
  ...payloadRules,
  ...statusRules,
  ...runsyncRules,
  ...streamRules,
  ...cancelRules,
  ...retryRules,
  ...purgeRules,
  ...healthRules,
  ...lifespanRules,
  ...executionTimeoutRules,
  ...scalingRules,
  ...webhookRules,
  ...retentionRules,
  ...templateRules,
  ...limitRules,
];

/** The rules that a selection names: by their id, or by what their ids begin with up to a dot. */
export function selectRules(names: readonly string[]): Rule[] {
  return RULES.filter(({ id }) => names.some((name) => id === name || id.startsWith(`${name}.`)));
}
