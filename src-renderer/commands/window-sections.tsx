import {
  Clock,
  Copy,
  CornerRightDown,
  Download,
  Layers,
  Pin,
  PinOff,
  Redo2,
  RefreshCw,
  Save,
  Search,
  Terminal,
  Trash2,
  Undo2,
} from 'lucide-react';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { useSession } from '../data/session-store.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { toast } from '../design/toast.tsx';
import {
  healthCommandText,
  podCommandText,
  sandboxCommandText,
  templateCommandText,
} from '../messages/commands/secondary-windows.ts';
import { commonText } from '../messages/common.ts';
import { showPurgeCard } from '../purge/use-purge.ts';
import { copyEnvironment } from '../sandbox/copy-environment.ts';
import { always, refusalOf, type Command } from './command.ts';
import type { CommandSection } from './scope.ts';

/** What the commands of a pod's window call, and why the pod cannot be read ('' if it can). */
interface PodActions {
  podId: string;
  isPinned: boolean;
  readRefusal: string;
  /** Whether there is a reply to search and to pin. */
  isRead: boolean;
  read: () => void;
  find: () => void;
  setPinned: (isPinned: boolean) => void;
}

/** The commands of a pod's window. */
export function podSection({
  podId,
  isPinned,
  readRefusal,
  isRead,
  read,
  find,
  setPinned,
}: PodActions): CommandSection {
  const reply: Command[] = [
    {
      id: 'pod.find',
      group: 'run',
      ...podCommandText.find,
      icon: <Search />,
      keys: ['Ctrl', 'F'],
      run: find,
    },
    {
      id: 'pod.pin',
      group: 'run',
      ...(isPinned ? podCommandText.unpin : podCommandText.pin),
      icon: isPinned ? <PinOff /> : <Pin />,
      run: () => setPinned(!isPinned),
    },
  ];
  return {
    title: podCommandText.title,
    commands: [
      {
        id: 'pod.read',
        group: 'run',
        ...podCommandText.read,
        icon: <RefreshCw />,
        keys: ['F5'],
        ...refusalOf({ isAllowed: readRefusal === '', reason: readRefusal }),
        run: read,
      },
      ...(isRead ? reply : []),
      copyIdCommand('pod.copy-id', podCommandText.copyId, podId),
    ],
  };
}

/** What the commands of a template's window call, and why it cannot be saved (null if it can). */
interface TemplateActions {
  templateId: string;
  saveRefusal: string | null;
  canUndo: boolean;
  canRedo: boolean;
  hasEdits: boolean;
  save: () => void;
  undo: () => void;
  redo: () => void;
  nextChange: () => void;
  readFromPod: () => void;
}

/** The commands of a template's window. Its editors handle their keys. */
export function templateSection(actions: TemplateActions): CommandSection {
  const { templateId, saveRefusal, canUndo, canRedo, hasEdits } = actions;
  const unless = (isRefused: boolean, reason: string): { refusal?: string } => (isRefused ? { refusal: reason } : {});
  const common = { group: 'run', areKeysOfPart: true } as const;
  return {
    title: templateCommandText.title,
    commands: [
      {
        ...common,
        id: 'template.save',
        ...templateCommandText.save,
        icon: <Save />,
        keys: ['Ctrl', 'S'],
        ...unless(saveRefusal !== null, saveRefusal ?? ''),
        run: actions.save,
      },
      {
        ...common,
        id: 'template.next-change',
        ...templateCommandText.nextChange,
        icon: <CornerRightDown />,
        keys: ['Ctrl', 'D'],
        ...unless(!hasEdits, templateCommandText.noEdits),
        run: actions.nextChange,
      },
      {
        ...common,
        id: 'template.undo',
        ...templateCommandText.undo,
        icon: <Undo2 />,
        keys: ['Ctrl', 'Z'],
        ...unless(!canUndo, templateCommandText.nothingToUndo),
        run: actions.undo,
      },
      {
        ...common,
        id: 'template.redo',
        ...templateCommandText.redo,
        icon: <Redo2 />,
        keys: ['Ctrl', 'Shift', 'Z'],
        ...unless(!canRedo, templateCommandText.nothingToRedo),
        run: actions.redo,
      },
      {
        ...common,
        id: 'template.read',
        ...templateCommandText.readFromPod,
        icon: <Download />,
        run: actions.readFromPod,
      },
      copyIdCommand('template.copy-id', templateCommandText.copyId, templateId),
    ],
  };
}

/** What a health window shows, and what its commands call. */
interface HealthActions {
  connection: Connection;
  endpointId: string | null;
  ranges: readonly { id: string; phrase: string; isShown: boolean; show: () => void }[];
  show: (endpointId: string | null) => void;
}

/** The commands of a health window: its endpoints, its ranges, and the queue in view. */
export function healthSection({ connection, endpointId, ranges, show }: HealthActions): CommandSection {
  const shown = { refusal: healthCommandText.shown };
  const endpoint = connection.endpoints.find(({ id }) => id === endpointId);
  return {
    title: healthCommandText.title,
    commands: [
      {
        id: 'health.all',
        group: 'run',
        ...healthCommandText.allEndpoints,
        icon: <Layers />,
        ...(endpointId === null && shown),
        run: () => show(null),
      },
      ...connection.endpoints.map((one): Command => ({
        id: `health.endpoint.${one.id}`,
        group: 'run',
        ...healthCommandText.endpoint(endpointName(one)),
        icon: <EndpointIcon endpoint={one} />,
        ...(one.id === endpointId && shown),
        run: () => show(one.id),
      })),
      ...ranges.map((range): Command => ({
        id: `health.range.${range.id}`,
        group: 'run',
        ...healthCommandText.range(range.phrase),
        icon: <Clock />,
        ...(range.isShown && shown),
        run: range.show,
      })),
      ...(endpoint === undefined
        ? []
        : [
            copyIdCommand('health.copy-id', healthCommandText.copyId, endpoint.id),
            {
              id: 'health.purge',
              group: 'run' as const,
              ...healthCommandText.purge(endpointName(endpoint)),
              icon: <Trash2 />,
              run: () => showPurgeCard(endpoint.id),
            },
          ]),
    ],
  };
}

/** The commands of the sandbox's window. */
export function sandboxSection(): CommandSection {
  const baseUrl = useSession.getState().sandbox?.baseUrl ?? null;
  const refusal = refusalOf(baseUrl === null ? { isAllowed: false, reason: sandboxCommandText.notRunning } : always);
  return {
    title: sandboxCommandText.title,
    commands: [
      {
        id: 'sandbox.copy-base-url',
        group: 'run',
        ...sandboxCommandText.copyBaseUrl,
        icon: <Copy />,
        ...refusal,
        run: () => void copy(baseUrl ?? ''),
      },
      {
        id: 'sandbox.copy-environment',
        group: 'run',
        ...sandboxCommandText.copyEnvironment,
        icon: <Terminal />,
        ...refusal,
        run: () => void copyEnvironment(),
      },
    ],
  };
}

function copyIdCommand(id: string, text: Pick<Command, 'label' | 'keywords'>, copied: string): Command {
  return { id, group: 'run', ...text, icon: <Copy />, run: () => void copy(copied) };
}

async function copy(text: string): Promise<void> {
  const result = orReport(await call('app:copyText', { text }));
  if (result.ok) toast(commonText.copied);
}
