import { create } from 'zustand';

type SettingsSection = 'about' | 'connections' | 'network' | 'notifications' | 'preferences' | 'storage';

/** What is known of a connection that is to be added: where a job of it was sent. */
export interface BegunConnection {
  baseUrl: string;
  endpointId: string;
}

interface SettingsDialogState {
  isOpen: boolean;
  section: SettingsSection;
  /** The connection in the form; null for a new one. */
  connectionId: string | null;
  /** What the form of a new connection starts with; null for a blank one. */
  begun: BegunConnection | null;
  open(section?: SettingsSection, connectionId?: string | null): void;
  /** The form of a new connection, begun with what is known of it. */
  openNew(begun: BegunConnection): void;
  choose(section: SettingsSection, connectionId?: string | null): void;
  close(): void;
}

export const useSettingsDialog = create<SettingsDialogState>((set) => ({
  isOpen: false,
  section: 'connections',
  connectionId: null,
  begun: null,
  open: (section = 'connections', connectionId = null) => set({ isOpen: true, section, connectionId, begun: null }),
  openNew: (begun) => set({ isOpen: true, section: 'connections', connectionId: null, begun }),
  choose: (section, connectionId = null) => set({ section, connectionId, begun: null }),
  close: () => set({ isOpen: false }),
}));
