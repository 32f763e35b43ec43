import { useEffect } from 'react';
import { isCovered, isTyping } from '../design/key-target.ts';
import { hasCommandKey } from '../design/platform.ts';
import { paneTabs, usePaneTab } from '../navigation/pane-tab.ts';
import { usePaneState } from './pane-state.ts';

/**
 * The pane's own keys (design language: Keyboard): its tabs, and following the stream. The actions on the job are
 * commands of the window (`commands/`).
 */
export function usePaneKeys(jobKey: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || isCovered() || isTyping(event)) return;
      if (event.altKey || event.shiftKey || hasCommandKey(event)) return;
      if (handle(event.key, jobKey)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [jobKey]);
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
