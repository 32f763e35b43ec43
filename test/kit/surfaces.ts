import type { WindowKind } from '../../src-renderer/navigation/route.ts';
import type { useSettingsDialog } from '../../src-renderer/navigation/settings-dialog-store.ts';
import type { Pane } from '../../src-renderer/navigation/shell-store.ts';

/*
 * Every surface that axe is run on, by what draws it. A new window, pane, page of the settings or dialog needs a line
 * here and a run in a spec: `test/unit/house/surfaces.test.ts` fails where either is missing.
 */

/** By the file of `src-renderer` that draws a dialog or sheet. */
export const dialogSurfaces = {
  'alerts/alert-history-dialog.tsx': 'alert history',
  'alerts/rule-dialog.tsx': 'alert rule',
  'batches/compare-batch-dialog.tsx': 'choose a batch to compare',
  'batches/rename-batch-dialog.tsx': 'name of a batch',
  'bin/bin-pane.tsx': 'delete for good',
  'commands/palette.tsx': 'palette',
  'commands/shortcuts.tsx': 'shortcuts',
  'compare/add-job.tsx': 'add a job to compare',
  'composer/composer.tsx': 'composer',
  'composer/presets/preset-name-dialog.tsx': 'name of a preset',
  'composer/s3-fields.tsx': 'delete an S3 profile',
  'failures/grouping-rules.tsx': 'grouping rules',
  'failures/mute-dialog.tsx': 'mute a cause',
  'follow/follow-dialog.tsx': 'track jobs',
  'job/dialogs/code-dialog.tsx': 'request as code',
  'job/dialogs/extend-dialog.tsx': 'extend lifetime',
  'job/media/image-zoom.tsx': 'enlarged image',
  'job/dialogs/judge-dialog.tsx': 'mark and label',
  'job/dialogs/tags-dialog.tsx': 'tags',
  'jobs/bulk-dialogs.tsx': 'cancel several jobs',
  'jobs/bulk-question-dialog.tsx': 'send many again',
  'jobs/view-name-dialog.tsx': 'name of a view',
  'json/json-tree.tsx': 'long text',
  'navigation/open-link-dialog.tsx': 'open a link',
  'pods/ports-section.tsx': 'open a port',
  'settings/connection-question.tsx': 'remove connection',
  'settings/settings-dialog.tsx': 'settings: preferences',
  'templates/env-paste.tsx': 'paste variables',
  'templates/read-dialog.tsx': 'read from a pod',
} as const;

const windowSurfaces = {
  main: 'empty list',
  onboarding: 'onboarding',
  sandbox: 'sandbox window',
  tray: 'tray popover',
  job: 'job window',
  health: 'health window',
  pod: 'pod window',
  template: 'template window',
} as const satisfies Record<WindowKind['kind'], string>;

const paneSurfaces = {
  jobs: 'failed job',
  sandbox: 'sandbox',
  health: 'health of an endpoint',
  pods: 'pods',
  templates: 'templates',
  failures: 'failures',
  bin: 'deleted jobs',
  compare: 'comparison',
} as const satisfies Record<Pane['kind'], string>;

const settingsSurfaces = {
  about: 'settings: about',
  connections: 'settings: connection',
  network: 'settings: network',
  notifications: 'settings: notifications',
  preferences: 'settings: preferences',
  storage: 'settings: storage',
} as const satisfies Record<ReturnType<typeof useSettingsDialog.getState>['section'], string>;

/** What is not a window, pane or dialog of its own: menus, tabs, states. */
const otherSurfaces = [
  'preparation page',
  'failures by worker',
  'pair of two batches',
  'job output',
  'job input',
  'job metrics',
  'job requests',
  'job note',
  'menu of a job',
  'menu of a row',
  'menu of an endpoint',
  'menu of a batch',
  'menu of connections',
  'menu of the list',
  'menu of an image',
  'filter suggestions',
  'no matches',
  'palette with results',
  'palette of a job window',
  'shortcuts of a job window',
  'notification centre',
  'folded sidebar',
  'bulk bar',
  'tags of several jobs',
  'table in an order',
  'batch strip',
  'toast with undo',
  'composer with a problem',
  'composer, many inputs',
  'composer, S3 profile',
  'settings: new connection',
  'delete a key',
  'health of all endpoints',
  'sandbox, new fault',
  'tray popover, menu of connections',
] as const;

type ValuesOf<T> = T[keyof T];

/** A name of a surface. */
export type Surface =
  | ValuesOf<typeof dialogSurfaces>
  | ValuesOf<typeof windowSurfaces>
  | ValuesOf<typeof paneSurfaces>
  | ValuesOf<typeof settingsSurfaces>
  | (typeof otherSurfaces)[number];

/** All of them, each once. */
export const surfaces: readonly Surface[] = [
  ...new Set<Surface>([
    ...Object.values(dialogSurfaces),
    ...Object.values(windowSurfaces),
    ...Object.values(paneSurfaces),
    ...Object.values(settingsSurfaces),
    ...otherSurfaces,
  ]),
];
