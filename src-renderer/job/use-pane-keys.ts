import { usePlainKeys } from '../design/use-keys.ts';
import { paneTabs, usePaneTab } from '../navigation/pane-tab.ts';
import { usePaneState } from './pane-state.ts';

/**
 * The pane's own keys (design language: Keyboard): its tabs, and following the stream. The actions on the job are
 * commands of the window (`commands/`).
 */
export function usePaneKeys(jobKey: string): void {
  usePlainKeys(({ key, shiftKey }) => !shiftKey && handle(key, jobKey));
}

function handle(key: string, jobKey: string): boolean {
  const pane = usePaneState.getState();
  if (key.toLowerCase() === 'f') {
    pane.setFollowing(jobKey, !(pane.following[jobKey] ?? true));
    return true;
  }
  const tab = /^[1-9]$/.test(key) ? paneTabs[Number(key) - 1] : undefined;
  if (tab !== undefined) usePaneTab.getState().setTab(tab);
  return tab !== undefined;
}
