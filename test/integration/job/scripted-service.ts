import { createFaultService } from '../../kit/fault-service.ts';
import type { Fault, FaultService, ReceivedRequest } from '../../kit/fault-service.ts';

/** Answers by operation, in order. The last one is repeated. */
export type Script = Partial<
  Record<
    'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge-queue' | 'health',
    (Reply | ((request: ReceivedRequest) => Reply | Fault))[]
  >
>;
export interface Reply {
  status?: number;
  body: unknown;
}

export interface ScriptedService extends FaultService {
  /** How often an operation was requested. */
  count(operation: keyof Script): number;
  /** Returns to its script, after `otherwise` made it do something else. */
  comeBack(): void;
  /** Replaces the answers of these operations. */
  script(script: Script): void;
}

/**
 * A service that knows one job, `job-1`, and answers by its script. Without a script, run is accepted and the rest is
 * 500. With `closesConnections` no connection is used twice.
 */
export async function createScriptedService(
  script: Script,
  { closesConnections = false }: { closesConnections?: boolean } = {},
): Promise<ScriptedService> {
  const service = await createFaultService();
  const told: Script = { run: [{ body: { id: 'job-1', status: 'IN_QUEUE' } }], ...script };
  const counts = new Map<string, number>();
  const used = new Map<string, number>();

  const answer = (request: ReceivedRequest): Reply | Fault => {
    const operation = /^\/v2\/[^/]+\/([a-z-]+)/.exec(request.path)?.[1] ?? '';
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
    const replies = Object.entries(told).find(([name]) => name === operation)?.[1];
    if (replies === undefined) return { status: 500, body: { error: 'Not told.' } };
    const at = used.get(operation) ?? 0;
    used.set(operation, at + 1);
    const reply = replies[Math.min(at, replies.length - 1)];
    const given = typeof reply === 'function' ? reply(request) : (reply ?? { status: 500, body: {} });
    return closesConnections && !('kind' in given)
      ? { kind: 'reply', ...given, headers: { connection: 'close' } }
      : given;
  };
  const fault: Fault = { kind: 'answer', answer };
  service.otherwise(fault);
  return {
    ...service,
    count: (operation) => counts.get(operation) ?? 0,
    comeBack: () => service.otherwise(fault),
    script(more) {
      for (const operation of Object.keys(more)) used.delete(operation);
      Object.assign(told, more);
    },
  };
}
