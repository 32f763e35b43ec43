import { clipboard } from 'electron';
import { statusWord } from '../../src-preload/job.ts';
import { destinationOf } from '../../src-preload/notification.ts';
import { actionsFor, type NotificationAction } from '../notifications/shown-notification.ts';
import { wordActionFailed } from '../notifications/messages.ts';
import type { Engine } from '../engine/engine.ts';
import type { DesktopNotifications, DesktopNotificationsParts } from './notifications.ts';

/** Main asks as a window would; there is none. */
const from = { windowId: -1 };

/** What a notification of this or a former run is about, as things are now. */
export function createFind(engine: Pick<Engine, 'notification' | 'history'>): DesktopNotificationsParts['find'] {
  return async (id) => {
    const found = await engine.notification(id).catch(() => null);
    if (found === null) return null;
    const job = found.jobKey === null ? null : await engine.history.job(found.jobKey).catch(() => null);
    return { destination: destinationOf(found), actions: job === null ? [] : actionsFor(job) };
  };
}

/**
 * Does what a button of a notification says, by the same calls as the window: a retry is journalled and refused as
 * there. Editing opens the composer, which sends nothing by itself. What could not be done is said by a notification,
 * because no window may be open.
 */
export function createAct(
  engine: Pick<Engine, 'handlers' | 'notification' | 'settings'>,
  { say, open }: { say: DesktopNotifications['say']; open: DesktopNotificationsParts['open'] },
): (id: number, action: NotificationAction) => Promise<void> {
  return async (id, action) => {
    const about = await engine.notification(id).catch(() => null);
    const key = about?.jobKey ?? null;
    if (about === null || key === null) return;
    if (action === 'edit') return open({ kind: 'edit-job', key });
    const problem = action === 'retry' ? await retry(engine, key) : await copyOutput(engine, key);
    if (problem === null) return;
    const title = engine.settings().hasNotificationDetails ? about.title : null;
    say(wordActionFailed(action, title), problem, destinationOf(about));
  };
}

/** Only what failed: a second click, or one on an old notification, must not run a job that ended well meanwhile. */
async function retry({ handlers }: Pick<Engine, 'handlers'>, key: string): Promise<string | null> {
  const detail = await handlers['job:get']({ key }, from);
  if (!detail.ok) return detail.failure.message;
  const { job } = detail.value;
  if (!actionsFor(job).includes('retry')) return `The job is no longer failed: ${statusWord(job).toLowerCase()}.`;
  const retried = await handlers['job:retry']({ key }, from);
  return retried.ok ? null : retried.failure.message;
}

async function copyOutput({ handlers }: Pick<Engine, 'handlers'>, key: string): Promise<string | null> {
  const body = await handlers['job:body']({ key, part: 'output', attempt: null, isWhole: true }, from);
  if (!body.ok) return body.failure.message;
  await clipboard.writeText(body.value.text);
  return null;
}
