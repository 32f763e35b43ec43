import { Search } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { isCovered, isTyping } from '../design/key-target.ts';
import { Kbd } from '../design/kbd.tsx';
import { TextField } from '../design/text-field.tsx';
import { failuresText } from '../messages/failures/list.ts';
import styles from './cause-filter.module.css';

/** Filters the causes while the user types. `/` focuses it from anywhere in the pane, Escape clears it. */
export function CauseFilter({ typed, onTyped }: { typed: string; onTyped: (typed: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isCovered() || isTyping(event)) return;
      // In other panes this key focuses the filter of the job list.
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <div className={styles.filter}>
      <TextField
        aria-label={failuresText.filter}
        placeholder={failuresText.filterHint}
        size="sm"
        icon={<Search />}
        trailing={<Kbd keys={['/']} />}
        inputRef={input}
        value={typed}
        onChange={onTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onTyped('');
          input.current?.blur();
        }}
      />
    </div>
  );
}
