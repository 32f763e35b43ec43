import { useEffect } from 'react';
import { hint } from '../call-or-say.ts';

/** What this window shows of jobs; a hidden one shows nothing. */
const onView: { openKey: string | null; rowKeys: readonly string[] } = { openKey: null, rowKeys: [] };
/** As many as the contract takes; no screen has more rows. */
const mostRows = 200;
let isPlanned = false;
let isListening = false;
let reported = '';

/** Reports which job is open in this window, while it is: its status is then read near-live. */
export function useOpenJob(jobKey: string): void {
  useEffect(() => {
    onView.openKey = jobKey;
    reportSoon();
    return () => {
      onView.openKey = null;
      reportSoon();
    };
  }, [jobKey]);
}

/** Reports which active jobs have their rows on screen: what they show is kept true. */
export function showRows(keys: readonly string[]): void {
  onView.rowKeys = keys.slice(0, mostRows);
  reportSoon();
}

/** Once for all that changes in one turn, and only what is not reported yet. */
function reportSoon(): void {
  if (!isListening) {
    isListening = true;
    document.addEventListener('visibilitychange', reportSoon);
  }
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    const { openKey, rowKeys } = document.hidden ? { openKey: null, rowKeys: [] } : onView;
    const wanted = JSON.stringify([openKey, ...[...rowKeys].sort()]);
    if (wanted === reported) return;
    reported = wanted;
    hint('job:watch', { openKey, rowKeys: [...rowKeys] });
  }, 0);
}
