import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, FileText, Image as ImageIcon } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { classes } from '../design/class-names.ts';
import { formatBytes, formatCount, formatCountOf } from '../design/format.ts';
import { PlainText } from '../stream/plain-text.tsx';
import { wholeText } from '../stream/text-source.ts';
import { decodeString, deepestIndent, foldStringChars, jsonLines, visibleLines } from '../stream/json-lines.ts';
import type { JsonLine, JsonLines } from '../stream/json-lines.ts';
import { useSteps, type Steps } from '../stream/use-steps.ts';
import styles from './json-view.module.css';

const linePx = 19;

/**
 * JSON to read: highlighted, foldable, long strings as chips, virtualised. Text that is no JSON is shown as it is.
 * It may grow at its end and keeps its folds and its place; give another text another `key`.
 */
export function JsonView({ text, isWrapping = true, label }: { text: string; isWrapping?: boolean; label: string }) {
  const startReading = useCallback(() => readLines(text), [text]);
  // What was read stays until what it became is read as well.
  const read = useSteps(startReading)?.result ?? null;
  if (read === null) return null;
  if (read.end === 'not-json') return <StillText text={read.text} />;
  if (read.end === 'too-many') {
    return (
      <>
        <p className={styles.about}>More than {formatCount(read.lines.length)} lines: shown as the text it is.</p>
        <StillText text={read.text} />
      </>
    );
  }
  const isDeep = read.deepest > deepestIndent;
  return (
    <>
      {isDeep && (
        <p className={styles.about}>
          This nests {formatCount(read.deepest)} levels deep. Lines beyond level {deepestIndent} are not moved in any
          further.
        </p>
      )}
      <JsonLinesView
        text={read.text}
        lines={read.lines}
        isCut={read.end === 'cut'}
        isWrapping={isWrapping}
        label={label}
      />
    </>
  );
}

/** The lines of a text, with the text they are places in. */
function* readLines(text: string): Steps<JsonLines & { text: string }> {
  return { ...(yield* jsonLines(text)), text };
}

interface JsonLinesViewProps {
  text: string;
  lines: readonly JsonLine[];
  isCut: boolean;
  isWrapping: boolean;
  label: string;
}

function JsonLinesView({ text, lines, isCut, isWrapping, label }: JsonLinesViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<{ name: string; text: string } | null>(null);
  const shown = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => linePx,
    overscan: 20,
    getItemKey: (index) => shown[index] ?? index,
  });
  const toggle = (index: number): void =>
    setFolded((before) =>
      before.has(index) ? new Set([...before].filter((each) => each !== index)) : new Set([...before, index]),
    );
  const gridTemplateColumns = `calc(${Math.max(2, String(lines.length).length)}ch + 20px) 16px minmax(0, 1fr)`;

  return (
    <div
      ref={scroller}
      className={classes(styles.scroller, isWrapping && styles.wrapping)}
      tabIndex={0}
      role="document"
      aria-label={label}
    >
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const index = shown[item.index] ?? 0;
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={styles.line}
              style={{ transform: `translateY(${item.start}px)`, gridTemplateColumns }}
            >
              <span className={styles.number}>{index + 1}</span>
              <span className={styles.fold}>
                {line.kind === 'open' && (
                  <button
                    type="button"
                    aria-label={folded.has(index) ? 'Unfold' : 'Fold'}
                    aria-expanded={!folded.has(index)}
                    onClick={() => toggle(index)}
                  >
                    {folded.has(index) ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
                  </button>
                )}
              </span>
              <span
                className={styles.code}
                style={{ paddingLeft: `calc(${Math.min(line.depth, deepestIndent)} * 2ch)` }}
              >
                <Line
                  text={text}
                  line={line}
                  isFolded={folded.has(index)}
                  closer={lines[line.match]}
                  onUnfold={() => toggle(index)}
                  onOpen={setOpened}
                />
              </span>
            </div>
          );
        })}
      </div>
      {isCut && <p className={styles.cut}>The rest is not loaded.</p>}
      <Dialog
        title={opened?.name ?? ''}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        width={760}
        actions={
          <>
            <CopyButton label="Copy value" size="md" text={() => opened?.text ?? ''} />
            <Button onClick={() => setOpened(null)}>Close</Button>
          </>
        }
      >
        {opened !== null && (
          <div className={styles.long}>
            <StillText text={opened.text} />
          </div>
        )}
      </Dialog>
    </div>
  );
}

/** Text that is all there, as virtualised plain rows. */
function StillText({ text }: { text: string }) {
  const source = useMemo(() => wholeText(text), [text]);
  return <PlainText source={source} version={0} isFollowing={false} onFollowChange={() => {}} />;
}

interface LineProps {
  text: string;
  line: JsonLine;
  isFolded: boolean;
  closer: JsonLine | undefined;
  onUnfold: () => void;
  onOpen: (opened: { name: string; text: string }) => void;
}

function Line({ text, line, isFolded, closer, onUnfold, onOpen }: LineProps) {
  const comma = (isFolded ? closer?.hasComma : line.hasComma) === true ? <span className={styles.punct}>,</span> : null;
  const key = line.keyStart === -1 ? null : text.slice(line.keyStart, line.keyEnd);
  return (
    <>
      {key !== null && (
        <>
          <span className={styles.key}>{key}</span>
          <span className={styles.punct}>: </span>
        </>
      )}
      <Value
        text={text}
        line={line}
        name={key === null ? 'value' : decodeString(key)}
        isFolded={isFolded}
        closer={closer}
        onUnfold={onUnfold}
        onOpen={onOpen}
      />
      {comma}
    </>
  );
}

interface ValueProps {
  text: string;
  line: JsonLine;
  name: string;
  isFolded: boolean;
  closer: JsonLine | undefined;
  onUnfold: () => void;
  onOpen: (opened: { name: string; text: string }) => void;
}

function Value({ text, line, name, isFolded, closer, onUnfold, onOpen }: ValueProps) {
  const token = (): string => text.slice(line.start, line.end);
  switch (line.kind) {
    case 'string': {
      const size = line.end - line.start - 2;
      if (size <= foldStringChars) return <span className={styles.string}>{token()}</span>;
      const isImage = /^"(?:data:image\/|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/.test(
        text.slice(line.start, line.start + 24),
      );
      return (
        <button type="button" className={styles.chip} onClick={() => onOpen({ name, text: decodeString(token()) })}>
          {isImage ? <ImageIcon size={12} aria-hidden="true" /> : <FileText size={12} aria-hidden="true" />}
          {isImage ? 'image' : 'text'}, {formatBytes(isImage ? (size * 3) / 4 : size)}
        </button>
      );
    }
    case 'number':
      return <span className={styles.literal}>{token()}</span>;
    case 'word':
      return <span className={styles.literal}>{token()}</span>;
    case 'open':
      if (!isFolded) return <span className={styles.punct}>{token()}</span>;
      return (
        <>
          <span className={styles.punct}>{token()}</span>
          <button type="button" className={styles.chip} onClick={onUnfold}>
            {formatCountOf(line.members, token() === '{' ? 'key' : 'item')}
          </button>
          {closer !== undefined && <span className={styles.punct}>{text.slice(closer.start, closer.end)}</span>}
        </>
      );
    case 'close':
    case 'empty':
      return <span className={styles.punct}>{token()}</span>;
  }
}
