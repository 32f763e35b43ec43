import { create } from 'zustand';

interface FollowRequest {
  isOpen: boolean;
  /** What the field for ids begins with. */
  text: string;
  open: (text?: string) => void;
  close: () => void;
}

/** Whether ids of jobs submitted elsewhere are asked for. */
export const useFollow = create<FollowRequest>((set) => ({
  isOpen: false,
  text: '',
  open: (text = '') => set({ isOpen: true, text }),
  close: () => set({ isOpen: false }),
}));
