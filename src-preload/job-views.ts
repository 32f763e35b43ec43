/** The views of the list, in the order of the sidebar. */
export const jobViews = ['all', 'active', 'finished-today', 'failed', 'starred'] as const;
