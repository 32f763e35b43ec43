import { useCallback, useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCount, formatCountOf } from '../design/format.ts';
import { useImageUrls } from '../job/images-view.tsx';
import { useSteps } from '../stream/use-steps.ts';
import { compareTexts, type Compared } from './compared.ts';
import { mostRows, type DiffRow } from './json-diff.ts';
import type { SideImages } from './side-images.ts';
import { ImageCells, ValueCells } from './value-cells.tsx';
import styles from './compare.module.css';

interface ComparedSectionProps {
  title: string;
  /** Null: that side has none. */
  texts: readonly (string | null)[];
  /** Some of them are text whatever they look like. */
  areText: boolean;
  isEverything: boolean;
}

/** The inputs or the outputs side by side: what differs, and on request what does not. */
export function ComparedSection({ title, texts, areText, isEverything }: ComparedSectionProps) {
  const [known, setKnown] = useState(texts);
  // The same texts in another array are no reason to compare them again.
  if (known.length !== texts.length || known.some((text, at) => text !== texts[at])) setKnown(texts);
  const start = useCallback(() => compareTexts(known, areText), [known, areText]);
  const done = useSteps(start);
  const compared = done?.start === start ? done.result : null;
  return (
    <section className={styles.section} aria-label={title} aria-busy={compared === null}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <span>{compared === null ? 'Comparing' : summaryOf(compared)}</span>
      </div>
      {compared !== null && <Rows compared={compared} isEverything={isEverything} sides={texts.length} />}
    </section>
  );
}

function summaryOf({ differing, equal }: Compared): string {
  if (differing + equal === 0) return 'nothing saved';
  if (differing === 0) return `equal, ${formatCountOf(equal, 'value')}`;
  const verb = differing === 1 ? 'differs' : 'differ';
  return `${formatCount(differing)} of ${formatCountOf(differing + equal, 'value')} ${verb}`;
}

function Rows({ compared, isEverything, sides }: { compared: Compared; isEverything: boolean; sides: number }) {
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
        <Row key={row.path} row={row} images={images} urls={urlOf(row.path)} sides={sides} />
      ))}
      {differing > mostRows && (
        <p className={styles.more}>
          Only the first {formatCount(mostRows)} of {formatCount(differing)} differences are shown.
        </p>
      )}
      {!isEverything && equal > 0 && differing > 0 && (
        <Button size="sm" variant="ghost" onClick={() => setEqualShown(!areEqualShown)} aria-expanded={areEqualShown}>
          {areEqualShown ? 'Hide equal values' : `${formatCountOf(equal, 'equal value')}: ${namesOf(rows)}`}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  row: DiffRow;
  images: SideImages;
  urls: readonly (string | null)[];
  sides: number;
}

function Row({ row, images, urls, sides }: RowProps) {
  const found = images.get(row.path);
  return (
    <div
      className={classes(styles.row, row.isEqual && styles.equal)}
      data-difference={row.isEqual ? undefined : ''}
      tabIndex={row.isEqual ? undefined : -1}
      role="group"
      aria-label={row.isEqual ? `${row.path}, equal` : `${row.path}, differs`}
    >
      <span className={styles.path} title={row.path}>
        {row.path}
      </span>
      {found === undefined ? <ValueCells row={row} /> : <ImageCells images={found} urls={urls} />}
      <span className={styles.change}>{sides === 2 && !row.isEqual ? changeOf(row) : ''}</span>
    </div>
  );
}

/** What became of the first value in the second. */
function changeOf({ values: [one, other] }: DiffRow): string {
  if (one == null) return 'added';
  if (other == null) return 'removed';
  if (one.kind !== 'number' || other.kind !== 'number') return '';
  const change = Number(other.text) - Number(one.text);
  if (!Number.isFinite(change) || change === 0) return '';
  const amount = Number(Math.abs(change).toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 6 });
  return `${amount} ${change < 0 ? 'less' : 'more'}`;
}

/** `seed, model, headline and 6 more`. */
function namesOf(rows: readonly DiffRow[]): string {
  const names = rows.filter(({ isEqual }) => isEqual).map(({ path }) => path.replace(/^\$\.?/, ''));
  const shown = names.slice(0, 4).filter((name) => name.length < 40);
  return names.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ');
}
