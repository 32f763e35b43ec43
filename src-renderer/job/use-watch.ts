import { useEffect } from 'react';
import { hint } from '../call-or-say.ts';

/**
 * Reports to the engine which job this window shows: its status is then read near-live (contract: `job:watch`).
 * A hidden window has nothing on view.
 */
export function useWatch(jobKey: string): void {
  useEffect(() => {
    const report = (): void => hint('job:watch', { keys: document.hidden ? [] : [jobKey] });
    report();
    document.addEventListener('visibilitychange', report);
    return () => {
      document.removeEventListener('visibilitychange', report);
      hint('job:watch', { keys: [] });
    };
  }, [jobKey]);
}
