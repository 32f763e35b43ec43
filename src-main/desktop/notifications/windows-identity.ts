/** By what Windows knows a program. */
export interface WindowsIdentity {
  /** The id of its shortcut, its notifications and its login item. */
  appUserModelId: string;
  /** The id of what a click on a notification starts. Never change it: earlier notifications still name it. */
  toastActivator: string;
}

const installed: WindowsIdentity = {
  appUserModelId: 'dev.jobdeck.app',
  toastActivator: '{7C1C8A0B-53A6-4C0B-9B1F-6D7E0B9E52A4}',
};

const fromSources: WindowsIdentity = {
  appUserModelId: 'dev.jobdeck.app.from-sources',
  toastActivator: '{2B0B5E0D-6B2E-4F0A-9C53-0E1C3E6E7F18}',
};

/**
 * Electron writes both into the registry and into the start menu when notifications are first used. So a start from the
 * sources has its own: otherwise a click on a notification of the installed Jobdeck would start Electron alone. Pure.
 */
export function windowsIdentity(isPackaged: boolean): WindowsIdentity {
  return isPackaged ? installed : fromSources;
}
