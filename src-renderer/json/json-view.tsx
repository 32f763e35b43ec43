import { Funnel, Table2 } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { Segmented } from '../design/segmented.tsx';
import { jsonViewText } from '../messages/json/view.ts';
import { StillText } from '../stream/still-text.tsx';
import { useSteps } from '../stream/use-steps.ts';
import { FilterBar } from './filter/filter-bar.tsx';
import { useJsonFilter } from './filter/use-json-filter.ts';
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
  /** Whose output or input it is. The widths of columns are remembered for it. */
  endpointId?: string | undefined;
  /** The place in the toolbar above for the choice between table, tree and raw text. Null until it is drawn. */
  choiceAt: HTMLElement | null;
}

/**
 * JSON of any size as a tree. A text that is not JSON is shown unchanged. The text may grow at its end, which keeps
 * what is expanded; a different text needs another `key`.
 */
export function JsonView({ text, ...shown }: JsonViewProps) {
  const { isFinding, onFindEnd } = shown;
  const start = useCallback(() => indexJson(text), [text]);
  // The former result stays until the new one is read.
  const index = useSteps(start)?.result ?? null;
  if (index === null) return null;
  if (index.count === 0 || index.state === 'not-json' || index.state === 'too-many')
    return (
      <>
        {index.state === 'too-many' && <p className={styles.about}>{jsonViewText.tooManyValues(index.count)}</p>}
        <StillText text={index.text} isFinding={isFinding} onFindEnd={onFindEnd} />
      </>
    );
  return <Filterable index={index} {...shown} />;
}

type WholeProps = Omit<JsonViewProps, 'text'> & { index: JsonIndex };

/** The whole text, or what a filter selects in it. Only a complete text can be filtered. */
function Filterable({ index, ...rest }: WholeProps) {
  /** Null without a filter. */
  const [path, setPath] = useState<string | null>(null);
  const canFilter = index.state === 'whole' && (index.members[0] ?? 0) > 0;
  if (!canFilter) return <TreeOrTable index={index} path={null} onFilter={null} {...rest} />;
  if (path === null) return <TreeOrTable index={index} path={null} onFilter={setPath} {...rest} />;
  return <Filtered index={index} path={path} onFilter={setPath} {...rest} />;
}

/** What the last valid filter selects, below the filter. */
function Filtered({ index, path, onFilter, ...rest }: WholeProps & { path: string; onFilter: SetFilter }) {
  const filtered = useJsonFilter(index, path);
  const found = filtered?.found?.index ?? null;
  return (
    <>
      <FilterBar path={path} onPath={onFilter} filtered={filtered} onClose={() => onFilter(null)} />
      {found !== null && found.members[0] === 0 ? (
        <p className={styles.about}>{jsonViewText.nothingMatches}</p>
      ) : (
        <TreeOrTable
          key={found === null ? 'whole' : 'found'}
          index={found ?? index}
          path={path}
          onFilter={onFilter}
          {...rest}
        />
      )}
    </>
  );
}

type SetFilter = (path: string | null) => void;

interface TreeOrTableProps extends WholeProps {
  /** The filter that selected `index`, or that is being typed. Null without one. */
  path: string | null;
  /** Starts a filter, or ends it with null. Null if nothing can be filtered. */
  onFilter: SetFilter | null;
}

/** The tree, with a choice of views: arrays of objects as tables, and the text unchanged. */
function TreeOrTable({ index, path, onFilter, endpointId, choiceAt, ...tree }: TreeOrTableProps) {
  const start = useCallback(() => tablesIn(index), [index]);
  const tables = useSteps(start)?.result ?? noTables;
  const isFound = index.origin !== undefined;
  // Objects that a filter selects are usually compared with each other, so they are first shown as a table.
  const [chosenView, setShown] = useState<Shown | null>(null);
  const shown = chosenView ?? (isFound && tables.includes(0) ? 'table' : 'tree');
  const [chosen, setChosen] = useState<number | null>(null);
  const [startAt, setStartAt] = useState<number | undefined>(undefined);
  const table = [chosen, isFound ? 0 : null].find((node) => node !== null && tables.includes(node)) ?? tables[0];
  const pathOf = (node: number): string => jsonPathOf(stepsTo(index, node));
  const choice = (
    <>
      <Segmented
        size="sm"
        label={jsonViewText.showAs}
        value={shown}
        options={[
          ...(table === undefined ? [] : [{ value: 'table' as const, label: jsonViewText.table }]),
          { value: 'tree', label: jsonViewText.tree },
          { value: 'raw', label: jsonViewText.raw },
        ]}
        onChange={setShown}
      />
      {onFilter !== null && (
        <IconButton
          label={jsonViewText.filter}
          size="sm"
          hasSmallGlyph
          icon={<Funnel />}
          isOn={path !== null}
          onClick={() => onFilter(path === null ? '' : null)}
        />
      )}
    </>
  );
  const inToolbar = (parts: ReactNode): ReactNode => choiceAt !== null && createPortal(parts, choiceAt);
  if (shown === 'raw')
    return (
      <>
        {inToolbar(choice)}
        <StillText text={index.text} isFinding={tree.isFinding} onFindEnd={tree.onFindEnd} />
      </>
    );
  if (shown === 'tree' || table === undefined)
    return (
      <>
        {inToolbar(choice)}
        <JsonTree index={index} startAt={startAt} {...tree} />
      </>
    );
  const isRoot = isFound && table === 0;
  return (
    <>
      {inToolbar(
        <>
          {choice}
          <Menu
            trigger={
              <Button variant="ghost" size="sm" icon={<Table2 />}>
                {isRoot ? jsonViewText.found : pathOf(table)}
              </Button>
            }
            items={tables.map((node) => ({
              kind: 'item',
              label: isFound && node === 0 ? jsonViewText.found : pathOf(node),
              note: jsonViewText.objects(index.members[node] ?? 0),
              isChosen: node === table,
              onSelect: () => setChosen(node),
            }))}
          />
        </>,
      )}
      <JsonTableView
        key={table}
        index={index}
        node={table}
        endpointId={endpointId}
        rowsPath={isRoot && path !== null ? path : `${pathOf(table)}[*]`}
        isFinding={tree.isFinding}
        onFindEnd={tree.onFindEnd}
        name={isRoot ? 'filtered' : String(stepsTo(index, table).at(-1) ?? 'table')}
        onFilter={onFilter}
        onShowInTree={(node) => {
          setStartAt(node);
          setShown('tree');
        }}
      />
    </>
  );
}

type Shown = 'tree' | 'table' | 'raw';

const noTables: readonly number[] = [];
