import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  ArrowRight,
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
  Undo2,
  HardDrive,
  Settings as SettingsIcon,
} from 'lucide-react';
import type { Connection } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { openComposer, useFollowDialog } from '../navigation/open-requests.ts';
import { exportFormats, exportJobs } from '../data/export-items.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { exportListTitles, runCommandText, runRefusalText } from '../messages/commands/run.ts';
import { countText } from '../messages/common.ts';
import { stopSandbox } from '../sandbox/sandbox-store.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { resolveTheme } from '../data/theme.ts';
import { backUp, openBackup } from '../settings/backup-store.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { openSandbox } from '../navigation/go.ts';
import { backKeys, forwardKeys } from '../design/keyboard/platform.ts';
import { nextUndo, undoLast } from '../design/toast.tsx';
import { titleBarText } from '../messages/windows/main-window.ts';
import { useNavigation } from '../navigation/navigation.ts';
import { useShell } from '../navigation/shell-store.ts';
import { appCommands } from './app-commands.tsx';
import { commandsHere, type Command } from './command.ts';

/** Commands of Jobdeck itself. `connection` is the one that the window is about. */
export function runCommands(connection: Connection | null = currentConnection(useSession.getState())): Command[] {
  return commandsHere([
    ...submitCommands(connection),
    ...pollingCommands(connection),
    ...windowCommands(),
    ...settingsCommands(connection),
    sandboxCommand(),
    ...appCommands(),
  ]);
}

function submitCommands(connection: Connection | null): Command[] {
  const { place } = useJobs.getState();
  return [
    {
      id: 'run.new',
      group: 'run',
      ...runCommandText.newJob,
      icon: <Plus />,
      keys: ['N'],
      ...(connection === null && { refusal: runRefusalText.noConnection }),
      run: () => openComposer({ endpointId: place.endpointId }),
    },
    {
      id: 'run.batch',
      group: 'run',
      ...runCommandText.newBatch,
      icon: <ListPlus />,
      ...(connection === null && { refusal: runRefusalText.noConnection }),
      run: () => openComposer({ endpointId: place.endpointId, isMany: true }),
    },
    {
      id: 'run.follow',
      group: 'run',
      ...runCommandText.follow,
      icon: <ScanSearch />,
      ...(connection === null && { refusal: runRefusalText.noConnection }),
      run: () => useFollowDialog.getState().open(),
    },
    {
      id: 'run.search',
      group: 'run',
      ...runCommandText.filter,
      icon: <ListFilter />,
      keys: ['/'],
      only: 'main',
      run: focusFilter,
    },
    ...exportCommands(),
  ];
}

/** Commands that export the filtered jobs of the list. */
function exportCommands(): Command[] {
  const { filter, total } = useJobs.getState();
  const source = { kind: 'filter', filter, sort: useSession.getState().settings.listSort } as const;
  return exportFormats.map(({ format, icon }) => ({
    id: `run.export-${format}`,
    group: 'run',
    only: 'main',
    label: exportListTitles[format],
    hint: countText.jobs(total),
    ...(total === 0 && { refusal: runRefusalText.noJobsToExport }),
    icon,
    run: () => void exportJobs(source, format),
  }));
}

function pollingCommands(connection: Connection | null): Command[] {
  const { tracker } = useSession.getState();
  return [
    tracker?.isPaused === true
      ? {
          id: 'run.resume',
          group: 'run',
          ...runCommandText.resumePolling,
          icon: <Play />,
          run: () => callOrReport('tracker:resume', undefined),
        }
      : {
          id: 'run.pause',
          group: 'run',
          ...runCommandText.pausePolling,
          icon: <Pause />,
          run: () => callOrReport('tracker:pause', undefined),
        },
    {
      id: 'run.health',
      group: 'run',
      ...runCommandText.refreshHealth,
      hint: connection === null ? '' : countText.endpoints(connection.endpoints.length),
      icon: <HeartPulse />,
      keys: ['Ctrl', 'R'],
      ...(connection === null && { refusal: runRefusalText.noConnection }),
      run: () => {
        if (connection !== null) callOrReport('health:refresh', { connectionId: connection.id });
      },
    },
    {
      id: 'run.try',
      group: 'run',
      ...runCommandText.checkEverything,
      icon: <RefreshCw />,
      run: () => callOrReport('tracker:tryNow', undefined),
    },
  ];
}

/** Commands for what is shown in the window, and how. */
function windowCommands(): Command[] {
  const { settings } = useSession.getState();
  const isLight = resolveTheme(settings.theme, matchMedia('(prefers-color-scheme: light)').matches) === 'light';
  const { at, stops, back, forward } = useNavigation.getState();
  const done = nextUndo();
  return [
    {
      id: 'run.undo',
      group: 'run',
      ...runCommandText.undo,
      ...(done === null ? { refusal: runRefusalText.nothingToUndo } : { hint: done }),
      icon: <Undo2 />,
      keys: ['Ctrl', 'Z'],
      run: undoLast,
    },
    {
      id: 'run.back',
      group: 'run',
      label: titleBarText.back,
      icon: <ArrowLeft />,
      keys: backKeys,
      only: 'main',
      ...(at <= 0 && { refusal: runRefusalText.nothingBefore }),
      run: back,
    },
    {
      id: 'run.forward',
      group: 'run',
      label: titleBarText.forward,
      icon: <ArrowRight />,
      keys: forwardKeys,
      only: 'main',
      ...(at >= stops.length - 1 && { refusal: runRefusalText.nothingAfter }),
      run: forward,
    },
    {
      id: 'run.sidebar',
      group: 'run',
      ...(settings.isSidebarFolded ? runCommandText.showSidebar : runCommandText.hideSidebar),
      icon: <PanelLeft />,
      keys: ['Ctrl', 'B'],
      only: 'main',
      run: () => void chooseSettings({ isSidebarFolded: !settings.isSidebarFolded }),
    },
    {
      id: 'run.density',
      group: 'run',
      ...(settings.density === 'compact' ? runCommandText.comfortableRows : runCommandText.compactRows),
      icon: <Rows3 />,
      only: 'main',
      run: () => void chooseSettings({ density: settings.density === 'compact' ? 'comfortable' : 'compact' }),
    },
    {
      id: 'run.theme',
      group: 'run',
      ...(isLight ? runCommandText.darkTheme : runCommandText.lightTheme),
      icon: isLight ? <Moon /> : <Sun />,
      run: () => void chooseSettings({ theme: isLight ? 'dark' : 'light' }),
    },
  ];
}

/** Commands that open the settings and the sheet of shortcuts. */
function settingsCommands(connection: Connection | null): Command[] {
  return [
    {
      id: 'run.connections',
      group: 'run',
      ...runCommandText.connections,
      icon: <Plug />,
      run: () => useSettingsDialog.getState().open('connections', connection?.id ?? null),
    },
    {
      id: 'run.preferences',
      group: 'run',
      ...runCommandText.preferences,
      icon: <SettingsIcon />,
      keys: ['Ctrl', ','],
      run: () => useSettingsDialog.getState().open('preferences'),
    },
    {
      id: 'run.storage',
      group: 'run',
      ...runCommandText.storage,
      icon: <HardDrive />,
      run: () => useSettingsDialog.getState().open('storage'),
    },
    {
      id: 'run.back-up',
      group: 'run',
      ...runCommandText.backUp,
      icon: <Archive />,
      run: () => {
        useSettingsDialog.getState().open('storage');
        void backUp();
      },
    },
    {
      id: 'run.open-backup',
      group: 'run',
      ...runCommandText.openBackup,
      icon: <ArchiveRestore />,
      run: () => {
        useSettingsDialog.getState().open('storage');
        void openBackup();
      },
    },
    {
      id: 'run.shortcuts',
      group: 'run',
      ...runCommandText.shortcuts,
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
        ...runCommandText.stopSandbox,
        icon: <Square />,
        run: () => void stopSandbox(),
      }
    : {
        id: 'run.sandbox-open',
        group: 'run',
        ...runCommandText.openSandbox,
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
