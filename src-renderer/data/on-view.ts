import { useEffect } from 'react';
import { hint } from '../call-or-report.ts';

/** Which jobs this window shows. A hidden window shows none. */
const onView: { openKey: string | null; rowKeys: readonly string[] } = { openKey: null, rowKeys: [] };
/** The limit of the contract. No screen has more rows. */
const maxRows = 200;
let isPlanned = false;
let isListening = false;
let reported = '';

/** Reports that a job is open in this window, so that its status is read often. */
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

/** Reports which active jobs have rows on screen, so that they are kept up to date. */
export function showRows(keys: readonly string[]): void {
  onView.rowKeys = keys.slice(0, maxRows);
  reportSoon();
}

let rowHeightPx = 30;

/** Reports how high the rows of the list are, in CSS pixels. */
export function showRowHeight(px: number): void {
  rowHeightPx = px;
}

/** How many rows of the list the window has room for. A minimised one has none, and still reads some. */
export function rowsThatFit(): number {
  return Math.max(10, Math.ceil(window.innerHeight / rowHeightPx));
}

/** Reports once for all changes of one tick, and only changes. */
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
