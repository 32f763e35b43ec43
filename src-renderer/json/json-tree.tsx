import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ContextMenu } from '../design/menu/menu.tsx';
import { hasCommandKey } from '../design/keyboard/platform.ts';
import { commonText } from '../messages/common.ts';
import { jsonCopyText, jsonViewText } from '../messages/json/view.ts';
import { decodeString } from '../../src-preload/json-spans.ts';
import { StillText } from '../stream/still-text.tsx';
import { copyEntries, linkEntries, copyPath, copyValue, plainValue } from './json-copies.tsx';
import { askAboutLink, addressOf } from './json-address.ts';
import { keyToken, type JsonIndex } from './json-index.ts';
import { JsonSearchBar, useFindKeys, useJsonFind } from './json-search-bar.tsx';
import { HitMarks } from './hit-marks.tsx';
import { RowContent, type RowContentProps } from './json-row.tsx';
import { PathBar } from './path-bar.tsx';
import { moveInTree } from './tree-keys.ts';
import { firstExpanded, groupSizeOf, idsAround, treeRows, type TreeRow } from './tree-rows.ts';
import styles from './json-tree.module.css';

const rowPx = 24;

export interface JsonTreeProps {
  index: JsonIndex;
  label: string;
  isFinding: boolean;
  onFindEnd: () => void;
  /** The value to show first, with its path expanded. */
  startAt?: number | undefined;
}

/** Values as a tree, of which only the rows in view are drawn. It can be expanded, searched and copied from. */
export function JsonTree({ index, label, isFinding, onFindEnd, startAt }: JsonTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const treeId = useId();
  const { rows, expanded, selected, scrollTarget, reached, select, show, toggle } = useExpansion(index, startAt);
  const [opened, setOpened] = useState<number | null>(null);
  const virtualizer = useRowWindow(rows, scroller, scrollTarget, reached);

  const selectedNode = selected < 0 ? (index.parent[-selected - 1] ?? 0) : Math.min(selected, index.count - 1);
  const finding = useJsonFind(index, () => index.start[selectedNode] ?? 0, show);
  useFindKeys(isFinding, finding.next, finding.previous, () => copyPath(index, selectedNode));

  const onKeyDown = (event: KeyboardEvent): void => {
    if (hasCommandKey(event) && event.key.toLowerCase() === 'c' && !event.shiftKey && String(getSelection()) === '') {
      event.preventDefault();
      copyValue(index, selectedNode);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const address = event.key === 'Enter' && selected >= 0 ? addressOf(index, selectedNode) : null;
    if (address !== null) {
      event.preventDefault();
      askAboutLink(address);
      return;
    }
    const move = moveInTree(event.key, {
      rows,
      selected,
      expanded,
      page: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1),
      isHolder: (row) => isHolder(index, row),
    });
    if (move === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (move.toggle !== undefined) toggle(move.toggle);
    if (move.select !== undefined) select(move.select);
  };

  const copies = copyEntries(index, selectedNode);
  const links = linkEntries(index, selectedNode, askAboutLink);
  const items = virtualizer.getVirtualItems();
  const isSelectedDrawn = items.some((item) => rows[item.index]?.id === selected);
  const tree = (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isSelectedDrawn ? `${treeId}${selected}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <Row
              key={item.key}
              id={`${treeId}${row.id}`}
              topPx={item.start}
              isSelected={row.id === selected}
              onSelect={() => select(row.id)}
              onToggle={() => toggle(row.id)}
              {...{ index, row, finding }}
              isExpanded={expanded.has(row.id)}
              onOpen={setOpened}
              onLink={askAboutLink}
            />
          );
        })}
      </div>
    </div>
  );
  return (
    <>
      {isFinding && <JsonSearchBar finding={finding} onClose={onFindEnd} returnTo={scroller} />}
      <div className={styles.hold}>
        <ContextMenu items={links.length === 0 ? copies : [...copies, { kind: 'separator' }, ...links]}>
          {tree}
        </ContextMenu>
        <HitMarks index={index} rows={rows} finding={finding} heightPx={virtualizer.getTotalSize()} />
      </div>
      <PathBar index={index} node={selectedNode} onSelect={show} />
      <LongText index={index} node={opened} onClose={() => setOpened(null)} />
    </>
  );
}

interface RowProps extends RowContentProps {
  id: string;
  topPx: number;
  isSelected: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

function Row({ id, topPx, isSelected, onSelect, onToggle, ...content }: RowProps) {
  const { index, row, isExpanded } = content;
  const canExpand = isHolder(index, row);
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={row.position + 1}
      aria-setsize={setSize(index, row)}
      aria-selected={isSelected}
      aria-expanded={canExpand ? isExpanded : undefined}
      className={classes(styles.row, isSelected && styles.current)}
      style={{ transform: `translateY(${topPx}px)` }}
      onClick={(event) => {
        onSelect();
        const isOnChevron = event.target instanceof Element && event.target.closest('[data-chevron]') !== null;
        if (canExpand && (isOnChevron || event.detail === 2)) onToggle();
      }}
      onContextMenu={onSelect}
    >
      <RowContent {...content} />
    </div>
  );
}

/** A long string in a dialog. */
function LongText({ index, node, onClose }: { index: JsonIndex; node: number | null; onClose: () => void }) {
  const text = useMemo(() => (node === null ? '' : plainValue(index, node)), [index, node]);
  const key = node === null ? null : keyToken(index, node);
  return (
    <Dialog
      title={key === null ? jsonViewText.value : decodeString(key)}
      isOpen={node !== null}
      onClose={onClose}
      width={760}
      actions={
        <>
          <CopyButton label={jsonCopyText.copyValue} size="md" text={() => text} />
          <Button onClick={onClose}>{commonText.close}</Button>
        </>
      }
    >
      {node !== null && (
        <div className={styles.long}>
          <StillText text={text} />
        </div>
      )}
    </Dialog>
  );
}

/** The rows in view, and scrolling to a row. */
function useRowWindow(
  rows: readonly TreeRow[],
  scroller: RefObject<HTMLDivElement | null>,
  scrollTarget: { id: number } | null,
  reached: () => void,
) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey: (at) => rows[at]?.id ?? at,
  });
  useLayoutEffect(() => {
    if (scrollTarget === null) return;
    const at = rows.findIndex((row) => row.id === scrollTarget.id);
    if (at !== -1) virtualizer.scrollToIndex(at, { align: isInView(scroller.current, at) ? 'auto' : 'center' });
    reached();
  }, [scroller, scrollTarget, rows, virtualizer, reached]);
  return virtualizer;
}

/** What is expanded and selected. Until the user expands or collapses something, it depends on the text. */
function useExpansion(index: JsonIndex, startAt: number | undefined) {
  const first = useMemo(
    () => new Set([...firstExpanded(index), ...(startAt === undefined ? [] : idsAround(index, startAt))]),
    [index, startAt],
  );
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null);
  const expanded = chosen ?? first;
  const rows = useMemo(() => treeRows(index, expanded), [index, expanded]);
  const [selected, setSelected] = useState(startAt ?? 0);
  /** A row to scroll to when it exists. */
  const [scrollTarget, setScrollTarget] = useState<{ id: number } | null>(
    startAt === undefined ? null : { id: startAt },
  );
  const reached = useCallback(() => setScrollTarget(null), []);
  const select = (id: number): void => {
    setSelected(id);
    setScrollTarget({ id });
  };
  return {
    rows,
    expanded,
    selected,
    scrollTarget,
    reached,
    select,
    show: (node: number): void => {
      setChosen(new Set([...expanded, ...idsAround(index, node)]));
      select(node);
    },
    toggle: (id: number): void => {
      const next = new Set(expanded);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
    },
  };
}

function isHolder(index: JsonIndex, row: TreeRow): boolean {
  return row.kind === 'group' || (index.members[row.node] ?? 0) > 0;
}

/** How many siblings a row has, including itself. */
function setSize(index: JsonIndex, row: TreeRow): number {
  if (row.kind === 'value') return index.members[index.parent[row.node] ?? -1] ?? 1;
  const members = index.members[row.holder] ?? 0;
  return Math.ceil(members / groupSizeOf(members));
}

function isInView(element: HTMLElement | null, at: number): boolean {
  if (element === null) return false;
  const top = at * rowPx;
  return top >= element.scrollTop - rowPx && top <= element.scrollTop + element.clientHeight;
}
