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

/** Why a field of a template cannot be sent. Each is a sentence whose full stop is added where it is shown. */
export const templateProblemText = {
  idTooLong: (max: number, length: number): string =>
    `An id has at most ${formatCount(max)} characters; this one has ${formatCount(length)}`,
  cannotSendBack: (json: string): string =>
    `The service returned ${json}, which an update cannot send back. Left out, it may be reset, so set a value`,
  nameMissing: 'A template needs a name',
  nameTooLong: (max: number, length: number): string =>
    `A name has at most ${formatCount(max)} characters; this one has ${formatCount(length)}`,
  imageMissing: 'An image needs a name',
  imageSpace: 'The name of an image has no spaces',
  mountPathRelative: 'A mount path is absolute: it starts with /',
  mountPathLines: 'A mount path is one line',
  sizeMissing: 'A size is needed: whole GB, 0 or more',
  sizeNegative: 'A size is not negative: whole GB, 0 or more',
  sizeNotWhole: 'A size is a whole number of GB, 0 or more, in digits',
  sizeTooLarge: 'This number is too large to be sent exactly',
  argumentNul: 'An argument cannot contain a NUL character',
  inLine: (entry: string, line: number): string => `${entry} is already in line ${line}`,
};

/** Why an entry is not `<port>/<protocol>`. */
export const portProblemText = {
  missing: 'A port number is needed, from 1 to 65535',
  notNumber: (text: string): string => `${text} is not a port: enter a number from 1 to 65535`,
  leadingZero: 'A port has no leading zero',
  outOfRange: (text: string): string => `A port is from 1 to 65535, not ${text}`,
  protocolMissing: 'Choose http or tcp',
  unknownProtocol: (text: string): string => `The protocol is http or tcp, not ${text}`,
};

/** Why a variable cannot be sent. */
export const envProblemText = {
  nameMissing: 'A variable needs a name',
  reservedName: (name: string): string => `A variable cannot be called ${name}`,
  badName: 'A name has letters, digits and _, and does not start with a digit',
  valueNul: 'A value cannot contain a NUL character',
  valueUnknown: 'Its value is unknown here: enter it',
  valueLost: 'Its value was only kept for an earlier session: enter it again, or load the template from a pod',
};
