import { create } from 'zustand';

/** The keys of the rows that are shown in an order of their own, instead of the list. Null: the list is shown. */
export const useShownOrder = create<{ keys: readonly string[] | null }>(() => ({ keys: null }));
