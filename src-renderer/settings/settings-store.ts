import { create } from 'zustand';

export type SettingsSection = 'connections' | 'preferences';

interface SettingsDialogState {
  isOpen: boolean;
  section: SettingsSection;
  /** The connection in the form; null for a new one. */
  connectionId: string | null;
  open(section?: SettingsSection, connectionId?: string | null): void;
  choose(section: SettingsSection, connectionId?: string | null): void;
  close(): void;
}

export const useSettingsDialog = create<SettingsDialogState>((set) => ({
  isOpen: false,
  section: 'connections',
  connectionId: null,
  open: (section = 'connections', connectionId = null) => set({ isOpen: true, section, connectionId }),
  choose: (section, connectionId = null) => set({ section, connectionId }),
  close: () => set({ isOpen: false }),
}));
