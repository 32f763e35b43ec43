import { Table2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from '../design/button.tsx';
import { formatCount, formatCountOf } from '../design/format.ts';
import { Menu } from '../design/menu.tsx';
import { Segmented } from '../design/segmented.tsx';
import { StillText } from '../stream/still-text.tsx';
import { useSteps } from '../stream/use-steps.ts';
import { indexJson, type JsonIndex } from './json-index.ts';
import { jsonPathOf, stepsTo } from './json-path.ts';
import { tablesIn } from './json-table.ts';
import { JsonTableView } from './json-table-view.tsx';
import { JsonTree } from './json-tree.tsx';
import styles from './json-tree.module.css';

export interface JsonViewProps {
  text: string;
  label: string;
  /** Shows the search. */
  isFinding: boolean;
  onFindEnd: () => void;
}

/**
 * JSON of any size as a tree. Text that is no JSON is shown as it is. It may grow at its end and keeps what is
 * expanded; give another text another `key`.
 */
export function JsonView({ text, label, isFinding, onFindEnd }: JsonViewProps) {
  const start = useCallback(() => indexJson(text), [text]);
  // What was read stays until what it became is read as well.
  const index = useSteps(start)?.result ?? null;
  if (index === null) return null;
  if (index.count === 0 || index.state === 'not-json' || index.state === 'too-many')
    return (
      <>
        {index.state === 'too-many' && (
          <p className={styles.about}>More than {formatCount(index.count)} values: shown as plain text.</p>
        )}
        <StillText text={index.text} isFinding={isFinding} onFindEnd={onFindEnd} />
      </>
    );
  return <TreeOrTable index={index} label={label} isFinding={isFinding} onFindEnd={onFindEnd} />;
}

/** The tree, and beside it as a choice the arrays of objects as tables. */
function TreeOrTable({ index, ...tree }: Omit<JsonViewProps, 'text'> & { index: JsonIndex }) {
  const start = useCallback(() => tablesIn(index), [index]);
  const tables = useSteps(start)?.result ?? noTables;
  const [shown, setShown] = useState<'tree' | 'table'>('tree');
  const [chosen, setChosen] = useState<number | null>(null);
  const [startAt, setStartAt] = useState<number | undefined>(undefined);
  const table = chosen !== null && tables.includes(chosen) ? chosen : tables[0];
  const choice = table !== undefined && (
    <Segmented
      size="sm"
      label="Show as"
      value={shown}
      options={[
        { value: 'tree', label: 'Tree' },
        { value: 'table', label: 'Table' },
      ]}
      onChange={setShown}
    />
  );
  // Finding is done in the tree.
  if (shown === 'tree' || table === undefined || tree.isFinding)
    return <JsonTree index={index} startAt={startAt} choice={choice} {...tree} />;
  const nameOf = (node: number): string => jsonPathOf(stepsTo(index, node));
  return (
    <JsonTableView
      key={table}
      index={index}
      node={table}
      name={String(stepsTo(index, table).at(-1) ?? 'table')}
      onShowInTree={(node) => {
        setStartAt(node);
        setShown('tree');
      }}
      choice={
        <>
          {choice}
          <Menu
            trigger={
              <Button variant="ghost" size="sm" icon={<Table2 />}>
                {nameOf(table)}
              </Button>
            }
            items={tables.map((node) => ({
              kind: 'item',
              label: nameOf(node),
              note: formatCountOf(index.members[node] ?? 0, 'object'),
              isChosen: node === table,
              onSelect: () => setChosen(node),
            }))}
          />
        </>
      }
    />
  );
}

const noTables: readonly number[] = [];
