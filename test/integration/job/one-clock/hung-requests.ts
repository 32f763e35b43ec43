import type { Sandbox } from '../../../../src-main/sandbox/sandbox.ts';
import type { Reply } from '../../../../src-main/service/reply.ts';

/** Requests that the service holds forever and the app has not given up. Nothing happens to them before a deadline. */
export interface HungRequests {
  count(): number;
  /** A request about this subject is over, with this answer. */
  ended<T>(about: string, reply: Reply<T>): void;
}

/** The subject of a request, as both ends know it. No job has two requests of one kind in progress. */
export function aboutOf(operation: string, endpointId: string, jobId: string | null): string {
  return `${operation} ${endpointId} ${jobId ?? ''}`;
}

export function createHungRequests({ requestLog }: Pick<Sandbox, 'requestLog'>): HungRequests {
  const hung = new Map<string, number>();
  const add = (about: string, count: number): void => void hung.set(about, (hung.get(about) ?? 0) + count);
  requestLog.listen(({ operation, endpointId, jobId, fault }) => {
    if (fault === 'hang') add(aboutOf(operation, endpointId ?? '', jobId), 1);
  });
  return {
    count: () => [...hung.values()].reduce((sum, each) => sum + each, 0),
    ended(about, { result }) {
      const isGivenUp = !result.ok && (result.failure.kind === 'timeout' || result.failure.kind === 'cancelled');
      if (isGivenUp && (hung.get(about) ?? 0) > 0) add(about, -1);
    },
  };
}
