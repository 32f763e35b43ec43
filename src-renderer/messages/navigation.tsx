import type { ReactNode } from 'react';
import type { JobView } from '../../src-preload/history.ts';
import type { PaneName } from '../../src-preload/settings.ts';

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

/** The edges between panes, for screen readers. Each is named for the pane whose width it sets. */
export const paneWidthText: Readonly<Record<PaneName, string>> = {
  sidebar: 'Width of the sidebar',
  list: 'Width of the list',
  causes: 'Width of the causes',
  composerRail: 'Width of presets and history',
  composerOptions: 'Width of the options',
  jobFacts: 'Width of the facts',
  healthSide: 'Width of limits and actions',
  sandboxSettings: 'Width of the sandbox settings',
  podIdentity: 'Width of the identity',
  podRequest: 'Width of the request',
  templateReview: 'Width of the review',
  readmeSource: 'Width of the source',
};
