/** How many requests of one operation an endpoint accepts in any ten seconds, and at the same time (spec: Limits). */
export const rateLimits = {
  run: { perWindow: 1_000, concurrent: 200 },
  runsync: { perWindow: 2_000, concurrent: 400 },
  status: { perWindow: 2_000, concurrent: 400 },
  stream: { perWindow: 2_000, concurrent: 400 },
  cancel: { perWindow: 100, concurrent: 20 },
} as const;
