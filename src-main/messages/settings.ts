/** Settings that are read and changed. */
export const settingsText = {
  couldNotRead: 'Could not read the settings; the defaults apply.',
  couldNotSave: 'Could not save the setting. Check that the disk is not full, then try again.',
  badValue: (field: string): string => `This value does not fit the setting "${field}". The setting is unchanged.`,
  secretInPreset:
    'The preset was not saved because it contains an API key or another secret that Jobdeck knows. Remove it ' +
    'from the input, then save again.',
};
