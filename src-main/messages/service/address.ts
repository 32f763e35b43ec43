/** The base URL (queue interface) or the REST URL (management interface). */
type AddressKind = 'base' | 'rest';

const names: Readonly<Record<AddressKind, string>> = { base: 'base URL', rest: 'REST URL' };

/** Addresses and ids of requests. */
export const addressText = {
  invalid: 'This connection’s address is not valid. Check it in its settings.',
  noRestUrl: 'This connection has no REST URL, which pods and templates need. Add one in its settings.',
  emptyId: 'The id is empty.',
  notId: (text: string): string => `"${text}" is not an id.`,
  longId: (max: number): string => `The id has more than ${max} characters.`,
  brokenId: 'The id contains a broken character.',
};

/** Why an address that was entered is not valid. */
export const badAddressText = {
  empty: (kind: AddressKind): string => `The ${names[kind]} is empty.`,
  scheme: (kind: AddressKind): string => `The ${names[kind]} must start with http:// or https://.`,
  notAddress: (kind: AddressKind): string =>
    `The ${names[kind]} is not an address. It looks like https://host or http://host:port.`,
  user: (kind: AddressKind): string =>
    `The ${names[kind]} contains a user or password. Leave it out; the key is entered separately.`,
  query: (kind: AddressKind): string => `The ${names[kind]} contains a query (from the ?). Leave it out.`,
  fragment: (kind: AddressKind): string => `The ${names[kind]} contains a fragment (from the #). Leave it out.`,
};

/** What was changed in an address, a sentence each (ruling 28). */
export const addressNoteText = {
  spaces: 'Removed the spaces around it.',
  slash: 'Removed the slash at the end.',
  operation: (path: string): string => `The operation at the end (${path}) was removed; ids are entered separately.`,
  version: (version: string): string => `/${version} at the end was removed; Jobdeck adds it.`,
  prefix: (prefix: string): string => `${prefix} was put before it.`,
  completed: (scheme: string): string => `It was completed to ${scheme}.`,
  writtenAs: (url: string): string => `It is written as ${url}.`,
};
