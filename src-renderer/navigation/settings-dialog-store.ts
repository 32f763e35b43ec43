import { create } from 'zustand';

/** The pages of the settings. */
export type SettingsSection = 'about' | 'connections' | 'network' | 'notifications' | 'preferences' | 'storage';

/** What is known of a new connection: where one of its jobs was sent. */
export interface BegunConnection {
  baseUrl: string;
  endpointId: string;
}

interface SettingsDialogState {
  isOpen: boolean;
  section: SettingsSection;
  /** The connection in the form, or null for a new one. */
  connectionId: string | null;
  /** What the form of a new connection starts with, or null for a blank one. */
  begun: BegunConnection | null;
  /** The name of the setting to show on the page, or null for its beginning. */
  setting: string | null;
  open(section?: SettingsSection, connectionId?: string | null): void;
  /** Opens the form of a new connection, filled in with what is known of it. */
  openNew(begun: BegunConnection): void;
  choose(section: SettingsSection, connectionId?: string | null): void;
  /** Opens the page of a setting at that setting. */
  openSetting(section: SettingsSection, setting: string): void;
  close(): void;
}

export const useSettingsDialog = create<SettingsDialogState>((set) => ({
  isOpen: false,
  section: 'connections',
  connectionId: null,
  begun: null,
  setting: null,
  open: (section = 'connections', connectionId = null) =>
    set({ isOpen: true, section, connectionId, begun: null, setting: null }),
  openNew: (begun) => set({ isOpen: true, section: 'connections', connectionId: null, begun, setting: null }),
  choose: (section, connectionId = null) => set({ section, connectionId, begun: null, setting: null }),
  openSetting: (section, setting) => set({ isOpen: true, section, connectionId: null, begun: null, setting }),
  close: () => set({ isOpen: false }),
}));
