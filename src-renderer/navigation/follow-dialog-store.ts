import { create } from 'zustand';

interface FollowRequest {
  isOpen: boolean;
  /** The initial content of the field for ids. */
  text: string;
  open: (text?: string) => void;
  close: () => void;
}

/** Whether the dialog for the ids of external jobs is open. */
export const useFollowDialog = create<FollowRequest>((set) => ({
  isOpen: false,
  text: '',
  open: (text = '') => set({ isOpen: true, text }),
  close: () => set({ isOpen: false }),
}));
