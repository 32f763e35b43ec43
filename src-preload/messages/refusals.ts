import { formatCount } from '../format.ts';

/** Why main refuses what the user entered. A window shows it at the field, or where the action failed. */
export const refusalText = {
  batchRows: (max: number): string => `A batch has at most ${formatCount(max)} rows`,
  batchName: 'The batch needs a name',
  connectionName: 'A connection needs a name',
  consoleLink: 'Enter an https address. It can contain {{endpoint_id}}, but not in the host.',
  endpoints: (max: number): string =>
    `A connection has at most ${formatCount(max)} endpoints. Save the others as another one.`,
  endpointId: 'An endpoint id has no spaces and no / ? #',
  invalid: 'The input is not valid',
  key: 'The key is empty',
  logLink: 'Enter an https address. It can contain {{job_id}}, {{endpoint_id}} and {{worker_id}}, but not in the host.',

  jobTitle: 'The title is empty',
  jobTitleLength: (max: number): string => `A title has at most ${max} characters`,
  labelLength: 'A label has at most 60 characters',
  labelLines: 'A label must be a single line',
  noteLength: 'A note has at most 100,000 characters',

  credits: 'Enter a number of credits',
  creditsAboveZero: 'Enter more than 0 credits, or leave it empty',
  maxCredits: (max: number): string => `At most ${formatCount(max)} credits`,
  rate: 'Enter a number of credits per hour',
  rateAboveZero: 'A rate must be more than 0',
  maxRate: (max: number): string => `A rate is at most ${formatCount(max)} credits per hour`,

  presetsSize: 'Presets can use at most 4 MB in total',
  proxyAddress: 'Enter the proxy as http://host:port, without a name or a password in it.',
  proxyName: 'Enter a name without a colon and without signs beyond ASCII.',
  shortcut: 'Keys such as Ctrl+Alt+J',
  updateFeed: 'Enter the feed as https://host/folder; only this computer may be named with http://.',
};

/** Why a text is not a pod id. */
export const podIdText = {
  missing: 'Enter a pod’s id.',
  space: 'A pod id has no spaces.',
  address: 'A pod id has no / \\ ? #. Enter the id alone, not an address.',
  dots: (id: string): string => `"${id}" is not a pod id.`,
  tooLong: (max: number, length: number): string => `A pod id has at most ${max} characters; this has ${length}.`,
  controlCharacter: 'A pod id has no control characters.',
};
