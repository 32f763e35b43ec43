import { Download, Funnel, X } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '../../design/icon-button.tsx';
import { jsonFilterText } from '../../messages/json/view.ts';
import { saveText } from '../../data/save-file.ts';
import { maxFound } from './filter-answer.ts';
import type { FilteredJson } from './use-json-filter.ts';
import bar from '../../design/search-bar.module.css';
import styles from './filter-bar.module.css';

export interface FilterBarProps {
  path: string;
  onPath: (path: string) => void;
  filtered: FilteredJson | null;
  onClose: () => void;
}

/** A field for a JSONPath that filters the values below it, with the number of matches. Escape closes it. */
export function FilterBar({ path, onPath, filtered, onClose }: FilterBarProps) {
  const problemId = useId();
  const problem = filtered?.problem ?? null;
  const found = filtered?.found ?? null;
  return (
    <>
      <div className={bar.search} role="search" aria-label={jsonFilterText.bar}>
        <Funnel aria-hidden="true" />
        <span className={styles.language}>{jsonFilterText.language}</span>
        <input
          className={styles.path}
          autoFocus
          spellCheck={false}
          autoComplete="off"
          aria-label={jsonFilterText.label}
          placeholder={jsonFilterText.example}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : problemId}
          value={path}
          onChange={(event) => onPath(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            onClose();
          }}
        />
        <span className={bar.found} role="status">
          {foundText(filtered)}
        </span>
        <IconButton
          label={jsonFilterText.save}
          size="sm"
          hasSmallGlyph
          icon={<Download />}
          disabledReason={found === null || found.index.members[0] === 0 ? jsonFilterText.nothingToSave : undefined}
          onClick={() => found !== null && saveText('filtered.json', `${found.index.text}\n`, 'application/json')}
        />
        <IconButton label={jsonFilterText.clear} size="sm" hasSmallGlyph icon={<X />} onClick={onClose} />
      </div>
      {problem !== null && (
        <p id={problemId} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function foundText(filtered: FilteredJson | null): string {
  if (filtered === null || filtered.found === null) return '';
  const { index, isCut, tookMs } = filtered.found;
  return isCut ? jsonFilterText.foundFirst(maxFound, tookMs) : jsonFilterText.found(index.members[0] ?? 0, tookMs);
}
