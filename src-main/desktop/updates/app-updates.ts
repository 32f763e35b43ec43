import { app } from 'electron';
import type { News } from '../../engine/engine-events.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Log } from '../../log.ts';
import { updateNotice } from '../../messages/desktop/notices.ts';
import { openUpdateFeed, packageFeedUrl } from './feed.ts';
import { createUpdates, type Updates } from './updates.ts';

/** The updates of this app, from before the engine with their settings is open. */
export interface AppUpdates {
  opened: Promise<Updates>;
  /** Does nothing until they are open. */
  checkIfDue(): void;
}

/** The updates of this app, from the feed in the settings. */
export function openAppUpdates(opening: Promise<Engine>, news: News, log: Log): AppUpdates {
  const opened = opening.then((engine) => createAppUpdates(engine, news, log));
  // Why the engine could not be opened is shown where the app gives up.
  const checkIfDue = (): void => void opened.then((updates) => updates.checkIfDue()).catch(() => undefined);
  opened.catch(() => undefined);
  return { opened, checkIfDue };
}

function createAppUpdates(engine: Engine, news: News, log: Log): Updates {
  return createUpdates({
    packageFeedUrl: packageFeedUrl(),
    settings: engine.settings,
    openFeed: (url, { proxy }) => openUpdateFeed(url, proxy, log),
    quit: () => app.quit(),
    changed: (state) => news.emit('update:changed', state),
    found: ({ version }) => engine.addNotice(updateNotice(version)),
    now: Date.now,
    log,
  });
}
