import type { Mutation } from './broken-service.ts';
import { doorMutations } from './broken-service-doors.ts';
import { jobMutations } from './broken-service-jobs.ts';
import { limitMutations, managementMutations } from './broken-service-resources.ts';
import { timeMutations } from './broken-service-time.ts';
import { webhookMutations } from './broken-service-webhooks.ts';

/** Every way in which a service can be broken on purpose, each against one rule. */
export const MUTATIONS: readonly Mutation[] = [
  ...doorMutations,
  ...jobMutations,
  ...timeMutations,
  ...webhookMutations,
  ...managementMutations,
  ...limitMutations,
];
