/** Updates of Jobdeck that cannot be downloaded or installed yet. */
export const updateText = {
  nothingToDownload: 'There is nothing to download. Check for updates first.',
  nothingToInstall: 'No update is ready to be installed. Download it first.',
};

/** What went wrong with an update. */
export const updateFailureText = {
  noRelease: 'The feed has no release for this system.',
  noFile: 'The release names no file for this system.',
  notRelease: 'The feed’s answer is not a release.',
  notSigned: 'The file is not signed by the authors of Jobdeck, so it was deleted.',
  otherFile: 'The file is not the one the release promises, so it was deleted.',
  movedFile: 'This copy’s own file was moved or renamed. Download the new version by hand.',
  fullDisk: 'The disk is full.',
  closedFolder: 'Jobdeck is not allowed to write next to its own file. Download the new version by hand.',
  noAddress: 'The feed’s address does not exist.',
  noAnswer: 'The feed does not answer.',
  brokeOff: 'The connection to the feed broke off.',
  managedPackage: 'This kind of package is updated by the program that installed it.',
  answered: (httpStatus: number): string => `The feed answered ${httpStatus}.`,
  /** `reason`: Chromium's words. */
  notReached: (reason: string): string => `Could not reach the feed (${reason}).`,
  downloadFailed: (why: string): string => `${why} Nothing was installed.`,
};
