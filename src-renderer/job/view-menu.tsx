import { SlidersHorizontal } from 'lucide-react';
import type { OutputTimes } from '../../src-preload/settings.ts';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu.tsx';
import { usePaneState } from './pane-state.ts';

const timesNames: Readonly<Record<OutputTimes, string>> = {
  none: 'No times',
  'since-start': 'Time since start',
  clock: 'Clock time',
};

interface ViewMenuProps {
  view: 'text' | 'chunks';
  /** Whether the text was streamed, so that its parts have times. */
  isStreamed: boolean;
}

/** The display options of an output: whether lines wrap, and which times are shown. Both are remembered. */
export function ViewMenu({ view, isStreamed }: ViewMenuProps) {
  const chosen = useSession((state) => state.settings.plainOutput);
  const { isPlain, setPlain } = usePaneState();
  const isFormatted = view === 'text' && !isPlain;
  const timesItem = (times: OutputTimes): MenuEntry => ({
    kind: 'item',
    label: timesNames[times],
    isChosen: isFormatted || !isStreamed ? times === 'none' : chosen.times === times,
    onSelect: () => {
      // Formatted text has no lines to show a time beside.
      if (isFormatted && times !== 'none') setPlain(true);
      void chooseSettings({ plainOutput: { ...chosen, times } });
    },
    disabledReason: isStreamed || times === 'none' ? undefined : 'Only streamed output has times',
  });
  const timesShown: readonly OutputTimes[] =
    view === 'text' ? ['none', 'since-start', 'clock'] : ['since-start', 'clock'];
  return (
    <Menu
      align="end"
      minWidth={220}
      trigger={<IconButton label="View options" size="sm" hasSmallGlyph icon={<SlidersHorizontal />} />}
      items={[
        {
          kind: 'item',
          label: 'Wrap long lines',
          isChosen: isFormatted || chosen.isWrapped,
          keepsOpen: true,
          onSelect: () => void chooseSettings({ plainOutput: { ...chosen, isWrapped: !chosen.isWrapped } }),
          disabledReason: isFormatted ? 'Formatted text always wraps' : undefined,
        },
        { kind: 'separator' },
        { kind: 'label', label: 'Times' },
        ...timesShown.map(timesItem),
      ]}
    />
  );
}
