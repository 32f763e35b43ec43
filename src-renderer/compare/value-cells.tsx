import { classes } from '../design/class-names.ts';
import { valueText } from '../messages/compare/differences.ts';
import type { DiffRow, PlacedValue } from './json-diff.ts';
import { isData, type RowTexts } from './row-texts.ts';
import type { TextDiff, TextPart } from './text-cell.ts';
import styles from './compare.module.css';

interface ValueCellsProps {
  row: DiffRow;
  /** Null if the row has no texts. */
  texts: RowTexts | null;
  /** Both sides in one cell, with what was removed and what was added. */
  isInline: boolean;
}

/** The values of a row, each in its cell. All are compared with the first. */
export function ValueCells({ row, texts, isInline }: ValueCellsProps) {
  const both = texts?.[1] ?? null;
  if (isInline && both !== null && texts?.[0] != null)
    return (
      <div className={classes(styles.cell, styles.wide)}>
        <TextCell diff={both} shown="both" />
      </div>
    );
  const cells = row.values.map((value, side) => {
    const text = texts?.[side] ?? null;
    return text === null ? (
      <ShortCell key={side} value={value} side={side} row={row} />
    ) : (
      <TextCell
        key={side}
        diff={text}
        shown={side === 0 ? 'first' : 'other'}
        tint={hasCounterpart(row, side) ? undefined : side === 0 ? styles.before : styles.after}
      />
    );
  });
  if (isInline) return <div className={classes(styles.cell, styles.wide)}>{row.isEqual ? cells[0] : cells}</div>;
  return cells.map((cell, side) => (
    <div key={side} className={classes(styles.cell, styles.level)}>
      {cell}
    </div>
  ));
}

/** Whether a text is compared with another one, or is equal to all. */
function hasCounterpart({ values, isEqual }: DiffRow, side: number): boolean {
  if (isEqual) return true;
  return side === 0 ? values.slice(1).some((value) => value !== null) : values[0] !== null;
}

function ShortCell({ value, side, row }: { value: PlacedValue | null; side: number; row: DiffRow }) {
  if (value === null) return <span className={styles.missing}>{valueText.notSet}</span>;
  const isOther = value.text !== row.values[0]?.text;
  return (
    <span className={classes(styles.value, !row.isEqual && (side === 0 ? styles.before : isOther && styles.after))}>
      {shortValue(value)}
    </span>
  );
}

/** A value on one line. */
export function shortValue(value: PlacedValue): string {
  switch (value.kind) {
    case 'object':
      return valueText.object(value.members);
    case 'array':
      return valueText.array(value.members);
    case 'string':
      return isData(value) ? valueText.data(value.text.length, value.text.slice(1, 25)) : value.text;
    case 'number':
    case 'word':
      return value.text;
  }
}

/** Which side of a comparison a text shows. */
type Shown = 'first' | 'other' | 'both';

function TextCell({ diff, shown, tint }: { diff: TextDiff; shown: Shown; tint?: string | undefined }) {
  return (
    <div className={classes(styles.text, tint)} dir="auto" tabIndex={0} role="group" aria-label={valueText.text}>
      {diff.parts.map((part, at) => (
        <Part key={at} part={part} shown={shown} />
      ))}
      {diff.isCut && <p className={styles.more}>{valueText.isCut}</p>}
    </div>
  );
}

/** A changed part without the spaces around it, which would be marked beyond the words. */
function Changed({
  part: { text },
  as: Tag,
  className,
}: {
  part: TextPart & { text: string };
  as: 'del' | 'ins';
  className: string | undefined;
}) {
  const from = text.length - text.trimStart().length;
  // Only the space has changed.
  if (from === text.length) return <Tag className={className}>{text}</Tag>;
  const to = text.trimEnd().length;
  return (
    <>
      {text.slice(0, from)}
      <Tag className={className}>{text.slice(from, to)}</Tag>
      {text.slice(to)}
    </>
  );
}

/** Parts that only the other side has are not drawn here. */
function Part({ part, shown }: { part: TextPart; shown: Shown }) {
  switch (part.kind) {
    case 'same':
      return <span>{part.text}</span>;
    case 'left-out':
      return <span className={styles.leftOut}>{valueText.equalLines(part.lines)}</span>;
    case 'removed':
      return shown === 'other' ? null : <Changed as="del" part={part} className={styles.removed} />;
    case 'added':
      return shown === 'first' ? null : <Changed as="ins" part={part} className={styles.added} />;
  }
}
