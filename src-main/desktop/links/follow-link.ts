import type { Engine } from '../../engine/engine.ts';
import { linkNotice } from '../../messages/desktop/notices.ts';
import { readLink } from './links.ts';
import type { Windows } from '../windows/windows.ts';

/** Opens the destination of a link, or shows why it cannot be opened. A link never sends anything. */
export async function followLink(engine: Engine, windows: Windows, link: string): Promise<void> {
  const destination = readLink(link);
  const isMissing =
    destination?.kind === 'job' && (await engine.history.job(destination.key).catch(() => null)) === null;
  if (destination === null || isMissing) engine.addNotice(linkNotice(isMissing));
  windows.openMain(destination === null || isMissing ? undefined : destination);
}
