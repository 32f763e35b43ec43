/** What a policy may hold, in milliseconds (spec: policy object). */
export const policyBounds = {
  executionTimeout: { minMs: 5_000, maxMs: 604_800_000 },
  ttl: { minMs: 10_000, maxMs: 604_800_000 },
} as const;
