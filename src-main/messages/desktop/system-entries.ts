import { asSentence } from '../../../src-preload/messages/sentence.ts';

/** Jobdeck among the applications of a Linux desktop. */
export const menuEntryText = {
  comment: 'A desktop deck for queue-based GPU job services',
  foreignEntry: (path: string): string =>
    `Could not add Jobdeck to the menu: ${path} exists, and Jobdeck did not write it. Remove it first.`,
  notAdded: (error: string): string => `Could not add Jobdeck to the menu: ${asSentence(error)}`,
  notRemoved: (error: string): string => `Could not remove Jobdeck from the menu: ${asSentence(error)}`,
  notForLinks: (scheme: string, error: string): string =>
    `Jobdeck is in the menu, but the system did not make it the program for ${scheme}:// links: ` +
    `${asSentence(error)} Choose it where your desktop sets default applications.`,
};

/** Jobdeck among the programs that start at login. */
export const startupText = {
  /** In the entry of a Linux desktop. */
  comment: 'Tracks jobs from the tray',
  /** Why it is not there. */
  notSaved: 'the system did not save the change',
  needsApproval: 'macOS waits for your approval under General › Login Items in the system’s settings',
};
