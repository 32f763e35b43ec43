import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { create } from 'zustand';
import { classes } from '../design/class-names.ts';
import { Segmented } from '../design/segmented.tsx';
import { composerText } from '../messages/composer/sheet.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { InputHistory } from './input-history.tsx';
import { PresetList } from './presets/preset-list.tsx';
import { usePresets } from './presets/preset-actions.ts';
import { useIsMock } from './presets/sandbox-inputs.tsx';
import styles from './rail.module.css';

type RailTab = 'presets' | 'history';

interface RailState {
  /** Null: the first tab that has content. */
  tab: RailTab | null;
  /** In a small window it covers the input, and is visible only on request. */
  isOverInput: boolean;
  /** Counts the calls, so that each one focuses the search again. */
  calls: number;
  choose: (tab: RailTab) => void;
  /** Shows a tab with the focus in its search. */
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
  /** Returns the focus to the input. */
  onLeave: () => void;
}

/** The inputs to start from: presets, and earlier inputs. */
export function Rail({ draft, onInput, onLeave }: RailProps): ReactElement {
  const { tab: chosen, isOverInput, calls, choose, fold } = useRail();
  const presets = usePresets(draft);
  const isMock = useIsMock(draft);
  const tab = chosen ?? (presets.length > 0 || isMock ? 'presets' : 'history');
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
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
    // It is folded; the sheet stays open.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    leave();
  };
  return (
    <aside
      className={classes(styles.rail, isOverInput && styles.over)}
      aria-label={composerText.rail}
      onKeyDown={onKeyDown}
    >
      <div className={styles.head}>
        <Segmented
          size="sm"
          label={composerText.startFrom}
          value={tab}
          options={[
            { value: 'presets', label: composerText.presets },
            { value: 'history', label: composerText.history },
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
