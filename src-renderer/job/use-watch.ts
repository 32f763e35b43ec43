import { useEffect } from 'react';
import { hint } from '../call-or-say.ts';

/**
 * Tells the engine which job this window has on view, so that it is looked at near-live (contract: `job:watch`).
 * A hidden window has nothing on view.
 */
export function useWatch(jobKey: string): void {
  useEffect(() => {
    const tell = (): void => hint('job:watch', { keys: document.hidden ? [] : [jobKey] });
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => {
      document.removeEventListener('visibilitychange', tell);
      hint('job:watch', { keys: [] });
    };
  }, [jobKey]);
}
