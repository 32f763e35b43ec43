import { SlidersHorizontal } from 'lucide-react';
import type { OutputTimes } from '../../src-preload/settings.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { timesNames, viewMenuText } from '../messages/job/output.ts';
import { usePaneState } from './pane-state.ts';

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
    disabledReason: isStreamed || times === 'none' ? undefined : viewMenuText.noTimes,
  });
  const timesShown: readonly OutputTimes[] =
    view === 'text' ? ['none', 'since-start', 'clock'] : ['since-start', 'clock'];
  return (
    <Menu
      align="end"
      minWidth={220}
      trigger={<IconButton label={viewMenuText.options} size="sm" hasSmallGlyph icon={<SlidersHorizontal />} />}
      items={[
        {
          kind: 'item',
          label: viewMenuText.wrap,
          isChosen: isFormatted || chosen.isWrapped,
          keepsOpen: true,
          onSelect: () => void chooseSettings({ plainOutput: { ...chosen, isWrapped: !chosen.isWrapped } }),
          disabledReason: isFormatted ? viewMenuText.alwaysWraps : undefined,
        },
        { kind: 'separator' },
        { kind: 'label', label: viewMenuText.times },
        ...timesShown.map(timesItem),
      ]}
    />
  );
}
