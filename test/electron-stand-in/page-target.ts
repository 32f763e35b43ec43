import { readFileSync } from 'node:fs';
import { pageColorScheme } from './native-theme.ts';
import { openPage } from './page-host.ts';
import type { PageHost, PageListener } from './page-host.ts';
import type { PreloadFile } from './page/sources.ts';
import type { WebPreferences } from './window-options.ts';

/** The page target of one window's contents: opened when first needed, and opened again after it was closed. */
export interface PageTarget {
  /** The current page. Null before it was opened and after it was closed from outside. */
  current(): PageHost | null;
  ensure(): Promise<PageHost>;
  /** Runs something on the page when it is there. A page that is gone is not an error. */
  use(act: (host: PageHost) => Promise<unknown>): Promise<void>;
  /** Drops a page whose process is gone. The next use opens another one. */
  replace(): void;
  /** Closes the page permanently, even one that is still opening. */
  close(): void;
}

/** `listener` gets the events of the open page. After `gone` there is no page. */
export function createPageTarget(
  preferences: WebPreferences,
  size: () => { width: number; height: number },
  listener: PageListener,
): PageTarget {
  let opening: Promise<PageHost> | null = null;
  let host: PageHost | null = null;
  let isClosed = false;
  /** Opened so far. */
  let pages = 0;

  const open = async (mine: number): Promise<PageHost> => {
    const { preload: path, additionalArguments = [], nodeIntegrationInSubFrames = false } = preferences;
    const file = (at: string): PreloadFile => ({
      source: readFileSync(at, 'utf8'),
      path: at,
      arguments: additionalArguments,
      isInSubFrames: nodeIntegrationInSubFrames,
    });
    const preload = path === undefined ? null : file(path);
    const { width, height } = size();
    host = await openPage(
      { width, height, preload, colorScheme: pageColorScheme },
      {
        ...listener,
        gone() {
          if (pages !== mine || opening === null) return;
          host = null;
          opening = null;
          listener.gone();
        },
      },
    );
    return host;
  };
  const ensure = (): Promise<PageHost> => {
    if (opening !== null) return opening;
    pages += 1;
    return (opening = open(pages));
  };
  const closeTarget = ({ chromium, targetId }: PageHost): Promise<unknown> =>
    chromium.send('Target.closeTarget', { targetId });

  return {
    current: () => host,
    ensure,
    async use(act) {
      try {
        await act(await ensure());
      } catch (error) {
        if (!isClosed && host !== null) console.error('[electron stand-in]', error);
      }
    },
    replace() {
      if (host !== null) closeTarget(host).catch(() => {});
      host = null;
      opening = null;
    },
    close() {
      isClosed = true;
      const closing = host === null ? opening?.then(closeTarget) : closeTarget(host);
      closing?.catch(() => {});
    },
  };
}
