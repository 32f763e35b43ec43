import { NotInStandIn } from './guard.ts';

/** What the page wants to open. `features` as the page wrote them, split at commas. */
export interface WantedWindow {
  url: string;
  frameName: string;
  features: string[];
}

export type WindowOpenHandler = (details: {
  url: string;
  frameName: string;
  features: string;
  disposition: string;
  referrer: { url: string; policy: string };
  postBody?: undefined;
}) => { action: 'deny' | 'allow' };

/**
 * Asks the app's handler about a window that a page wants. None is ever opened: anything except a denial is refused on
 * stderr.
 */
export function answerWindowOpen(handler: WindowOpenHandler | null, { url, frameName, features }: WantedWindow): void {
  const answer = handler?.({
    url,
    frameName,
    features: features.join(','),
    disposition: features.length > 0 ? 'new-window' : 'foreground-tab',
    referrer: { url: '', policy: '' },
  });
  if (answer?.action !== 'deny')
    console.error(`[electron stand-in] ${new NotInStandIn('windows opened by pages').message} ${url} stays closed.`);
}
