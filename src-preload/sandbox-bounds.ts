/** The range of the sandbox's speed. */
export const timeScaleBounds = { min: 1, max: 10_000 } as const;

/** The operations that a fault can be limited to. `webhook` is a call that the sandbox makes. */
export const faultOperations = [
  'run',
  'runsync',
  'status',
  'stream',
  'cancel',
  'retry',
  'purge-queue',
  'health',
  'get-pod',
  'update-template',
  'webhook',
] as const;
export type SandboxFaultOperation = (typeof faultOperations)[number];

const httpOperations: readonly SandboxFaultOperation[] = faultOperations.filter((name) => name !== 'webhook');

/** The kinds of faults: their effect on a request, and the operations they can affect. */
export const faultKinds = {
  status: httpOperations,
  html: httpOperations,
  delay: faultOperations,
  hang: httpOperations,
  reset: httpOperations,
  'drop-after-accept': httpOperations,
  'invalid-json': httpOperations,
  'truncated-json': httpOperations,
  deep: httpOperations,
  large: httpOperations,
  huge: httpOperations,
  compressed: httpOperations,
  'late-in-progress': ['status'],
  'unknown-status': ['status'],
  'duplicate-chunks': ['stream'],
  'replay-chunks': ['stream'],
  'drop-webhook': ['webhook'],
  'clock-skew': httpOperations,
} as const satisfies Record<string, readonly SandboxFaultOperation[]>;
export type SandboxFaultKind = keyof typeof faultKinds;
export const faultKindNames: readonly SandboxFaultKind[] = Object.keys(faultKinds).filter(
  (name): name is SandboxFaultKind => Object.hasOwn(faultKinds, name),
);

/** Whether a fault of this kind can affect that operation. Null: every operation it can affect. */
export function canHit(kind: SandboxFaultKind, operation: SandboxFaultOperation | null): boolean {
  const possible: readonly SandboxFaultOperation[] = faultKinds[kind];
  return operation === null || possible.includes(operation);
}

/**
 * Whether a fault of this kind answers instead of the service, so that its status and what is done before can be
 * chosen.
 */
export function isAnswering(kind: SandboxFaultKind): boolean {
  return kind === 'status' || kind === 'html';
}

/** The bounds of a fault's fields, for its form. */
export const faultBounds = {
  status: { min: 300, max: 599 },
  percent: { min: 0.1, max: 100 },
  times: { min: 1, max: 100_000 },
  forS: { min: 0.001, max: 86_400 },
  delayMs: { min: 1, max: 600_000 },
} as const;

/** The most rules. */
export const maxFaults = 50;
