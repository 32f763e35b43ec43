import type { ReactNode } from 'react';
import type { EndpointFlavour } from '../../../src-preload/connection.ts';

/** The page of a connection in the settings. */
export const connectionPageText = {
  sandbox: 'The built-in sandbox. Jobdeck starts it and sets its address and key.',
  keyRefused: (httpStatus: number): string =>
    `The service refused this key (${httpStatus}). Enter another one, or send it in the other form.`,
  connect: 'Connect',
  save: 'Save connection',
  discard: 'Discard changes',
  saved: (name: string): string => `${name} saved`,
  deleteKey: 'Delete key',
  noKey: 'No key saved',
  deleteKeyTitle: (name: string): string => `Delete the key for ${name}`,
  deleteKeyText:
    'The key will be deleted from the key storage, which cannot be undone. Until you enter one again, no job of this ' +
    'connection is sent or checked.',
  keyDeleted: 'The key was deleted from the key storage',
  remove: 'Remove connection',
  removeTitle: (name: string): string => `Remove ${name}`,
  removeText:
    'Its key will be deleted, which cannot be undone. Jobs sent with it stay readable and searchable under All ' +
    'connections in the connection menu. Jobs still running are orphaned, and tracked again when you add the ' +
    'connection with the same base URL and one of its endpoints. Jobs not sent yet will not be sent.',
};

/** The fields of a connection, in the settings and at the first start. */
export const connectionFormText = {
  name: 'Connection name',
  nameExample: 'Production',
  isSaving: 'Saving',
  needsName: 'A connection needs a name',
  baseUrl: 'Base URL',
  baseUrlNote: 'queue interface, /v2',
  needsBaseUrl: 'A connection needs a base URL',
  restUrl: 'REST URL',
  restUrlNote: 'pods and templates, /v1',
  optional: 'optional',
  key: 'API key',
  keySaved: 'Key saved. Type to replace it',
  sentAs: 'Sent as',
  bearer: 'Bearer <key>',
  bareKey: '<key>',
  bareNote: 'bare',
  sentAsHint: 'Queue requests accept either form. Pods and templates always use Bearer.',
  filledIn: 'Filled in',
  consoleUrl: 'Console link',
  consoleUrlNote: 'of an endpoint',
  consoleExample: 'https://…/{{endpoint_id}}',
  logUrl: 'Log link',
  logUrlNote: 'of a job',
  logExample: 'https://…/{{job_id}}',
  linksHint:
    'Pages of the service, opened in the browser from the menus of endpoints and jobs. {{endpoint_id}}, {{job_id}} ' +
    'and {{worker_id}} are filled in.',
};

/** The check of the addresses, the key and the endpoints. */
export const connectionCheckText = {
  notChecked: 'Not checked yet',
  checking: 'Checking',
  stillChecking: 'Checking…',
  good: 'Connection checked',
  bad: 'The check found a problem',
  couldNotCheck: 'Could not run the check',
  needs: 'Needs a base URL and an endpoint id',
  needsKey: 'Needs the key',
  check: 'Check',
  checkAgain: 'Check again',
  noAnswer: 'no answer',
  took: (ms: number): string => `${Math.round(ms)} ms`,
};

/** The ids of the endpoints, as tokens. */
export const endpointIdsText = {
  label: 'Endpoint ids',
  note: 'the service does not list them, so add the ones you use',
  add: 'Add id',
  remove: (id: string): string => `Remove ${id}`,
  answers: 'Answers',
  answersBadly: 'Did not answer as expected',
};

/** The names and kinds of the endpoints. */
export const endpointRowsText = {
  label: 'Endpoint names',
  id: 'Id',
  name: 'Name',
  nameOf: (id: string): string => `Name of ${id}`,
  titles: 'Job titles',
  titlesExample: '{{prompt}}',
  titlesOf: (id: string): string => `Job titles of ${id}`,
  kind: 'Kind',
  kindOf: (id: string): string => `Kind of ${id}`,
  titlesHint: '“{{prompt}}, seed {{seed}}” makes job titles from these input fields. If empty, Jobdeck picks one.',
};

export const flavourNames: Readonly<Record<EndpointFlavour, string>> = {
  unknown: 'Automatic',
  text: 'Text',
  image: 'Images',
  audio: 'Audio',
  embedding: 'Embeddings',
  other: 'Other',
};

/** The questions about addresses that are reached over http://. `carries` is what is sent there. */
export const plainHttpText = {
  title: (host: string): string => `http:// to ${host} is not encrypted`,
  warning: (carries: string, host: ReactNode): ReactNode => (
    <>
      {carries} travel unencrypted to {host}: anyone on the network path can read and change them. Use https:// if the
      service supports it.
    </>
  ),
  agree: (host: string): string => `Send them unencrypted to ${host}`,
  notAgreed: 'Nothing was sent or saved. Agree to this here, or use https://.',
};
