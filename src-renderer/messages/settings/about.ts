import { formatDay } from '../../../src-preload/format.ts';
import type { NewVersion, UpdateState } from '../../../src-preload/update.ts';

/** The version of Jobdeck, and what a bug report needs. */
export const aboutText = {
  jobdeck: 'Jobdeck',
  version: (version: string, isStandIn: boolean): string =>
    `Version ${version}${isStandIn ? ', running on the Electron stand-in' : ''}`,
  showDiagnostics: 'Show diagnostics',
  openLogs: 'Open logs folder',
  diagnosticsHint:
    'Versions, states and the latest log lines, without keys, secrets or addresses. You see them before you copy ' +
    'them. Nothing is sent.',
  diagnostics: 'Diagnostics',
  copyDiagnostics: 'Copy diagnostics',
  diagnosticsCopied: 'Diagnostics copied',
};

export const updateText = {
  title: 'Updates',
  notes: 'What is new',
  automatic: 'Check for updates automatically',
  automaticHint: 'Once a day, while Jobdeck is in use. The feed sees your IP address and nothing else.',
  download: 'Download',
  restart: 'Restart now',
  check: 'Check for updates',
  checking: 'Checking',
};

/** The address that updates come from. */
export const updateFeedText = {
  label: 'Update feed',
  ofPackage: 'Built-in feed',
  inUseHint: 'Jobdeck checks this address for updates',
  emptyHint: 'Leave empty to use the feed built into this version',
  inUse: 'This feed is in use',
  use: 'Use feed',
};

/** The state of an update, in one or two sentences. */
export function updateStateText(state: UpdateState, nowMs: number): string {
  switch (state.kind) {
    case 'not-installed':
      return 'This copy was not installed from a package, so it does not update itself.';
    case 'unchecked':
      return 'Not checked for updates since Jobdeck started.';
    case 'checking':
      return 'Checking for updates…';
    case 'newest':
      return 'This is the newest version.';
    case 'available':
      return `Jobdeck ${withDate(state.offered, nowMs)} is available.`;
    case 'downloading':
      return `Downloading Jobdeck ${state.offered.version}…`;
    case 'ready':
      return `Jobdeck ${state.offered.version} is ready. It is installed when Jobdeck quits.`;
    case 'failed':
      return state.message;
  }
}

function withDate({ version, releasedAtMs }: NewVersion, nowMs: number): string {
  return releasedAtMs === null ? version : `${version} (released ${formatDay(releasedAtMs, nowMs)})`;
}
