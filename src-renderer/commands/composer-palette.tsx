import { Braces, FolderOpen, History, ListPlus, PencilLine, Save, Send, SendHorizontal, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { changeEndpoint } from '../composer/change-endpoint.ts';
import { useComposerActions } from '../composer/composer-keys.ts';
import type { ComposerDraft } from '../composer/composer-draft.ts';
import { useComposer } from '../composer/composer-store.ts';
import { formatInput } from '../composer/format-input.ts';
import { usePresetName } from '../composer/presets/preset-actions.ts';
import { useRail } from '../composer/rail.tsx';
import { useSession } from '../data/session-store.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { draftCommandText } from '../messages/commands/palette.ts';
import { refusalOf, type Command } from './command.ts';
import { Palette } from './palette.tsx';
import type { CommandScope } from './scope.ts';

/**
 * The palette over the composer: first what can be done with the draft. What leads elsewhere closes the composer, and
 * the draft is kept.
 */
export function ComposerPalette(): ReactElement {
  return <Palette scope={composerScope} />;
}

const composerScope: CommandScope = {
  openJob: () => null,
  connection: connectionOfDraft,
  sections: () => [{ title: draftCommandText.heading, commands: draftCommands() }],
  isSheet: true,
  leaveFor: (run) => {
    useComposer.getState().close();
    run();
  },
};

function connectionOfDraft() {
  const { draft } = useComposer.getState();
  return useSession.getState().connections.find(({ id }) => id === draft?.connectionId) ?? null;
}

function draftCommands(): Command[] {
  const { draft, inputCount } = useComposer.getState();
  if (draft === null) return [];
  const isMany = inputCount === 'many';
  return [...submitCommands(isMany), ...inputCommands(draft, isMany), ...presetCommands(), ...endpointCommands(draft)];
}

function submitCommands(isMany: boolean): Command[] {
  const { actions } = useComposerActions.getState();
  if (actions === null) return [];
  const refusal = refusalOf({ isAllowed: actions.problem === null, reason: actions.problem ?? '' });
  const submit: Command = {
    id: 'draft.submit',
    group: 'job',
    label: actions.submitLabel,
    keywords: draftCommandText.submitKeywords,
    icon: <Send />,
    keys: ['Ctrl', '↵'],
    ...refusal,
    run: () => actions.submit('open'),
  };
  const stay: Command = {
    id: 'draft.submit-and-stay',
    group: 'job',
    ...draftCommandText.submitAndStay,
    icon: <SendHorizontal />,
    keys: ['Ctrl', 'Shift', '↵'],
    ...refusal,
    run: () => actions.submit('stay'),
  };
  return isMany ? [submit] : [submit, stay];
}

function inputCommands({ inputText }: ComposerDraft, isMany: boolean): Command[] {
  const { setInputCount, change, close } = useComposer.getState();
  const format: Command = {
    id: 'draft.format',
    group: 'job',
    ...draftCommandText.format,
    icon: <Braces />,
    run: () => change({ inputText: formatInput(inputText) }),
  };
  return [
    ...(isMany ? [] : [format]),
    {
      id: 'draft.count',
      group: 'job',
      ...(isMany ? draftCommandText.one : draftCommandText.many),
      icon: isMany ? <PencilLine /> : <ListPlus />,
      run: () => setInputCount(isMany ? 'one' : 'many'),
    },
    { id: 'draft.close', group: 'job', ...draftCommandText.close, icon: <X />, keys: ['Esc'], run: close },
  ];
}

function presetCommands(): Command[] {
  const { call } = useRail.getState();
  return [
    {
      id: 'draft.presets',
      group: 'job',
      ...draftCommandText.presets,
      icon: <FolderOpen />,
      keys: ['Ctrl', 'P'],
      run: () => call('presets'),
    },
    {
      id: 'draft.history',
      group: 'job',
      ...draftCommandText.history,
      icon: <History />,
      keys: ['Ctrl', 'H'],
      run: () => call('history'),
    },
    {
      id: 'draft.save-preset',
      group: 'job',
      ...draftCommandText.savePreset,
      icon: <Save />,
      run: () => usePresetName.getState().setSubject({ kind: 'new' }),
    },
  ];
}

/** The other endpoints to which the draft can go. */
function endpointCommands({ endpointId }: ComposerDraft): Command[] {
  const endpoints = connectionOfDraft()?.endpoints ?? [];
  return endpoints
    .filter(({ id }) => id !== endpointId)
    .map((endpoint) => ({
      id: `draft.endpoint.${endpoint.id}`,
      group: 'job',
      ...draftCommandText.sendTo(endpointName(endpoint)),
      icon: <EndpointIcon endpoint={endpoint} />,
      run: () => void changeEndpoint(endpoint.id),
    }));
}
