import { create } from 'zustand';

/** What another part of the list puts into the filter box, to be typed on from there; null once the box has it. */
export const useFilterAsk = create<{ asked: string | null }>(() => ({ asked: null }));

/** Goes to the filter box with the beginning of a token: `took>`. */
export function askFilter(text: string): void {
  useFilterAsk.setState({ asked: text });
}
