import { clipboard } from 'electron';
import { statusWord } from '../../../src-preload/job.ts';
import { destinationOf } from '../../../src-preload/notification.ts';
import { actionsFor, type NotificationAction } from '../../notifications/shown-notification.ts';
import { historyText } from '../../messages/history.ts';
import { actionFailedMessage, retryRefusedText } from '../../messages/notifications.ts';
import { copyOutput } from '../copy-output.ts';
import type { Engine } from '../../engine/engine.ts';
import type { DesktopNotifications, DesktopNotificationsParts } from './notifications.ts';

/** The sender of calls that main makes itself. */
const from = { windowId: -1 };

/** Finds where a notification of this or an earlier run leads. */
export function createDestinationOf(engine: Pick<Engine, 'notification'>): DesktopNotificationsParts['destinationOf'] {
  return async (id) => {
    const found = await engine.notification(id).catch(() => null);
    return found === null ? null : destinationOf(found);
  };
}

/**
 * Runs the action of a notification's button, by the same call as a window: a retry is journalled and refused in the
 * same way. Editing opens the composer, which sends nothing automatically. A failure is shown as a notification,
 * because there may be no window.
 */
export function createRunAction(
  engine: Pick<Engine, 'handlers' | 'notification' | 'outputOf' | 'settings'>,
  { showProblem, open }: { showProblem: DesktopNotifications['showProblem']; open: DesktopNotificationsParts['open'] },
): (id: number, action: NotificationAction) => Promise<void> {
  return async (id, action) => {
    const about = await engine.notification(id).catch(() => null);
    const key = about?.jobKey ?? null;
    if (about === null || key === null) return;
    if (action === 'edit') return open({ kind: 'edit-job', key });
    const problem = action === 'retry' ? await retry(engine, key) : await copy(engine, key);
    if (problem === null) return;
    const title = engine.settings().hasNotificationDetails ? about.title : null;
    showProblem(actionFailedMessage(action, title), problem, destinationOf(about));
  };
}

/**
 * Only for a failed job. A second click, or one on an old notification, must not run a job that has completed in the
 * meantime.
 */
async function retry({ handlers }: Pick<Engine, 'handlers'>, key: string): Promise<string | null> {
  const detail = await handlers['job:get']({ key }, from);
  if (!detail.ok) return detail.failure.message;
  const { job } = detail.value;
  if (!actionsFor(job).includes('retry')) return retryRefusedText(statusWord(job).toLowerCase());
  const retried = await handlers['job:retry']({ key }, from);
  return retried.ok ? null : retried.failure.message;
}

async function copy({ outputOf }: Pick<Engine, 'outputOf'>, key: string): Promise<string | null> {
  const copied = await copyOutput(await outputOf(key, null), clipboard);
  if (!copied.ok) return copied.failure.message;
  return copied.value.isEmpty ? historyText.noBody : null;
}
