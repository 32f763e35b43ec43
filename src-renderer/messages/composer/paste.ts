import { formatCountOf } from '../../../src-preload/format.ts';

const sourceNames = {
  curl: 'a cURL command',
  powershell: 'a PowerShell command',
  fetch: 'a fetch call',
  'sdk-js': 'a runpod-sdk call',
  'sdk-python': 'a runpod call in Python',
  requests: 'a Python request',
  http: 'an HTTP request',
};

/** The language of a request. */
export type RequestSource = keyof typeof sourceNames;

/** The form was filled in from a request in the clipboard, or not. */
export const pasteText = {
  nothingFound: 'No request found in the clipboard.',
  readsWhat: 'Jobdeck reads cURL, PowerShell, fetch, runpod-sdk, Python requests and plain HTTP.',
  formUnchanged: 'The form is unchanged.',
  filledFrom: (source: RequestSource): string => `Filled from ${sourceNames[source]}.`,
  filled: (endpoint: string, operation: string, keys: number): string =>
    `${endpoint}, ${operation}, ${formatCountOf(keys, 'key')}.`,
  noEndpointYet: 'no endpoint yet',
  noInput: (source: RequestSource): string => `No input could be read from ${sourceNames[source]}.`,
  keyDiscarded: 'Its API key was discarded.',
  keyDiscardedUsesYours: 'Its API key was discarded; the connection still uses yours.',
};

/** The parts of a request that are not in the form, in sentences. A key is never among them. */
export const leftOutOfRequestText = {
  keyHidden: 'The input repeats the key; it is now [key] there.',
  unknownEndpoint: (endpointId: string): string =>
    `The endpoint ${endpointId} is not in your connections, so it is unchanged.`,
  s3Config: 'S3 settings were left out: choose an S3 profile instead.',
  otherFields: (names: string): string => `Left out, because a submission has no such field: ${names}.`,
  notMilliseconds: (name: string): string => `The policy’s ${name} is not a number of milliseconds, so it was skipped.`,
};

/** What could not be read of a request, in sentences. */
export const unreadText = {
  address: 'The address could not be read, so the endpoint is unchanged.',
  addressAtRunTime: 'The address is made when the code runs, so the endpoint is unchanged.',
  bodyInFile: (file: string): string => `The body is in the file ${file}. Drop that file on the input.`,
  formFields: 'Form fields are not part of a submission.',
  bodyOfScript: 'The body is made when the script runs, so it could not be read.',
  bodyAtRunTime: 'The code builds the body at run time, so Jobdeck could not read it.',
  partOfBody: 'A part of the body is made when the code runs, and was left out.',
};
