/** How often one endpoint's operation was answered with one status. Status 0: dropped without an answer. */
export interface RequestCount {
  endpointId: string;
  operation: string;
  status: number;
  count: number;
}

export interface RequestCounters {
  add(endpointId: string, operation: string, status: number): void;
  all(): RequestCount[];
}

/** Counts answers per endpoint, operation and status. The caller bounds the names that come in. */
export function createRequestCounters(): RequestCounters {
  const counts = new Map<string, RequestCount>();
  return {
    add: (endpointId, operation, status) => {
      const key = `${endpointId} ${operation} ${status}`;
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { endpointId, operation, status, count: 1 });
      else entry.count += 1;
    },
    all: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
}
