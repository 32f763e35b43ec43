/** Why the system refused to write a file. */
export const fileText = {
  fullDisk: 'The disk is full. Free some space, or choose another disk.',
  closedFolder: 'The folder cannot be written to. Choose another one.',
  noFolder: 'The folder no longer exists. Choose another one.',
  othersHang:
    'Two other files are still being written, and their disk may not answer. Nothing of this one was written. ' +
    'Try again when they are saved.',
};
