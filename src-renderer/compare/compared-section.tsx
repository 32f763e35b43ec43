import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { useImageUrls } from '../job/media/use-image-urls.ts';
import { useSteps } from '../stream/use-steps.ts';
import {
  changeText,
  differencesSummary,
  differencesText,
  imageText,
  partNames,
} from '../messages/compare/differences.ts';
import { Change } from './change.tsx';
import { compareTexts, type Compared, type ComparedPart } from './compared.ts';
import { ImageCells, ImageOverlay } from './image-cells.tsx';
import { maxRows, type DiffRow } from './json-diff.ts';
import { changesText, compareRowTexts } from './row-texts.ts';
import { letters } from './sides.ts';
import { ValueCells } from './value-cells.tsx';
import styles from './compare.module.css';

/**
 * Compares inputs or outputs in steps of a few milliseconds per frame. Null until that is done. A null text is a side
 * without one.
 */
export function useCompared(texts: readonly (string | null)[], areText: boolean): Compared | null {
  const [known, setKnown] = useState(texts);
  // A new array with the same texts is no reason to compare again.
  if (known.length !== texts.length || known.some((text, at) => text !== texts[at])) setKnown(texts);
  const start = useCallback(() => compareTexts(known, areText), [known, areText]);
  const done = useSteps(start);
  return done?.start === start ? done.result : null;
}

interface ComparedSectionProps {
  part: ComparedPart;
  compared: Compared | null;
  texts: readonly (string | null)[];
  isEverything: boolean;
  isInline: boolean;
}

/** The inputs or outputs side by side: the differences and, on request, the rest. */
export function ComparedSection({ part, compared, texts, isEverything, isInline }: ComparedSectionProps) {
  const title = partNames[part];
  return (
    <section className={styles.section} aria-label={title} aria-busy={compared === null}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <span>{compared === null ? differencesText.comparing : summaryOf(compared, texts, part)}</span>
      </div>
      {compared !== null && (
        <Rows compared={compared} isEverything={isEverything} isInline={isInline} sides={texts.length} />
      )}
    </section>
  );
}

/** `3 of 14 values differ`, and which sides have nothing to compare. */
export function summaryOf(compared: Compared, texts: readonly (string | null)[], part: ComparedPart): string {
  const without = texts.flatMap((text, side) => (text === null ? (letters[side] ?? []) : []));
  return differencesSummary(compared, without, part);
}

interface RowsProps {
  compared: Compared;
  isEverything: boolean;
  isInline: boolean;
  sides: number;
}

function Rows({ compared, isEverything, isInline, sides }: RowsProps) {
  const [areEqualShown, setEqualShown] = useState(false);
  const { rows, images, equal, differing } = compared;
  const flat = useMemo(() => [...images.values()].flat().filter((image) => image !== null), [images]);
  const urls = useImageUrls(flat);
  const urlOf = (path: string): (string | null)[] =>
    (images.get(path) ?? []).map((image) => (image === null ? null : (urls[flat.indexOf(image)] ?? null)));
  const showsEqual = isEverything || areEqualShown;
  const shown = rows.filter((row) => showsEqual || !row.isEqual || images.has(row.path));
  return (
    <>
      {shown.map((row) => (
        <Row
          key={row.path}
          row={row}
          compared={compared}
          urls={urlOf(row.path)}
          isInline={isInline && sides === 2}
          sides={sides}
        />
      ))}
      {differing > maxRows && <p className={styles.more}>{differencesText.shownOf(maxRows, differing)}</p>}
      {!isEverything && equal > 0 && differing > 0 && (
        <div className={styles.row}>
          <Button
            size="sm"
            variant="ghost"
            icon={areEqualShown ? <ChevronDown /> : <ChevronRight />}
            className={styles.equalValues}
            onClick={() => setEqualShown(!areEqualShown)}
            aria-expanded={areEqualShown}
          >
            <span>{areEqualShown ? differencesText.hideEqual : equalText(equal, rows)}</span>
          </Button>
        </div>
      )}
    </>
  );
}

interface RowProps {
  row: DiffRow;
  compared: Compared;
  urls: readonly (string | null)[];
  isInline: boolean;
  sides: number;
}

function Row({ row, compared, urls, isInline, sides }: RowProps) {
  const [isOverlaid, setOverlaid] = useState(false);
  const start = useCallback(() => compareRowTexts(row), [row]);
  const texts = useSteps(start)?.result ?? null;
  const found = compared.images.get(row.path);
  const canOverlay = sides === 2 && found !== undefined && found.every((image) => image !== null);
  return (
    <div
      className={classes(styles.row, row.isEqual && styles.equal)}
      data-difference={row.isEqual ? undefined : ''}
      tabIndex={row.isEqual ? undefined : -1}
      role="group"
      aria-label={differencesText.row(row.path, row.isEqual)}
    >
      <span className={styles.path} title={row.path}>
        {row.path}
      </span>
      {found === undefined ? (
        <ValueCells row={row} texts={texts} isInline={isInline} />
      ) : canOverlay && isOverlaid ? (
        <ImageOverlay urls={urls} />
      ) : (
        <ImageCells images={found} urls={urls} />
      )}
      {canOverlay ? (
        <span className={classes(styles.change, styles.hasButton)}>
          <Button size="sm" variant="ghost" aria-pressed={isOverlaid} onClick={() => setOverlaid(!isOverlaid)}>
            {imageText.overlay}
          </Button>
        </span>
      ) : (
        <Change text={sides === 2 && !row.isEqual ? changeOf(row) || changesText(texts) : ''} />
      )}
    </div>
  );
}

/** How the second value differs from the first. */
export function changeOf({ values: [one, other], isReordered }: DiffRow): string {
  if (isReordered) return changeText.reordered;
  if (one == null) return changeText.added;
  if (other == null) return changeText.removed;
  if (one.kind !== 'number' || other.kind !== 'number') return '';
  const change = Number(other.text) - Number(one.text);
  return !Number.isFinite(change) || change === 0 ? '' : changeText.number(change);
}

/** How many values are equal, with the first names. */
function equalText(equal: number, rows: readonly DiffRow[]): string {
  const names = rows.filter(({ isEqual }) => isEqual).map(({ path }) => path.replace(/^\$\.?/, ''));
  const shown = names.slice(0, 4).filter((name) => name.length < 40);
  return differencesText.showEqual(equal, shown);
}
