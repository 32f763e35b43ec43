import type { IncomingMessage } from 'node:http';
import { OPERATIONS, isOperation, isUnservedOperation } from '../operations.ts';
import type { Clock } from '../time/clock.ts';
import type { EchoText } from '../http/echoed-text.ts';
import type { RequestCounters } from './request-counters.ts';
import type { Outcome, RequestAccess, RequestTrace } from './request-outcome.ts';
import type { RequestLog } from './request-log.ts';
import { managementOperationOf, type RequestTarget } from '../http/request-target.ts';

/**
 * Begins the record of a request; what it gives is to be called when its fate is known (null: a defect, answered 500).
 */
export type RecordAnswer = (
  request: IncomingMessage,
  access: RequestAccess,
  target: RequestTarget,
  trace: RequestTrace,
) => (outcome: Outcome | null) => void;

export interface RequestRecordOptions {
  clock: Clock;
  hasEndpoint(endpointId: string): boolean;
  counters: RequestCounters;
  log: RequestLog;
  echo: EchoText;
}

interface Names {
  endpointId: string | null;
  operation: string;
  jobId: string | null;
}

/** Stands for names from outside: kept as they come, a scan of the port would grow the counters without end. */
const OTHER = '(other)';
const CONTROL_RESOURCES = ['stats', 'faults', 'time-scale', 'endpoints', 'requests'];

/** Counts requests and writes them down, with no more of them than {@link RequestLog} may hold. */
export function createRequestRecord({ clock, hasEndpoint, counters, log, echo }: RequestRecordOptions): RecordAnswer {
  function namesOf(target: RequestTarget, method: string | undefined): Names {
    const unnamed: Names = { endpointId: null, operation: OTHER, jobId: null };
    switch (target.area) {
      case 'queue': {
        const { endpointId, operation, jobId } = target;
        const isKnown = isOperation(operation);
        return {
          endpointId: hasEndpoint(endpointId) ? endpointId : null,
          operation: isKnown || isUnservedOperation(operation) ? operation : OTHER,
          jobId: isKnown && OPERATIONS[operation].namesJob && jobId !== null ? echo(jobId) : null,
        };
      }
      case 'management':
        return { ...unnamed, operation: managementOperationOf(method, target.path) ?? OTHER };
      case 'control':
        return { ...unnamed, operation: CONTROL_RESOURCES.find((name) => name === target.path[0]) ?? OTHER };
      case 'elsewhere':
        return unnamed;
    }
  }

  return (request, access, target, trace) => {
    const startedAtMs = performance.now();
    const atMs = clock.now();
    return (outcome) => {
      const { endpointId, operation, jobId } = namesOf(target, request.method);
      // An answer to a client that left while it was held goes nowhere.
      const reply = outcome?.kind === 'reply' && !request.socket.destroyed ? outcome.reply : null;
      const status = outcome === null ? 500 : (reply?.status ?? 0);
      // The control interface is no part of the service whose answers are counted.
      if (target.area !== 'control')
        counters.add(endpointId ?? (target.area === 'management' ? '(management)' : OTHER), operation, status);
      log.add({
        atMs,
        durationMs: performance.now() - startedAtMs,
        method: request.method ?? '',
        area: target.area,
        endpointId,
        operation,
        jobId: jobId ?? trace.submittedJobId,
        status,
        requestBytes: Number(request.headers['content-length'] ?? access.receivedBytes()),
        replyBytes: reply === null ? 0 : Buffer.byteLength(reply.body),
        fault: trace.fault,
        told: trace.told,
      });
    };
  };
}
