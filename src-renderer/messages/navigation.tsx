import type { ReactNode } from 'react';
import type { JobView } from '../../src-preload/history.ts';

/** The sidebar's views. */
export const viewTitles: Readonly<Record<JobView, string>> = {
  all: 'All jobs',
  active: 'Active',
  'finished-today': 'Finished today',
  failed: 'Failed',
  starred: 'Starred',
};

export const savedViewText = { deleted: (name: string): string => `Deleted the view ${name}` };

export const connectionText = { answers: (name: string): string => `${name} answers` };

/** Links to pages of the service, from the settings of a connection. */
export const serviceLinkText = {
  console: 'Open endpoint in the console',
  log: 'Open log',
  idsNotKnown: 'The service has not named all ids in its address',
  owner: 'the connection’s settings',
};

/** The question before an address is opened in the browser. */
export const openLinkText = {
  openTitle: 'Open this address in the browser?',
  copyTitle: 'Copy this address?',
  open: 'Open in browser',
  copy: 'Copy address',
  copied: 'Address copied',
  /** `owner` is where the address comes from: "the job's output". */
  origin: (owner: string): ReactNode => <>This link comes from {owner}; Jobdeck has not checked it.</>,
  httpsOnly: 'It opens only https addresses.',
};
