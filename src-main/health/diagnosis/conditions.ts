import type { CommonCondition } from '../../../src-preload/diagnosis.ts';

/** spec: Errors, table "Common conditions", word for word. */
export const commonConditions = {
  staysInQueue: { condition: 'Job stays in queue', likelyCause: 'No worker available, or max workers reached.' },
  timeout: { condition: 'Timeout', likelyCause: 'Job ran longer than executionTimeout.' },
  endsFailed: { condition: 'Job ends FAILED', likelyCause: 'Worker error or input validation problem.' },
  resultMissing: {
    condition: 'Result missing',
    likelyCause: 'Result retention elapsed (30 minutes for run, 1 minute for runsync).',
  },
} as const satisfies Record<string, CommonCondition>;
