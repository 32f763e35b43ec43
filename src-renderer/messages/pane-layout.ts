import type { PaneName } from '../../src-preload/settings.ts';

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
