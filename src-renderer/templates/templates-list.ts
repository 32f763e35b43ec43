import { useEffect } from 'react';
import { create } from 'zustand';
import type { Failure } from '../../src-preload/failure.ts';
import type { TemplateSummary } from '../../src-preload/template.ts';
import { call, on } from '../bridge.ts';
import { createThrottle } from '../data/throttle.ts';

interface TemplatesListState {
  connectionId: string | null;
  /** Null: not read yet. */
  templates: TemplateSummary[] | null;
  problem: Failure | null;
}

/** The templates known of the connection in use; kept up by the engine's news while anybody shows them. */
export const useTemplatesList = create<TemplatesListState>(() => ({
  connectionId: null,
  templates: null,
  problem: null,
}));

const { getState: get, setState: set } = useTemplatesList;

/** Reads the list anew. */
export async function reloadTemplates(): Promise<void> {
  const { connectionId } = get();
  if (connectionId === null) return;
  const result = await call('template:list', { connectionId });
  if (get().connectionId !== connectionId) return;
  set(result.ok ? { templates: result.value, problem: null } : { problem: result.failure });
}

// A pod that is read with all workers tells of every template at once.
const reloadSoon = createThrottle(300, () => void reloadTemplates());

/** Shows the templates of a connection while the component is there. */
export function useTemplatesOf(connectionId: string | null): TemplatesListState {
  useEffect(() => {
    if (get().connectionId !== connectionId) set({ connectionId, templates: null, problem: null });
    void reloadTemplates();
    return on('template:changed', (changed) => {
      if (changed.connectionId === connectionId) reloadSoon();
    });
  }, [connectionId]);
  return useTemplatesList();
}
