/** The queue operations (spec: Queue operations); `status-sync` exists in the observed dialect only (ruling 32). */
export const OPERATIONS = {
  run: { method: 'POST', namesJob: false },
  runsync: { method: 'POST', namesJob: false },
  status: { method: 'GET', namesJob: true },
  'status-sync': { method: 'GET', namesJob: true },
  stream: { method: 'GET', namesJob: true },
  cancel: { method: 'POST', namesJob: true },
  retry: { method: 'POST', namesJob: true },
  'purge-queue': { method: 'POST', namesJob: false },
  health: { method: 'GET', namesJob: false },
} as const;

export type Operation = keyof typeof OPERATIONS;

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

/** Named by the rate-limit table only (spec: Queue operations, rule 4): limited, then answered 404. */
export const UNSERVED_OPERATIONS = {
  openai: { method: 'POST', path: '/openai/*' },
  requests: { method: 'GET', path: '/requests' },
} as const;

export type UnservedOperation = keyof typeof UNSERVED_OPERATIONS;

export function isUnservedOperation(name: string): name is UnservedOperation {
  return Object.hasOwn(UNSERVED_OPERATIONS, name);
}

/** Everything under an endpoint that a limit may count. */
export type LimitedOperation = Operation | UnservedOperation;
