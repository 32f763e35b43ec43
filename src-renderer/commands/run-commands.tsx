import {
  Archive,
  ArchiveRestore,
  FileJson,
  FileJson2,
  FileSpreadsheet,
  FileText,
  HeartPulse,
  Keyboard,
  ListFilter,
  ListPlus,
  Moon,
  PanelLeft,
  Pause,
  Play,
  Plug,
  Plus,
  RefreshCw,
  Rows3,
  ScanSearch,
  Square,
  Sun,
  HardDrive,
  Settings as SettingsIcon,
} from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { openComposer } from '../navigation/composer-request.ts';
import { formatCountOf } from '../../src-preload/format.ts';
import { exportJobs } from '../data/export-jobs.ts';
import { useFollow } from '../navigation/follow-store.ts';
import { useJobs } from '../data/jobs-store.ts';
import { stopSandbox } from '../sandbox/sandbox-store.ts';
import { chooseSettings, currentConnection, useSession } from '../data/session-store.ts';
import { resolveTheme } from '../data/theme.ts';
import { backUp, openBackup } from '../settings/backup-store.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { openSandbox } from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import { appCommands } from './app-commands.tsx';
import type { Command } from './command.ts';

/** Commands of Jobdeck itself. */
export function runCommands(): Command[] {
  return [...submitCommands(), ...pollingCommands(), ...windowCommands(), sandboxCommand(), ...appCommands()];
}

function submitCommands(): Command[] {
  const connection = currentConnection(useSession.getState());
  const { place } = useJobs.getState();
  return [
    {
      id: 'run.new',
      group: 'run',
      label: 'New job',
      keywords: ['submit', 'run', 'create', 'send', 'compose'],
      icon: <Plus />,
      keys: ['N'],
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => openComposer({ endpointId: place.endpointId }),
    },
    {
      id: 'run.batch',
      group: 'run',
      label: 'New batch',
      hint: 'many inputs at once',
      keywords: ['submit', 'csv', 'grid', 'bulk'],
      icon: <ListPlus />,
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => openComposer({ endpointId: place.endpointId, isMany: true }),
    },
    {
      id: 'run.follow',
      group: 'run',
      label: 'Track jobs submitted elsewhere',
      hint: 'by their ids',
      keywords: ['follow', 'import', 'external', 'id'],
      icon: <ScanSearch />,
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => useFollow.getState().open(),
    },
    {
      id: 'run.search',
      group: 'run',
      label: 'Filter the list',
      keywords: ['search', 'find'],
      icon: <ListFilter />,
      keys: ['/'],
      run: focusFilter,
    },
    ...exportCommands(),
  ];
}

/** Commands that export the filtered jobs of the list. */
function exportCommands(): Command[] {
  const { filter, total } = useJobs.getState();
  const source = { kind: 'filter', filter, sort: useSession.getState().settings.listSort } as const;
  const common = {
    group: 'run',
    hint: formatCountOf(total, 'job'),
    ...(total === 0 && { refusal: 'No jobs to export' }),
  } as const;
  return [
    {
      ...common,
      id: 'run.export-report',
      label: 'Export the list as an HTML report',
      icon: <FileText />,
      run: () => void exportJobs(source, 'report'),
    },
    {
      ...common,
      id: 'run.export-ndjson',
      label: 'Export the list as NDJSON',
      icon: <FileJson />,
      run: () => void exportJobs(source, 'ndjson'),
    },
    {
      ...common,
      id: 'run.export-csv',
      label: 'Export the list as CSV',
      icon: <FileSpreadsheet />,
      run: () => void exportJobs(source, 'csv'),
    },
    {
      ...common,
      id: 'run.export-dataset',
      label: 'Export the list as a dataset',
      icon: <FileJson2 />,
      run: () => void exportJobs(source, 'dataset'),
    },
  ];
}

function pollingCommands(): Command[] {
  const { tracker } = useSession.getState();
  const connection = currentConnection(useSession.getState());
  return [
    tracker?.isPaused === true
      ? {
          id: 'run.resume',
          group: 'run',
          label: 'Resume polling',
          hint: 'paused by you',
          keywords: ['start', 'tracking', 'continue'],
          icon: <Play />,
          run: () => callOrReport('tracker:resume', undefined),
        }
      : {
          id: 'run.pause',
          group: 'run',
          label: 'Pause polling',
          keywords: ['stop', 'tracking'],
          icon: <Pause />,
          run: () => callOrReport('tracker:pause', undefined),
        },
    {
      id: 'run.health',
      group: 'run',
      label: 'Refresh health now',
      hint: connection === null ? '' : formatCountOf(connection.endpoints.length, 'endpoint'),
      icon: <HeartPulse />,
      keys: ['Ctrl', 'R'],
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => {
        if (connection !== null) callOrReport('health:refresh', { connectionId: connection.id });
      },
    },
    {
      id: 'run.try',
      group: 'run',
      label: 'Check everything now',
      keywords: ['refresh', 'poll', 'status', 'update'],
      icon: <RefreshCw />,
      run: () => callOrReport('tracker:tryNow', undefined),
    },
  ];
}

function windowCommands(): Command[] {
  const { settings } = useSession.getState();
  const connection = currentConnection(useSession.getState());
  const isLight = resolveTheme(settings.theme, matchMedia('(prefers-color-scheme: light)').matches) === 'light';
  return [
    {
      id: 'run.sidebar',
      group: 'run',
      label: settings.isSidebarFolded ? 'Show sidebar' : 'Hide sidebar',
      icon: <PanelLeft />,
      keys: ['Ctrl', 'B'],
      run: () => void chooseSettings({ isSidebarFolded: !settings.isSidebarFolded }),
    },
    {
      id: 'run.density',
      group: 'run',
      label: settings.density === 'compact' ? 'Comfortable rows' : 'Compact rows',
      keywords: ['density', 'table', 'compact', 'comfortable'],
      icon: <Rows3 />,
      run: () => void chooseSettings({ density: settings.density === 'compact' ? 'comfortable' : 'compact' }),
    },
    {
      id: 'run.theme',
      group: 'run',
      label: isLight ? 'Dark theme' : 'Light theme',
      keywords: ['dark', 'light', 'appearance', 'colour', 'color', 'settings'],
      icon: isLight ? <Moon /> : <Sun />,
      run: () => void chooseSettings({ theme: isLight ? 'dark' : 'light' }),
    },
    {
      id: 'run.connections',
      group: 'run',
      label: 'Manage connections',
      keywords: ['settings', 'endpoints', 'api key', 'base url', 'remove'],
      icon: <Plug />,
      run: () => useSettingsDialog.getState().open('connections', connection?.id ?? null),
    },
    {
      id: 'run.preferences',
      group: 'run',
      label: 'Preferences',
      keywords: ['settings', 'options', 'rate limit', 'webhooks', 'login', 'shortcuts'],
      icon: <SettingsIcon />,
      keys: ['Ctrl', ','],
      run: () => useSettingsDialog.getState().open('preferences'),
    },
    {
      id: 'run.storage',
      group: 'run',
      label: 'Storage',
      hint: 'disk use and retention',
      keywords: ['settings', 'delete', 'space', 'clean up', 'size', 'compact'],
      icon: <HardDrive />,
      run: () => useSettingsDialog.getState().open('storage'),
    },
    {
      id: 'run.back-up',
      group: 'run',
      label: 'Back up the history',
      hint: 'one file, without keys',
      keywords: ['backup', 'export', 'copy', 'save'],
      icon: <Archive />,
      run: () => {
        useSettingsDialog.getState().open('storage');
        void backUp();
      },
    },
    {
      id: 'run.open-backup',
      group: 'run',
      label: 'Restore or merge a backup',
      hint: 'checked first',
      keywords: ['import', 'open', 'undo'],
      icon: <ArchiveRestore />,
      run: () => {
        useSettingsDialog.getState().open('storage');
        void openBackup();
      },
    },
    {
      id: 'run.shortcuts',
      group: 'run',
      label: 'Keyboard shortcuts',
      keywords: ['keys', 'help', 'hotkeys'],
      icon: <Keyboard />,
      keys: ['?'],
      run: () => useShell.getState().set({ areShortcutsOpen: true }),
    },
  ];
}

function sandboxCommand(): Command {
  return useSession.getState().sandbox?.isRunning === true
    ? {
        id: 'run.sandbox-stop',
        group: 'run',
        label: 'Stop the sandbox',
        icon: <Square />,
        run: () => void stopSandbox(),
      }
    : {
        id: 'run.sandbox-open',
        group: 'run',
        label: 'Open the sandbox',
        hint: 'the built-in service on this computer',
        keywords: ['start', 'local', 'test', 'try'],
        icon: <Play />,
        run: () => void openSandbox(),
      };
}

/** Focuses the filter box. */
function focusFilter(): void {
  const box = document.querySelector<HTMLInputElement>('[data-filter-box]');
  box?.focus();
  box?.select();
}
