import { z } from 'zod';
import type { Destination } from '../../../src-preload/destination.ts';
import { linkScheme } from '../../../src-preload/job-link.ts';

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
