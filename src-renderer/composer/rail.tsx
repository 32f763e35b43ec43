import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { create } from 'zustand';
import { classes } from '../design/class-names.ts';
import { Segmented } from '../design/segmented.tsx';
import type { ComposerDraft } from './composer-draft.ts';
import { InputHistory } from './input-history.tsx';
import { PresetList } from './presets/preset-list.tsx';
import { usePresets } from './presets/preset-actions.ts';
import styles from './rail.module.css';

type RailTab = 'presets' | 'history';

interface RailState {
  /** Null: what there is something of. */
  tab: RailTab | null;
  /** In a small window it lies over the input, and only while it is asked for. */
  isOverInput: boolean;
  /** Counts up with every call, so that the search takes the focus again. */
  calls: number;
  choose: (tab: RailTab) => void;
  /** Shows a tab with the cursor in its search. */
  call: (tab: RailTab) => void;
  fold: () => void;
}

export const useRail = create<RailState>((set) => ({
  tab: null,
  isOverInput: false,
  calls: 0,
  choose: (tab) => set({ tab }),
  call: (tab) => set(({ calls }) => ({ tab, isOverInput: true, calls: calls + 1 })),
  fold: () => set({ isOverInput: false }),
}));

interface RailProps {
  draft: ComposerDraft;
  onInput: (inputText: string) => void;
  /** Gives the cursor back to the input. */
  onLeave: () => void;
}

/** What an input can start from: presets, and what was sent before. */
export function Rail({ draft, onInput, onLeave }: RailProps): ReactElement {
  const { tab: chosen, isOverInput, calls, choose, fold } = useRail();
  const hasPresets = usePresets(draft).length > 0;
  const tab = chosen ?? (hasPresets ? 'presets' : 'history');
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (calls > 0) search.current?.focus();
  }, [calls]);
  useEffect(() => () => useRail.setState({ isOverInput: false, calls: 0 }), []);
  const leave = (): void => {
    fold();
    onLeave();
  };
  const takeInput = (inputText: string): void => {
    onInput(inputText);
    fold();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOverInput) return;
    // It folds; the sheet stays.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    leave();
  };
  return (
    <aside
      className={classes(styles.rail, isOverInput && styles.over)}
      aria-label="Presets and history"
      onKeyDown={onKeyDown}
    >
      <div className={styles.head}>
        <Segmented
          size="sm"
          label="Start from"
          value={tab}
          options={[
            { value: 'presets', label: 'Presets' },
            { value: 'history', label: 'History' },
          ]}
          onChange={choose}
        />
      </div>
      {tab === 'presets' ? (
        <PresetList draft={draft} searchRef={search} onInput={takeInput} onTaken={leave} />
      ) : (
        <InputHistory draft={draft} searchRef={search} onTake={takeInput} />
      )}
    </aside>
  );
}
