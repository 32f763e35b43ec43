import type { AlertRule } from '../../src-preload/alert.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { LocalFailure, Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { defaultRules, readRules } from './rules.ts';

/** The rules of each connection, as one document. */
export interface RuleDocuments {
  /** The defaults where none are kept, or what is kept cannot be read. Rejects when the history does. */
  read(connectionId: string): Promise<AlertRule[]>;
  put(connectionId: string, rules: readonly AlertRule[]): Promise<Result<null, LocalFailure>>;
  /** A failure is logged and goes no further. */
  remove(connectionId: string): Promise<void>;
}

const documentKind = 'alert-rules';

export function createRuleDocuments(
  documents: Pick<History, 'readDocument' | 'putDocument' | 'removeDocument'>,
  log: Log,
): RuleDocuments {
  return {
    async read(connectionId) {
      const json = await documents.readDocument(documentKind, connectionId);
      if (json === null) return defaultRules(connectionId);
      const kept = readRules(json);
      if (kept === null)
        log.warn('The alert rules of a connection cannot be read; the defaults stand in', { connectionId });
      return kept ?? defaultRules(connectionId);
    },
    async put(connectionId, rules) {
      try {
        await documents.putDocument(documentKind, connectionId, JSON.stringify(rules));
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
      await documents
        .removeDocument(documentKind, connectionId)
        .catch((error: unknown) =>
          log.error('the alert rules of a removed connection could not be forgotten', { error }),
        );
    },
  };
}
