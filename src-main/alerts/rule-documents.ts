import type { AlertRule } from '../../src-preload/alert.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { openCollection } from '../history/collection.ts';
import type { Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { defaultRules, ruleKind } from './rules.ts';

/** The rules of each connection, as one document. */
export interface RuleDocuments {
  /** The defaults where none are kept, or what is kept cannot be read. Rejects when the history does. */
  read(connectionId: string): Promise<AlertRule[]>;
  put(connectionId: string, rules: readonly AlertRule[]): Promise<Result<null, LocalFailure>>;
  /** A failure is logged and goes no further. */
  remove(connectionId: string): Promise<void>;
}

export function createRuleDocuments(documents: Documents, log: Log): RuleDocuments {
  const rulesOf = openCollection(documents, ruleKind);
  return {
    async read(connectionId) {
      const kept = await rulesOf.find(connectionId);
      if (kept !== null && kept.value === null)
        log.warn('The alert rules of a connection cannot be read; the defaults stand in', { connectionId });
      return kept?.value ?? defaultRules(connectionId);
    },
    async put(connectionId, rules) {
      try {
        await rulesOf.put(connectionId, [...rules]);
        return ok(null);
      } catch (error) {
        return failed({
          kind: 'storage',
          message: 'The alert rules could not be saved. Check that the disk is not full, then try again.',
          detail: errorText(error),
        });
      }
    },
    async remove(connectionId) {
      await rulesOf
        .remove(connectionId)
        .catch((error: unknown) =>
          log.error('the alert rules of a removed connection could not be forgotten', { error }),
        );
    },
  };
}
