import { ChevronDown, ChevronRight, Copy, ExternalLink, FileText, Image as ImageIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { looksLikeImage } from '../../src-preload/base64-images.ts';
import { classes } from '../design/class-names.ts';
import { formatBytes } from '../../src-preload/format.ts';
import { treeRowText, vectorText } from '../messages/json/values.ts';
import { deepestIndent } from '../../src-preload/format-json.ts';
import { addressOf } from './json-address.ts';
import { copyValue } from './json-copies.tsx';
import { countBefore } from './json-find.ts';
import { keyToken, kindOf, type JsonIndex } from './json-index.ts';
import { contentsOf } from './json-summaries.ts';
import type { TreeRow } from './tree-rows.ts';
import { isVector, vectorFacts } from './vector.ts';
import { hitsBetween, type FindInJson } from './json-search-bar.tsx';
import styles from './json-tree.module.css';

/** A string larger than this is folded into a chip (docs/design.md: Do). */
const foldStringChars = 2_048;

/** For a longer value, only the part around its hit is shown. */
const shownChars = 400;
const beforeHitChars = 24;

export interface RowContentProps {
  index: JsonIndex;
  row: TreeRow;
  isExpanded: boolean;
  finding: FindInJson;
  /** Opens a long string in a dialog. */
  onOpen: (node: number) => void;
  /** Asks before an address is opened. */
  onLink: (url: string) => void;
}

/** The content of a tree row, after its indentation. */
export function RowContent({ index, row, isExpanded, finding, onOpen, onLink }: RowContentProps) {
  const indent = <Indent depth={row.depth} />;
  if (row.kind === 'group') {
    const first = -row.id - 1;
    return (
      <>
        {indent}
        <Chevron isExpanded={isExpanded} />
        <span className={styles.place}>{treeRowText.items(row.from, row.to - 1)}</span>
        {!isExpanded && (
          <HitCount finding={finding} from={index.start[first] ?? 0} to={endOfGroup(index, row, first)} />
        )}
      </>
    );
  }
  const { node } = row;
  const members = index.members[node] ?? 0;
  const kind = kindOf(index, node);
  const isHolder = kind === 'object' || kind === 'array';
  return (
    <>
      {indent}
      {members > 0 ? <Chevron isExpanded={isExpanded} /> : <span className={styles.noChevron} />}
      <Name index={index} row={row} finding={finding} isHolder={isHolder} />
      {isHolder ? (
        <>
          <span className={styles.contents}>{contentsOf(index, node)}</span>
          {isVector(index, node) && <Vector index={index} node={node} />}
          {!isExpanded && members > 0 && (
            <HitCount finding={finding} from={index.valueStart[node] ?? 0} to={index.end[node] ?? 0} />
          )}
          <span className={styles.size}>{formatBytes((index.end[node] ?? 0) - (index.valueStart[node] ?? 0))}</span>
        </>
      ) : (
        <Scalar index={index} node={node} finding={finding} onOpen={onOpen} onLink={onLink} />
      )}
    </>
  );
}

function Indent({ depth }: { depth: number }) {
  const shown = Math.min(depth, deepestIndent);
  return Array.from({ length: shown }, (_, at) => <span key={at} className={styles.guide} />);
}

function Chevron({ isExpanded }: { isExpanded: boolean }) {
  return (
    <span className={styles.chevron} data-chevron="" aria-hidden="true">
      {isExpanded ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
    </span>
  );
}

function Name({
  index,
  row,
  finding,
  isHolder,
}: {
  index: JsonIndex;
  row: Extract<TreeRow, { kind: 'value' }>;
  finding: FindInJson;
  isHolder: boolean;
}) {
  const key = keyToken(index, row.node);
  if (key === null)
    return <span className={styles.place}>{(index.parent[row.node] ?? -1) === -1 ? '$' : `[${row.position}]`}</span>;
  const start = (index.start[row.node] ?? 0) + 1;
  return (
    <>
      <span className={styles.key}>
        <Marked index={index} from={start} to={start + key.length - 2} finding={finding} />
      </span>
      {!isHolder && <span className={styles.punct}>{':\u00a0'}</span>}
    </>
  );
}

function Scalar({
  index,
  node,
  finding,
  onOpen,
  onLink,
}: {
  index: JsonIndex;
  node: number;
} & Pick<RowContentProps, 'finding' | 'onOpen' | 'onLink'>) {
  const from = index.valueStart[node] ?? 0;
  const to = index.end[node] ?? 0;
  const kind = kindOf(index, node);
  if (kind !== 'string')
    return (
      <span className={styles.literal}>
        <Marked index={index} from={from} to={to} finding={finding} />
      </span>
    );
  const size = to - from - 2;
  const isImage =
    size > foldStringChars && looksLikeImage(index.text.slice(from + 1, from + 32).replaceAll('\\/', '/'));
  const hits = hitsBetween(finding.search, from, to);
  const address = addressOf(index, node);
  return (
    <>
      {size > foldStringChars && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.chip}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(node);
          }}
        >
          {isImage ? <ImageIcon size={12} aria-hidden="true" /> : <FileText size={12} aria-hidden="true" />}
          {isImage ? treeRowText.foldedImage((size * 3) / 4) : treeRowText.foldedText(size)}
        </button>
      )}
      {!isImage && (
        <span className={styles.string}>
          <Marked index={index} from={from} to={to} finding={finding} />
        </span>
      )}
      {address !== null && (
        <button
          type="button"
          tabIndex={-1}
          className={classes(styles.chip, styles.behind)}
          onClick={(event) => {
            event.stopPropagation();
            onLink(address);
          }}
        >
          <ExternalLink size={12} aria-hidden="true" />
          {treeRowText.open}
        </button>
      )}
      {size > foldStringChars && hits > 1 && <span className={styles.contents}>{treeRowText.hits(hits)}</span>}
    </>
  );
}

/** Figures of a long array of numbers, which is copied as a whole. */
function Vector({ index, node }: { index: JsonIndex; node: number }) {
  const facts = vectorFacts(index, node);
  return (
    <>
      {facts !== null && <span className={styles.contents}>{vectorText(facts)}</span>}
      <button
        type="button"
        tabIndex={-1}
        className={classes(styles.chip, styles.behind)}
        onClick={(event) => {
          event.stopPropagation();
          copyValue(index, node);
        }}
      >
        <Copy size={12} aria-hidden="true" />
        {treeRowText.copy}
      </button>
    </>
  );
}

/** A part of the text with its hits highlighted. For a long text, only the part around the current hit. */
export function Marked({
  index,
  from,
  to,
  finding,
}: {
  index: JsonIndex;
  from: number;
  to: number;
  finding: FindInJson;
}) {
  const { matches, lengths } = finding.search;
  const now = finding.at === -1 ? -1 : (matches[finding.at] ?? -1);
  const first = countBefore(matches, from);
  const isNowInside = now >= from && now < to;
  const wantedPlace = isNowInside ? now : (matches[first] ?? to) < to ? (matches[first] ?? from) : from;
  const begin =
    to - from > shownChars && wantedPlace - from > 80
      ? wantedPlace - beforeHitChars
      : isNowInside && now - from > 40
        ? now - beforeHitChars
        : from;
  const end = Math.min(to, begin + shownChars);
  const parts: ReactNode[] = begin > from ? ['…'] : [];
  let at = begin;
  for (let hit = countBefore(matches, begin); (matches[hit] ?? end) < end; hit += 1) {
    const place = matches[hit] ?? 0;
    const behind = Math.min(end, place + (lengths[hit] ?? 0));
    if (place > at) parts.push(index.text.slice(at, place));
    parts.push(
      <mark key={hit} aria-current={hit === finding.at || undefined}>
        {index.text.slice(Math.max(at, place), behind)}
      </mark>,
    );
    at = behind;
  }
  if (at < end) parts.push(index.text.slice(at, end));
  if (end < to) parts.push('…');
  return parts;
}

function HitCount({ finding, from, to }: { finding: FindInJson; from: number; to: number }) {
  const hits = hitsBetween(finding.search, from, to);
  return hits === 0 ? null : <span className={styles.hits}>{treeRowText.hits(hits)}</span>;
}

function endOfGroup(index: JsonIndex, row: Extract<TreeRow, { kind: 'group' }>, first: number): number {
  let node = first;
  for (let position = row.from; position < row.to - 1; position += 1) node = index.next[node] ?? node;
  return index.end[node] ?? 0;
}
