import { formatCount } from '../format.ts';

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
