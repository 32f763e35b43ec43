import type { Destination } from '../../../src-preload/destination.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Engine } from '../../engine/engine.ts';
import { linkNotice, linkNoticeId } from '../../messages/desktop/notices.ts';
import { readLink } from './links.ts';
import type { Windows } from '../windows/windows.ts';

/** The sender of calls that main makes itself. */
const fromMain = { windowId: -1 };

type LinkEngine = Pick<Engine, 'addNotice' | 'handlers'> & {
  history: Pick<Engine['history'], 'job' | 'newestByServiceId'>;
};

/** Opens the destination of a link, or shows why it cannot be opened. A link never sends anything. */
export async function followLink(engine: LinkEngine, windows: Pick<Windows, 'openMain'>, link: string): Promise<void> {
  const destination = readLink(link);
  const found = destination?.kind === 'job' ? await savedJob(engine, destination.key) : destination;
  if (found === null) engine.addNotice(linkNotice(destination !== null));
  else await endLinkNotice(engine);
  windows.openMain(found ?? undefined);
}

/** Removes the notice of a link that led nowhere. */
export async function endLinkNotice({ handlers }: Pick<Engine, 'handlers'>): Promise<void> {
  await handlers['notice:dismiss']({ id: linkNoticeId }, fromMain);
}

/** The job with this key, or the newest one of any connection with this id of its service. Null if none is saved. */
async function savedJob({ history }: LinkEngine, name: string): Promise<Destination | null> {
  const orNull = (read: Promise<Job | null>): Promise<Job | null> => read.catch(() => null);
  const job = (await orNull(history.job(name))) ?? (await orNull(history.newestByServiceId(name)));
  return job === null ? null : { kind: 'job', key: job.key };
}
