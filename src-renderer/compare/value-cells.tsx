import { useCallback, useMemo } from 'react';
import { classes } from '../design/class-names.ts';
import { formatBytes, formatCountOf } from '../design/format.ts';
import type { FoundImage } from '../job/find-images.ts';
import { decodeString } from '../stream/json-lines.ts';
import { useSteps } from '../stream/use-steps.ts';
import type { DiffRow, PlacedValue } from './json-diff.ts';
import { diffTexts, type TextPart } from './text-cell.ts';
import styles from './compare.module.css';

/** From here on a string is read as a text, and compared by words or lines. */
const textFromChars = 60;
/** Longer strings without a space in their beginning are data, not text. */
const dataFromChars = 2_000;

/** Whether the strings of a row are texts to be read. */
function isTextRow({ values }: Pick<DiffRow, 'values'>): boolean {
  return values.some(
    (value) => value?.kind === 'string' && (value.text.length > textFromChars || value.text.includes('\\n')),
  );
}

/** The values of a row, each in its cell; those behind the first are compared with it. */
export function ValueCells({ row }: { row: DiffRow }) {
  const isText = isTextRow(row);
  const first = row.values[0] ?? null;
  return row.values.map((value, side) => (
    <div key={side} className={styles.cell}>
      {value === null ? (
        <span className={styles.missing}>not set</span>
      ) : isText && value.kind === 'string' && !isData(value) ? (
        <TextCell
          value={value}
          other={side === 0 ? (row.values.length === 2 ? (row.values[1] ?? null) : null) : first}
          isFirst={side === 0}
          isEqual={row.isEqual}
        />
      ) : (
        <span
          className={classes(
            styles.value,
            !row.isEqual && (side === 0 ? styles.before : value.text !== first?.text && styles.after),
          )}
        >
          {shortValue(value)}
        </span>
      )}
    </div>
  ));
}

function isData({ text }: PlacedValue): boolean {
  return text.length > dataFromChars && !/\s|\\n/.test(text.slice(0, 400));
}

function shortValue(value: PlacedValue): string {
  switch (value.kind) {
    case 'object':
      return `object, ${formatCountOf(value.members, 'key')}`;
    case 'array':
      return `array, ${formatCountOf(value.members, 'item')}`;
    case 'string':
      return isData(value) ? `data, ${formatBytes(value.text.length)}: ${value.text.slice(1, 25)}…` : value.text;
    case 'number':
    case 'word':
      return value.text;
  }
}

interface TextCellProps {
  value: PlacedValue;
  /** What it is compared with; null where it is only shown. */
  other: PlacedValue | null;
  isFirst: boolean;
  isEqual: boolean;
}

function TextCell({ value, other, isFirst, isEqual }: TextCellProps) {
  const own = useMemo(() => decodeString(value.text), [value.text]);
  const others = other?.kind === 'string' && !isEqual ? other.text : null;
  const start = useCallback(() => {
    const text = others === null ? own : decodeString(others);
    return isFirst ? diffTexts(own, text) : diffTexts(text, own);
  }, [own, others, isFirst]);
  const result = useSteps(start)?.result ?? null;
  if (result === null) return <span className={styles.missing}>Comparing</span>;
  return (
    <div className={styles.text} dir="auto" tabIndex={0} role="group" aria-label="Text">
      {result.parts.map((part, at) => (
        <Part key={at} part={part} isFirst={isFirst} />
      ))}
      {result.isCut && <p className={styles.more}>Only the beginning is shown; open the job to read all of it.</p>}
    </div>
  );
}

/** What the other side alone has is not drawn here. */
function Part({ part, isFirst }: { part: TextPart; isFirst: boolean }) {
  switch (part.kind) {
    case 'same':
      return <span>{part.text}</span>;
    case 'left-out':
      return <span className={styles.leftOut}>{formatCountOf(part.lines, 'equal line')}</span>;
    case 'removed':
      return isFirst ? <del className={styles.removed}>{part.text}</del> : null;
    case 'added':
      return isFirst ? null : <ins className={styles.added}>{part.text}</ins>;
  }
}

/** The images of a row, each as its bytes say. */
export function ImageCells({
  images,
  urls,
}: {
  images: readonly (FoundImage | null)[];
  urls: readonly (string | null)[];
}) {
  return images.map((image, side) => (
    <div key={side} className={styles.cell}>
      {image === null ? (
        <span className={styles.missing}>not there</span>
      ) : (
        <figure className={styles.image}>
          {urls[side] != null && <img src={urls[side]} alt={image.filename ?? image.path} draggable={false} />}
          <figcaption>
            {image.width !== null && image.height !== null && <span>{`${image.width} × ${image.height}`}</span>}
            <span>{`${image.format.toUpperCase()}, ${formatBytes(image.bytes)}`}</span>
          </figcaption>
        </figure>
      )}
    </div>
  ));
}
