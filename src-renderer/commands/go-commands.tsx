import {
  ArchiveRestore,
  Bookmark,
  BookmarkPlus,
  Bug,
  FlaskConical,
  HeartPulse,
  LayoutTemplate,
  ListChecks,
  ListFilter,
  Plug,
  Server,
  Trash2,
} from 'lucide-react';
import type { Batch } from '../../src-preload/batch.ts';
import type { CallOutput } from '../../src-preload/contract.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { callOrReport } from '../call-or-report.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { knownBatches } from '../batches/batches.ts';
import { outcomeText } from '../batches/outcome-bar.tsx';
import { keptAnswer } from '../data/calls.ts';
import { useJobs } from '../data/jobs-store.ts';
import { showPurgeCard } from '../purge/use-purge.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import {
  goToConnection,
  goToOrphans,
  goToPlace,
  goToUnknown,
  goToWaiting,
  openPod,
  showPane,
  showSandbox,
} from '../navigation/go.ts';
import { goCommandText } from '../messages/commands/go.ts';
import { countText } from '../messages/common.ts';
import { goToSavedView, useViewNameDialog } from '../navigation/saved-views.ts';
import { views } from '../navigation/views.tsx';
import { knownPodsNow } from '../pods/remembered-pods.ts';
import { knownTemplatesNow } from '../templates/forget-template.ts';
import { commandsHere, type Command } from './command.ts';

/** The resources and batches of the current connection, as far as this window has read them. */
export interface KnownPlaces {
  pods: CallOutput<'pod:list'>;
  templates: CallOutput<'template:list'>;
  batches: readonly Batch[];
}

/** The places that this window has read already. */
function keptPlaces(connection: Connection | null): KnownPlaces {
  const of = { connectionId: connection?.id ?? '' };
  return {
    pods: keptAnswer('pod:list', of) ?? [],
    templates: keptAnswer('template:list', of) ?? [],
    batches: knownBatches(),
  };
}

/** The known templates of a connection, each in its own window. */
function knownTemplates(connectionId: string, templates: KnownPlaces['templates']): Command[] {
  return knownTemplatesNow(templates).map(({ templateId, name }): Command => ({
    id: `go.template.${templateId}`,
    group: 'go',
    ...goCommandText.template(name ?? templateId),
    icon: <LayoutTemplate />,
    run: () => callOrReport('window:openResource', { connectionId, kind: 'template', id: templateId }),
  }));
}

const saveView: Command = {
  id: 'go.save-view',
  group: 'go',
  ...goCommandText.saveView,
  icon: <BookmarkPlus />,
  only: 'main',
  run: () => {
    showPane({ kind: 'jobs' });
    useViewNameDialog.getState().setSubject({ kind: 'new' });
  },
};

/** Commands that open a place. */
export function goCommands(known: KnownPlaces = keptPlaces(currentConnection(useSession.getState()))): Command[] {
  const { connections, tracker } = useSession.getState();
  const connection = currentConnection(useSession.getState());
  return commandsHere([
    ...viewCommands(),
    ...(connection === null ? [] : connectionCommands(connection, known.batches)),
    ...connections
      .filter((one) => one.id !== connection?.id)
      .map((one): Command => ({
        id: `go.connection.${one.id}`,
        group: 'go',
        ...goCommandText.switchTo(one.name),
        hint: one.isSandbox ? goCommandText.builtInSandbox : one.baseUrl,
        icon: <Plug />,
        run: () => goToConnection(one.id),
      })),
    ...jobsToSeeTo(tracker),
    ...paneCommands(connection, known),
  ]);
}

/** Commands for the views of the list, the saved ones too. */
function viewCommands(): Command[] {
  const { settings } = useSession.getState();
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
    ...settings.savedViews.map((view, at): Command => ({
      id: `go.view.${view.id}`,
      group: 'go',
      label: view.name,
      hint: goCommandText.savedViewHint,
      icon: <Bookmark />,
      // The first nine have a key. Further ones are found by name.
      ...(at < 9 ? { keys: ['G', String(at + 1)], isSequence: true } : {}),
      run: () => void goToSavedView(view),
    })),
    saveView,
  ];
}

/** Commands for the panes beside the list, and for the resources in them. */
function paneCommands(connection: Connection | null, known: KnownPlaces): Command[] {
  return [
    {
      id: 'go.health',
      group: 'go',
      ...goCommandText.health,
      icon: <HeartPulse />,
      keys: ['G', 'H'],
      isSequence: true,
      run: () => showPane({ kind: 'health', endpointId: useJobs.getState().place.endpointId }),
    },
    {
      id: 'go.failures',
      group: 'go',
      ...goCommandText.failures,
      icon: <Bug />,
      keys: ['G', 'E'],
      isSequence: true,
      run: () => showPane({ kind: 'failures' }),
    },
    {
      id: 'go.pods',
      group: 'go',
      ...goCommandText.pods,
      icon: <Server />,
      keys: ['G', 'P'],
      isSequence: true,
      run: () => showPane({ kind: 'pods' }),
    },
    ...(connection === null ? [] : knownTemplates(connection.id, known.templates)),
    {
      id: 'go.templates',
      group: 'go',
      ...goCommandText.templates,
      icon: <LayoutTemplate />,
      keys: ['G', 'T'],
      isSequence: true,
      run: () => showPane({ kind: 'templates' }),
    },
    ...knownPodsNow(known.pods).map((pod): Command => ({
      id: `go.pod.${pod.podId}`,
      group: 'go',
      ...goCommandText.openPod(pod.name ?? pod.podId),
      hint: pod.name === null ? '' : pod.podId,
      icon: <Server />,
      run: () => openPod(pod.connectionId, pod.podId),
    })),
    { id: 'go.pod-by-id', group: 'go', ...goCommandText.openPodById, icon: <Server />, only: 'main', run: openPodById },
    {
      id: 'go.bin',
      group: 'go',
      ...goCommandText.bin,
      icon: <ArchiveRestore />,
      keys: ['G', 'X'],
      isSequence: true,
      run: () => showPane({ kind: 'bin' }),
    },
    {
      id: 'go.sandbox',
      group: 'go',
      ...goCommandText.sandbox,
      icon: <FlaskConical />,
      keys: ['G', 'B'],
      isSequence: true,
      run: showSandbox,
    },
  ];
}

/** Commands for the endpoints and batches of a connection. */
function connectionCommands({ endpoints }: Connection, batches: KnownPlaces['batches']): Command[] {
  return [
    ...endpoints.map((endpoint): Command => ({
      id: `go.endpoint.${endpoint.id}`,
      group: 'go',
      ...goCommandText.jobsOf(endpointName(endpoint)),
      icon: <EndpointIcon endpoint={endpoint} />,
      run: () => goToPlace({ view: 'all', endpointId: endpoint.id }),
    })),
    ...endpoints.map((endpoint): Command => ({
      id: `go.health.${endpoint.id}`,
      group: 'go',
      ...goCommandText.healthOf(endpointName(endpoint)),
      icon: <HeartPulse />,
      run: () => showPane({ kind: 'health', endpointId: endpoint.id }),
    })),
    ...batches.map((batch): Command => ({
      id: `go.batch.${batch.id}`,
      group: 'go',
      ...goCommandText.batch(batch.name),
      hint: outcomeText(batch),
      icon: <ListChecks />,
      run: () => goToPlace({ view: 'all', endpointId: null, batchId: batch.id }),
    })),
    ...endpoints.map((endpoint): Command => ({
      id: `go.purge.${endpoint.id}`,
      group: 'go',
      ...goCommandText.purgeQueueOf(endpointName(endpoint)),
      icon: <Trash2 />,
      only: 'main',
      run: () => {
        showPane({ kind: 'health', endpointId: endpoint.id });
        showPurgeCard(endpoint.id);
      },
    })),
  ];
}

/** Commands for the jobs that the status bar counts, if there are any. */
function jobsToSeeTo(tracker: TrackerState | null): Command[] {
  if (tracker === null) return [];
  return [
    { count: tracker.waitingToSend, id: 'go.waiting', ...goCommandText.waiting, run: goToWaiting },
    { count: tracker.outcomeUnknown, id: 'go.unknown', ...goCommandText.outcomeUnknown, run: goToUnknown },
    {
      count: tracker.orphans,
      id: 'go.orphaned',
      ...goCommandText.orphaned,
      run: goToOrphans,
    },
  ].flatMap(({ count, ...place }): Command[] =>
    count === 0 ? [] : [{ ...place, group: 'go', hint: countText.jobs(count), icon: <ListFilter /> }],
  );
}

/** Shows the pods, and focuses the field for an id when it is there. */
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
