/** Why the system refused to write a file. */
export const fileText = {
  fullDisk: 'The disk is full. Free some space, or choose another disk.',
  closedFolder: 'The folder cannot be written to. Choose another one.',
  noFolder: 'The folder no longer exists. Choose another one.',
};
