import type { CallContext } from './operations/call-context.ts';
import { batchOperations } from './operations/batch-operations.ts';
import { binOperations, jobOperations } from './operations/job-operations.ts';
import { endpointOperations } from './operations/endpoint-operations.ts';
import { fileOperations } from './operations/file-operations.ts';
import { listOperations } from './operations/list-operations.ts';
import { notificationOperations } from './operations/notification-operations.ts';
import { streamOperations } from './operations/stream-operations.ts';

/**
 * Every call of the History, run synchronously on the open database. The type `History` derives from this table: a new
 * call is added to the file of its subject, and listed as reading or writing in protocol.ts.
 */
export const operations = {
  ...jobOperations,
  ...streamOperations,
  ...batchOperations,
  ...binOperations,
  ...listOperations,
  ...endpointOperations,
  ...notificationOperations,
  ...fileOperations,
};

type Table = typeof operations;
export type CallName = keyof Table;
export type CallArguments = {
  [N in CallName]: Table[N] extends (on: CallContext, ...args: infer A) => unknown ? A : never;
};
export type CallAnswers = { [N in CallName]: ReturnType<Table[N]> };
