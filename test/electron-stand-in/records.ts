/** What the app did to the desktop, for tests. None of it reaches a real desktop. */
export interface DialogRecord {
  kind: 'message' | 'error' | 'save' | 'open';
  options: unknown;
  answer: unknown;
}

export const records = {
  openedExternally: [] as string[],
  openedPaths: [] as string[],
  shownInFolder: [] as string[],
  dialogs: [] as DialogRecord[],
  /** Answers for the next dialogs, in order. */
  dialogAnswers: [] as unknown[],
  /** Answers the dialogs for a file that are open, oldest first. */
  openDialogs: [] as ((answer: unknown) => void)[],
  clipboard: '',
  /** As base64. Empty if there is none. */
  clipboardPng: '',
  clipboardFormats: [] as string[],
  badge: 0,
  /** `isSwitchedOff`: by the user, in the system's own settings. */
  loginItem: {
    openAtLogin: ['on', 'switched-off'].includes(process.env['ELECTRON_STAND_IN_LOGIN_ITEM'] ?? ''),
    args: ['--hidden'],
    isSwitchedOff: process.env['ELECTRON_STAND_IN_LOGIN_ITEM'] === 'switched-off',
    timesSet: 0,
  },
  beeps: 0,
  /** The command lines that the app wanted to be started with after its end. */
  relaunches: [] as string[][],
  appUserModelId: '',
  toastActivator: '',
  desktopName: '',
  protocols: new Set<string>(),
  /** What the dock or launcher shows on the app's icon, on systems without a task bar icon per window. */
  appProgress: { share: -1, mode: 'normal' },
  /** macOS: whether the app has its icon in the dock, and with it badge, progress and the menu bar. */
  isDockShown: true,
  isOnline: true,
  /** Names of files that pages downloaded because the app did not deny it. */
  downloads: [] as string[],
  powerSaveBlockers: [] as string[],
  /** What was requested for each window, oldest first. */
  webPreferences: [] as Record<string, unknown>[],
  /** When the steps of the start were reached, epoch milliseconds. */
  start: { mainBegunMs: 0, windowShownMs: 0, firstAnswers: {} as Record<string, number> },
};
