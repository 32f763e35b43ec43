import { listed } from '../../src-preload/messages/sentence.ts';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { refusalText } from '../../src-preload/messages/refusals.ts';

/** Connections that are saved, removed and found again. */
export const connectionText = {
  couldNotReadAll: 'Could not read the saved connections.',
  couldNotReadRemoved: 'Could not read the removed connections.',
  couldNotSave: 'Could not save the connection. Check that the disk is not full, then save again.',
  couldNotSaveKey: (why: string): string => `Saved the connection, but could not save its key. ${why}`,
  couldNotRemove: 'Could not remove the connection. Try again.',
  couldNotDeleteKey: (why: string): string => `Removed the connection, but could not delete its key yet. ${why}`,
  removed: 'This connection was removed from Jobdeck. Its jobs are still in the history.',
  knownAgain:
    'Jobdeck knows this connection from before it was removed: its jobs appear with it again, Jobdeck ' +
    'tracks the orphaned ones, and names of endpoints and links that you did not enter stay as they were.',
  sandbox: 'Sandbox',
};

/** What was entered for a connection. */
export const connectionDraftText = {
  endpointTwice: (id: string): string => `The endpoint ${id} is in the list twice.`,
  aboutBaseUrl: (note: string): string => `Base URL: ${note}`,
  aboutRestUrl: (note: string): string => `REST URL: ${note}`,
  invalid: 'Something entered for this connection is not valid.',
};

/** Why a field of a connection is not valid, by its name. */
export const connectionFieldTexts: Readonly<Record<string, string>> = {
  name: 'A connection needs a name of at most 100 characters.',
  baseUrl: 'A connection needs a base URL, the address that comes before /v2.',
  restUrl: 'The REST URL is too long.',
  consoleUrl: refusalText.consoleLink,
  logUrl: refusalText.logLink,
  endpoints: 'An endpoint id has no spaces and none of / ? #, and a connection has at most 200 endpoints.',
  id: 'An endpoint id has no spaces and none of / ? #.',
  label: 'A label has at most 100 characters.',
};

/** A key that was entered, and where it may be sent. */
export const keyText = {
  empty: 'The key is empty.',
  badCharacter:
    'The key contains a space, a line break or a character that cannot be sent in a header. Copy it ' +
    'again, without the text around it.',
  withoutBearer: 'Removed the word "Bearer" from the key; Jobdeck adds it where the connection needs it.',
  withoutRest: 'Removed what was around the key: quotes, the name of its header, or characters that cannot be seen.',
  /** `enteredFor` is empty if the key was entered for no known address. */
  enterAgain: (origins: readonly string[], enteredFor: readonly string[]): string => {
    const request = `Enter the key again to use it at ${listed(origins)}.`;
    return enteredFor.length === 0
      ? request
      : `${request} The saved key was entered for ${listed(enteredFor)}, and is sent nowhere else.`;
  },
};

/** Addresses with http:// to another machine. */
export const plainHttpText = {
  carriesJobs: 'The key and all inputs and outputs',
  carriesVariables: 'The key and the variables of pods and templates',
  notAgreed: (carries: string, host: string): string =>
    `${carries} would travel unencrypted to ${host}. Use https://, or agree to this in the connection’s settings. ` +
    'Nothing was sent.',
};

/** Why a connection cannot be checked. */
export const connectionCheckText = {
  noConnection: 'There is no connection to check.',
  noEndpoint:
    'Add an endpoint id first: a check asks an endpoint for its health, and the service does not list its endpoints.',
  noKey: 'There is no key to check with. Enter the API key of this service.',
};

/** Why a check did not pass, as a sentence or two for the connection's page (ruling 7). */
export function checkProblem(failure: ServiceFailure): string {
  const status = failure.httpStatus === undefined ? '' : ` (${failure.httpStatus})`;
  const quote = failure.serviceSaid === undefined ? '' : ` It said: ${failure.serviceSaid}`;
  switch (failure.kind) {
    case 'unauthorized':
      return `The service refused this key${status}.${quote}`;
    case 'not-found':
      return `No endpoint with this id${status}.${quote}`;
    case 'rate-limited':
      return `The service responds, but is rate limiting${status}.${quote}`;
    case 'server':
      return `The service returned an error${status}.${quote}`;
    case 'malformed':
      return `Something answers there, but it is not a queue service${status}. Check the base URL.`;
    case 'invalid':
    case 'too-large':
    case 'network':
    case 'timeout':
    case 'cancelled':
      return `${failure.message}${quote}`;
  }
}

/** The storage profiles of s3Config. */
export const s3ProfileText = {
  name: 'A storage profile needs a name of at most 100 characters.',
  endpointUrl: 'The endpoint URL of the storage must be a full address that starts with https:// or http://.',
  noSecret: (name: string): string =>
    `The storage profile "${name}" has no secret. Set it, or submit without the profile.`,
  removed: 'This storage profile was removed from Jobdeck.',
  couldNotReadAll: 'Could not read the saved storage profiles.',
  couldNotSave: 'Could not save the storage profile. Check that the disk is not full, then save again.',
  couldNotSaveSecret: (why: string): string =>
    `Could not save the profile, because its secret could not be saved. ${why}`,
  couldNotRemove: 'Could not remove the storage profile. Try again.',
  couldNotDeleteSecret: (why: string): string => `Removed the profile, but could not delete its secret yet. ${why}`,
};
