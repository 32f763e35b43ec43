/**
 * Calls `save` when the window closes, is loaded again, or Jobdeck quits: it can still send what waits to be saved, and
 * main answers such calls before it ends. Returns the function that stops it.
 */
export function beforeLeaving(save: () => void): () => void {
  window.addEventListener('pagehide', save);
  return () => window.removeEventListener('pagehide', save);
}
