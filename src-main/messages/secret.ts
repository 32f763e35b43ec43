import type { KeyPlace } from '../../src-preload/connection.ts';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';

/** Where keys are. */
export const placeTexts: Readonly<Record<KeyPlace, string>> = {
  keychain: 'Keys are stored in the system keychain. You may be asked to unlock it.',
  'safe-storage': 'Keys are stored encrypted in Jobdeck’s own folder, under a key that your system protects.',
  session: 'Keys are kept in memory until Jobdeck closes, and written nowhere.',
};

const keychainLate = 'The system keychain has not responded yet';
const safeStorageLate = 'Your system’s encryption of keys has not responded yet';
const untilThen =
  'your system may be asking you to unlock it. Until then, keys are kept in memory. Jobdeck saves them there as ' +
  'soon as it responds.';

/** Why a place for keys is not used. */
export const noPlaceText = {
  noKeychain: 'No keychain found on this computer.',
  keychainLate: `${keychainLate}.`,
  safeStorageLate: `${safeStorageLate}.`,
  untilKeychainResponds: `${keychainLate}; ${untilThen}`,
  untilSafeStorageResponds: `${safeStorageLate}; ${untilThen}`,
  cannotEncrypt: 'This computer cannot encrypt keys for Jobdeck.',
};

/** What Jobdeck asks of the keychain. */
export type KeychainRequest = 'find' | 'read' | 'save' | 'remove';

const requests: Readonly<Record<KeychainRequest, string>> = {
  find: 'find keys',
  read: 'read the key',
  save: 'save the key',
  remove: 'remove the key',
};

/** The system's keychain. */
export const keychainText = {
  notResponding: (request: KeychainRequest): string =>
    `The system keychain does not respond, so Jobdeck could not ${requests[request]}. Unlock it if your system asks ` +
    'you to, then try again.',
  refused: (request: KeychainRequest): string =>
    `The system keychain refused to ${requests[request]}. It may be locked: unlock it, then try again, or choose ` +
    'another place for keys in Settings.',
  /** The value of an entry that is written to try the keychain. */
  trial: 'Jobdeck checks that it can keep keys here',
  trialLost: 'What was written did not come back',
};

/** Keys that are encrypted in files. */
export const encryptedKeyText = {
  couldNotDecrypt: 'Could not decrypt the saved key. Try again; if that does not help, enter the key again.',
  couldNotSave: 'Could not encrypt and save the key on this computer.',
  couldNotDelete: 'Could not delete the file with the encrypted key.',
  noAnswer: 'no answer in time',
};

/** Keys that are read, saved and moved between places. */
export const secretText = {
  notMoved: (problem: string): string => `${problem} No key was moved.`,
  /** The place is used for new keys. `notMoved` of `all` keys are still in their former places. */
  someNotMoved: (notMoved: number, all: number, problem: string): string =>
    `Could not move ${formatCount(notMoved)} of ${formatCountOf(all, 'key')}: ${problem} New keys are kept in the ` +
    'place that you chose.',
  copyLeft: (problem: string): string => `All keys were moved, but a copy of one is left. ${problem}`,
  /** By what Jobdeck wanted to do. */
  keychainUnusable: {
    use: keychainUnusable('use it'),
    read: keychainUnusable('read it'),
    replace: keychainUnusable('replace it there'),
    remove: keychainUnusable('remove it'),
  },
  cannotEncrypt:
    'This key is stored encrypted, and this computer cannot encrypt for Jobdeck now. Delete the key first to ' +
    'keep a new one for this session only.',
  removedLater: (problem: string): string =>
    `${problem} Jobdeck no longer uses this entry of the keychain, and will delete it when the keychain responds ` +
    'at a later start.',
  couldNotWrite:
    'Could not change Jobdeck’s folder for keys. Check that the disk is not full and that you own the folder.',
  vaultKeyUnreadable: 'The name of the key that seals variables cannot be read in the history. Nothing was changed.',
  couldNotOpenVault: 'Could not read saved variables: the history could not be written.',
};

function keychainUnusable(todo: string): string {
  return (
    `This key is in the computer’s keychain, which Jobdeck cannot use now, so it could not ${todo}. Delete ` +
    'the key first to save a new one elsewhere.'
  );
}
