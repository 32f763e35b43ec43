import { emptyFilter } from '../../src-preload/history.ts';
import { call } from '../bridge.ts';
import { orSay } from '../call-or-say.ts';
import { useSession } from '../data/session-store.ts';

/** The key of the job the sandbox knows by this id; null where another client sent it. */
export async function findSandboxJob(jobId: string): Promise<string | null> {
  const connection = useSession.getState().connections.find((one) => one.isSandbox);
  if (connection === undefined) return null;
  const filter = { ...emptyFilter, connectionId: connection.id, text: jobId };
  const page = orSay(await call('job:list', { filter, beforeKey: null, limit: 20 }));
  return page.ok ? (page.value.jobs.find((job) => job.jobId === jobId)?.key ?? null) : null;
}
