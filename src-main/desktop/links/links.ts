import { z } from 'zod';
import type { Destination } from '../../../src-preload/destination.ts';
import { linkScheme } from '../../../src-preload/job-link.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { Engine } from '../../engine/engine.ts';
import { linkNotice, linkNoticeId } from '../../messages/desktop/notices.ts';
import type { Windows } from '../windows/windows.ts';

const maxLinkChars = 16_000;
/** A job's key or the service's id, whose signs the service chooses. A path is neither. */
const jobName = z.string().regex(/^[\w:~+=@-][\w:~+=@.-]{0,199}$/);
/** A link fills in the composer but never submits, because its author is not the user. */
const newLink = z.strictObject({
  endpoint: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\w.-]+$/)
    .optional(),
  input: z.string().max(10_000).optional(),
});

/**
 * The destination of a `jobdeck://` link. The key of a job may also be the service's id of it (`followLink`). Null if
 * the text is not one, or contains anything unexpected. Pure.
 */
export function readLink(text: string): Destination | null {
  if (text.length > maxLinkChars || !text.toLowerCase().startsWith(`${linkScheme}://`)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '') return null;
  switch (url.hostname.toLowerCase()) {
    case 'job':
      return readJobLink(url);
    case 'new':
      return readNewLink(url);
    default:
      return null;
  }
}

function readJobLink({ pathname, search }: URL): Destination | null {
  const found = jobName.safeParse(decoded(pathname.slice(1)));
  return found.success && search === '' ? { kind: 'job', key: found.data } : null;
}

/** Null if it is not encoded as a part of an address. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function readNewLink({ pathname, searchParams }: URL): Destination | null {
  if (pathname !== '' && pathname !== '/') return null;
  const names = [...searchParams.keys()];
  if (new Set(names).size < names.length) return null;
  const found = newLink.safeParse(Object.fromEntries(searchParams));
  if (!found.success) return null;
  const { endpoint, input } = found.data;
  return {
    kind: 'new-job',
    ...(endpoint === undefined ? {} : { endpointId: endpoint }),
    ...(input === undefined ? {} : { inputText: input }),
  };
}

/** The link among the arguments of a start, which is how Windows and Linux pass it. Null if there is none. */
export function linkIn(argv: readonly string[]): string | null {
  return argv.slice(1).find((one) => one.toLowerCase().startsWith(`${linkScheme}://`)) ?? null;
}

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

/** The system's functions for links. Each call runs another program or reads the registry. */
export interface LinkSystem {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  isDefaultProtocolClient(scheme: string): boolean;
  setAsDefaultProtocolClient(scheme: string): boolean;
}

/**
 * Registers this Jobdeck as the program for `jobdeck://` links, if another one or none is registered. Call it when a
 * window is shown, because the system may take long. A start from the sources does not take the links from the
 * installed Jobdeck. On Linux a desktop file has them: that of the package, or that of an AppImage if the user wants it
 * (menu-entry.ts). Returns false if the system refused.
 */
export function registerLinks(system: LinkSystem): boolean {
  const isOurs = system.isPackaged && system.platform !== 'linux';
  if (!isOurs || system.isDefaultProtocolClient(linkScheme)) return true;
  return system.setAsDefaultProtocolClient(linkScheme);
}

/**
 * Returns a function that registers this Jobdeck when it is first called, and does nothing later. It does so after the
 * window is drawn, because the system may take long.
 */
export function createRegisterLinksOnce(system: LinkSystem, onRefused: () => void): () => void {
  let hasBegun = false;
  return () => {
    if (hasBegun) return;
    hasBegun = true;
    setImmediate(() => {
      if (!registerLinks(system)) onRefused();
    });
  };
}
