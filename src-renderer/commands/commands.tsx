import {
  AppWindow,
  CircleStop,
  Copy,
  FlaskConical,
  HeartPulse,
  Keyboard,
  LayoutTemplate,
  ListFilter,
  ListPlus,
  Moon,
  PanelLeft,
  Pause,
  PencilLine,
  Play,
  Plug,
  Plus,
  RefreshCw,
  Repeat2,
  RotateCcw,
  Rows3,
  ScanSearch,
  Server,
  Settings as SettingsIcon,
  Square,
  SquareCheck,
  Star,
  Sun,
  Tag,
  Terminal,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TrackerState } from '../../src-preload/app.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { allowedActions } from '../../src-preload/job.ts';
import type { Allowed, Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { useComposer } from '../composer/composer-store.ts';
import { FlavourIcon } from '../design/flavour-icon.tsx';
import { formatCountOf } from '../design/format.ts';
import { useFollow } from '../navigation/follow-store.ts';
import { cancelJob, checkNow, copyCurl, copyOutput, resubmitUnchanged, retryJob, stopWaiting } from '../job/actions.ts';
import { useJobs } from '../data/jobs-store.ts';
import { setStarred } from '../jobs/row-actions.ts';
import { wishForPurge } from '../purge/purge-wish.ts';
import { openPod, usePods } from '../pods/pods-store.ts';
import { stopSandboxAsking } from '../sandbox/sandbox-store.ts';
import { changeSettings, currentConnection, useSession } from '../data/session-store.ts';
import { resolveTheme } from '../data/theme.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { useTemplatesList } from '../templates/templates-list.ts';
import {
  goToConnection,
  goToLeftBehind,
  goToPlace,
  goToUnknown,
  goToWaiting,
  openSandbox,
  showPane,
  showSandbox,
} from '../navigation/go.ts';
import { useShell } from '../navigation/shell-store.ts';
import { views } from '../navigation/views.tsx';

export type CommandGroup = 'job' | 'go' | 'run';

/** Something the user can do by key, palette or menu. One list feeds all three. */
export interface Command {
  id: string;
  group: CommandGroup;
  label: string;
  /** Small explanation beside the label. */
  hint?: string;
  icon: ReactNode;
  /** One chord (`['Ctrl', 'K']`), or two keys in a row (`['G', 'A']`, marked by `isSequence`). */
  keys?: readonly string[];
  isSequence?: boolean;
  /** Why it cannot be done now; then palette and keys leave it out. */
  refusal?: string;
  run: () => void;
}

const always: Allowed = { isAllowed: true, reason: '' };

function of(allowed: Allowed): { refusal?: string } {
  return allowed.isAllowed ? {} : { refusal: allowed.reason };
}

/** What can be done with one job. */
export function jobCommands(job: Job, nowMs: number): Command[] {
  const allowed = allowedActions(job, nowMs);
  const canRetry = allowed.retry.isAllowed;
  const hasOutput = job.outputBytes > 0 || job.chunkCount > 0;
  return [
    {
      id: 'job.edit',
      group: 'job',
      label: 'Resubmit with edits',
      hint: 'opens the composer with this input',
      icon: <PencilLine />,
      keys: ['E'],
      ...of(allowed.resubmit),
      run: () => void useComposer.getState().openFrom(job.key),
    },
    {
      id: 'job.resubmit',
      group: 'job',
      label: 'Resubmit unchanged',
      hint: 'new id, same input',
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      ...of(allowed.resubmit),
      run: () => void resubmitUnchanged(job.key),
    },
    canRetry
      ? {
          id: 'job.retry',
          group: 'job',
          label: 'Retry',
          hint: 'same id, a new attempt',
          icon: <RotateCcw />,
          keys: ['R'],
          run: () => void retryJob(job.key),
        }
      : {
          id: 'job.retry',
          group: 'job',
          label: 'Run again',
          hint: 'new id, same input',
          icon: <RotateCcw />,
          keys: ['R'],
          ...of(allowed.resubmit),
          run: () => void resubmitUnchanged(job.key),
        },
    {
      id: 'job.cancel',
      group: 'job',
      label: 'Cancel job',
      icon: <CircleStop />,
      keys: ['.'],
      ...of(allowed.cancel),
      run: () => void cancelJob(job.key),
    },
    {
      id: 'job.copy-output',
      group: 'job',
      label: 'Copy output',
      icon: <Copy />,
      keys: ['Ctrl', 'C'],
      ...of(hasOutput ? always : { isAllowed: false, reason: 'It has no output' }),
      run: () => void copyOutput(job.key),
    },
    {
      id: 'job.copy-curl',
      group: 'job',
      label: 'Copy as cURL',
      hint: 'without the key',
      icon: <Terminal />,
      keys: ['Ctrl', 'Shift', 'C'],
      ...of(allowed.resubmit),
      run: () => void copyCurl(job.key),
    },
    {
      id: 'job.window',
      group: 'job',
      label: 'Open in its own window',
      icon: <AppWindow />,
      keys: ['Shift', '↵'],
      run: () => void call('window:openJob', { key: job.key }),
    },
    {
      id: 'job.star',
      group: 'job',
      label: job.isStarred ? 'Remove star' : 'Star',
      icon: <Star />,
      keys: ['S'],
      run: () => setStarred(job, !job.isStarred),
    },
    {
      id: 'job.pick',
      group: 'job',
      label: 'Select',
      hint: 'for actions on several',
      icon: <SquareCheck />,
      keys: ['X'],
      run: () => useJobs.getState().togglePicked(job.key),
    },
    {
      id: 'job.tag',
      group: 'job',
      label: 'Tag',
      icon: <Tag />,
      keys: ['T'],
      run: () => useShell.getState().set({ tagAsked: [job.key] }),
    },
    {
      id: 'job.check',
      group: 'job',
      label: 'Check now',
      hint: job.phase === 'gone' ? 'whether the service knows it again' : 'its status',
      icon: <RefreshCw />,
      ...of(allowed.check),
      run: () => void checkNow(job),
    },
    ...(job.pendingStream === undefined
      ? []
      : [
          {
            id: 'job.stop-waiting',
            group: 'job' as const,
            label: 'Stop waiting for the rest of its stream',
            icon: <Square />,
            run: () => void stopWaiting(job.key),
          },
        ]),
  ];
}

/** Templates known of a connection, each in its own window. */
function knownTemplates(connectionId: string): Command[] {
  const { templates } = useTemplatesList.getState();
  return (templates ?? [])
    .filter((template) => template.connectionId === connectionId)
    .map(({ templateId, name }): Command => ({
      id: `go.template.${templateId}`,
      group: 'go',
      label: `Template ${name ?? templateId}`,
      icon: <LayoutTemplate />,
      run: () => void call('window:openResource', { connectionId, kind: 'template', id: templateId }),
    }));
}

/** Places the window can go to. */
export function goCommands(): Command[] {
  const { connections, tracker } = useSession.getState();
  const connection = currentConnection(useSession.getState());
  return [
    ...views.map((view): Command => ({
      id: `go.${view.view}`,
      group: 'go',
      label: view.title,
      icon: view.icon,
      keys: ['G', view.key],
      isSequence: true,
      run: () => goToPlace({ view: view.view, endpointId: null }),
    })),
    ...(connection?.endpoints ?? []).map((endpoint): Command => ({
      id: `go.endpoint.${endpoint.id}`,
      group: 'go',
      label: `Jobs of ${endpointName(endpoint)}`,
      icon: <FlavourIcon flavour={endpoint.flavour} />,
      run: () => goToPlace({ view: 'all', endpointId: endpoint.id }),
    })),
    ...(connection?.endpoints ?? []).map((endpoint): Command => ({
      id: `go.purge.${endpoint.id}`,
      group: 'go',
      label: `Purge queue of ${endpointName(endpoint)}`,
      hint: 'asks before anything is sent',
      icon: <Trash2 />,
      run: () => {
        showPane({ kind: 'health', endpointId: endpoint.id });
        wishForPurge(endpoint.id);
      },
    })),
    ...connections
      .filter((one) => one.id !== connection?.id)
      .map((one): Command => ({
        id: `go.connection.${one.id}`,
        group: 'go',
        label: `Switch to ${one.name}`,
        hint: one.isSandbox ? 'built-in sandbox' : one.baseUrl,
        icon: <Plug />,
        run: () => goToConnection(one.id),
      })),
    ...jobsToSeeTo(tracker),
    {
      id: 'go.health',
      group: 'go',
      label: 'Health',
      hint: 'queues, workers and what is wrong',
      icon: <HeartPulse />,
      keys: ['G', 'H'],
      isSequence: true,
      run: () => showPane({ kind: 'health', endpointId: useJobs.getState().place.endpointId }),
    },
    {
      id: 'go.pods',
      group: 'go',
      label: 'Pods',
      icon: <Server />,
      keys: ['G', 'P'],
      isSequence: true,
      run: () => showPane({ kind: 'pods' }),
    },
    ...(connection === null ? [] : knownTemplates(connection.id)),
    {
      id: 'go.templates',
      group: 'go',
      label: 'Templates',
      icon: <LayoutTemplate />,
      keys: ['G', 'T'],
      isSequence: true,
      run: () => showPane({ kind: 'templates' }),
    },
    ...(usePods.getState().connectionId === connection?.id ? (usePods.getState().pods ?? []) : []).map(
      (pod): Command => ({
        id: `go.pod.${pod.podId}`,
        group: 'go',
        label: `Open pod ${pod.name ?? pod.podId}`,
        hint: pod.name === null ? '' : pod.podId,
        icon: <Server />,
        run: () => openPod(pod.connectionId, pod.podId),
      }),
    ),
    { id: 'go.pod-by-id', group: 'go', label: 'Open pod by id', icon: <Server />, run: openPodById },
    {
      id: 'go.sandbox',
      group: 'go',
      label: 'Show the sandbox',
      hint: 'its requests, speed and faults',
      icon: <FlaskConical />,
      keys: ['G', 'B'],
      isSequence: true,
      run: showSandbox,
    },
  ];
}

/** What the status bar counts, while there is any of it. */
function jobsToSeeTo(tracker: TrackerState | null): Command[] {
  if (tracker === null) return [];
  return [
    { count: tracker.waitingToSend, id: 'go.waiting', label: 'Jobs waiting to be sent', run: goToWaiting },
    { count: tracker.outcomeUnknown, id: 'go.unknown', label: 'Jobs of unknown outcome', run: goToUnknown },
    {
      count: tracker.leftBehind,
      id: 'go.left-behind',
      label: 'Jobs left behind by removed connections',
      run: goToLeftBehind,
    },
  ].flatMap(({ count, ...place }): Command[] =>
    count === 0 ? [] : [{ ...place, group: 'go', hint: formatCountOf(count, 'job'), icon: <ListFilter /> }],
  );
}

/** What Jobdeck itself can do. */
export function runCommands(): Command[] {
  const { settings, tracker, sandbox } = useSession.getState();
  const shell = useShell.getState();
  const connection = currentConnection(useSession.getState());
  const isLight = resolveTheme(settings.theme, matchMedia('(prefers-color-scheme: light)').matches) === 'light';
  const place = useJobs.getState().place;
  const commands: Command[] = [
    {
      id: 'run.new',
      group: 'run',
      label: 'New job',
      icon: <Plus />,
      keys: ['N'],
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => void useComposer.getState().openNew(place.endpointId === null ? {} : { endpointId: place.endpointId }),
    },
    {
      id: 'run.batch',
      group: 'run',
      label: 'New batch',
      hint: 'many inputs at once',
      icon: <ListPlus />,
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => {
        useComposer.getState().setInputCount('many');
        void useComposer.getState().openNew(place.endpointId === null ? {} : { endpointId: place.endpointId });
      },
    },
    {
      id: 'run.follow',
      group: 'run',
      label: 'Follow jobs submitted elsewhere',
      hint: 'by their ids',
      icon: <ScanSearch />,
      ...(connection === null && { refusal: 'Add a connection first' }),
      run: () => useFollow.getState().open(),
    },
    { id: 'run.search', group: 'run', label: 'Filter the list', icon: <ListFilter />, keys: ['/'], run: focusFilter },
    tracker?.isPaused === true
      ? {
          id: 'run.resume',
          group: 'run',
          label: 'Resume polling',
          hint: 'paused by you',
          icon: <Play />,
          run: () => void call('tracker:resume', undefined),
        }
      : {
          id: 'run.pause',
          group: 'run',
          label: 'Pause polling',
          icon: <Pause />,
          run: () => void call('tracker:pause', undefined),
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
        if (connection !== null) void call('health:refresh', { connectionId: connection.id });
      },
    },
    {
      id: 'run.try',
      group: 'run',
      label: 'Check everything now',
      icon: <RefreshCw />,
      run: () => void call('tracker:tryNow', undefined),
    },
    {
      id: 'run.sidebar',
      group: 'run',
      label: settings.isSidebarFolded ? 'Show sidebar' : 'Hide sidebar',
      icon: <PanelLeft />,
      keys: ['Ctrl', 'B'],
      run: () => void changeSettings({ isSidebarFolded: !settings.isSidebarFolded }),
    },
    {
      id: 'run.density',
      group: 'run',
      label: settings.density === 'compact' ? 'Comfortable rows' : 'Compact rows',
      icon: <Rows3 />,
      run: () => void changeSettings({ density: settings.density === 'compact' ? 'comfortable' : 'compact' }),
    },
    {
      id: 'run.theme',
      group: 'run',
      label: isLight ? 'Dark theme' : 'Light theme',
      icon: isLight ? <Moon /> : <Sun />,
      run: () => void changeSettings({ theme: isLight ? 'dark' : 'light' }),
    },
    {
      id: 'run.connections',
      group: 'run',
      label: 'Manage connections',
      icon: <Plug />,
      run: () => useSettingsDialog.getState().open('connections', connection?.id ?? null),
    },
    {
      id: 'run.preferences',
      group: 'run',
      label: 'Preferences',
      icon: <SettingsIcon />,
      keys: ['Ctrl', ','],
      run: () => useSettingsDialog.getState().open('preferences'),
    },
    {
      id: 'run.shortcuts',
      group: 'run',
      label: 'Keyboard shortcuts',
      icon: <Keyboard />,
      keys: ['?'],
      run: () => shell.set({ areShortcutsOpen: true }),
    },
  ];
  if (sandbox?.isRunning === true)
    commands.push({
      id: 'run.sandbox-stop',
      group: 'run',
      label: 'Stop the sandbox',
      icon: <Square />,
      run: () => void stopSandboxAsking(),
    });
  else
    commands.push({
      id: 'run.sandbox-open',
      group: 'run',
      label: 'Open the sandbox',
      hint: 'the built-in service on this computer',
      icon: <Play />,
      run: () => void openSandbox(),
    });
  return commands;
}

/** Shows the pods, and puts the cursor into the field for an id once it is there. */
function openPodById(): void {
  showPane({ kind: 'pods' });
  const observer = new MutationObserver(focus);
  const end = setTimeout(() => observer.disconnect(), 2_000);
  function focus(): void {
    const field = document.querySelector<HTMLInputElement>('[data-pod-id]');
    if (field === null) return;
    clearTimeout(end);
    observer.disconnect();
    field.focus();
  }
  observer.observe(document.body, { childList: true, subtree: true });
  focus();
}

/** Puts the cursor into the filter box. */
export function focusFilter(): void {
  const box = document.querySelector<HTMLInputElement>('[data-filter-box]');
  box?.focus();
  box?.select();
}
