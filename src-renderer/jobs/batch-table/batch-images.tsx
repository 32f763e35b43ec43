import { Maximize2 } from 'lucide-react';
import {
  memo,
  useEffect,
  useId,
  useLayoutEffect,
  useReducer,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { Batch } from '../../../src-preload/batch.ts';
import { isLive, statusKind, statusWord } from '../../../src-preload/job.ts';
import { chooseBatchView } from '../../batches/batch-view.ts';
import { useJobs } from '../../data/jobs-store.ts';
import { Button } from '../../design/button.tsx';
import { CheckMark } from '../../design/form/check-mark.tsx';
import { classes } from '../../design/class-names.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { ContextMenu } from '../../design/menu/menu.tsx';
import { Slider } from '../../design/form/slider.tsx';
import { StatusGlyph, statusTextClass } from '../../design/status-glyph.tsx';
import { MarkGlyph } from '../../job/mark-glyph.tsx';
import { batchImagesText, batchTableText } from '../../messages/jobs/batch-table.ts';
import { FigureText } from '../figure-text.tsx';
import { executionFigure } from '../job-figures.ts';
import type { RowMenu } from '../job-list-view.tsx';
import { moveFocus } from '../visible-keys.ts';
import { textOf, type BatchColumn, type BatchRow } from './batch-columns.ts';
import { BatchFoot, OrderMenu } from './batch-foot.tsx';
import { BatchProblem, MovedRows, outcomeNote } from './batch-notes.tsx';
import { bodiesOf } from './cells-reader.ts';
import { createThumbnails, loadThumbnail, type Thumbnail } from './thumbnails.ts';
import type { BatchRows } from './use-batch-rows.ts';
import { useLines } from './use-lines.ts';
import styles from './batch-images.module.css';

const gapPx = 12;
const paddingPx = 14;
/** Under an image: the line of figures, and the lines of values. */
const factsPx = 34;
const valuesPx = 16;
const sizes = { min: 120, max: 420, first: 208 };
const maxValues = 6;

interface BatchImagesProps {
  rows: BatchRows;
  menuOf: RowMenu;
}

/** The rows of a batch as images, with the values that vary under each. */
export function BatchImages({ rows, menuOf }: BatchImagesProps) {
  const [wantedPx, setWantedPx] = useState(sizes.first);
  const sizeId = useId();
  const all = [...rows.rows.values()];
  const isRead = rows.unread === 0 && rows.reading.problem === null;
  const hasImages = all.some(({ cells }) => cells?.hasImage === true);
  if (isRead && !hasImages) return <NoImages batch={rows.batch} isLive={all.some(({ job }) => isLive(job))} />;
  return (
    <div className={styles.whole}>
      <BatchProblem rows={rows} />
      <MovedRows rows={rows} />
      <Tiles rows={rows} menuOf={menuOf} wantedPx={wantedPx} />
      <BatchFoot rows={rows}>
        <label className={styles.sizeLabel} htmlFor={sizeId}>
          {batchImagesText.size}
        </label>
        <Slider
          id={sizeId}
          className={styles.slider}
          min={sizes.min}
          max={sizes.max}
          step={4}
          value={wantedPx}
          onChange={setWantedPx}
        />
        <OrderMenu rows={rows} />
      </BatchFoot>
    </div>
  );
}

function NoImages({ batch, isLive: isRunning }: { batch: Batch; isLive: boolean }) {
  return (
    <EmptyState
      title={batchImagesText.emptyTitle}
      text={isRunning ? batchImagesText.emptyYet : batchImagesText.emptyHint}
      actions={
        <Button size="lg" onClick={() => chooseBatchView(batch.endpointId, 'table')}>
          {batchImagesText.showTable}
        </Button>
      }
    />
  );
}

interface TilesProps {
  rows: BatchRows;
  menuOf: RowMenu;
  /** The least width of a tile. The tiles of a line share its rest. */
  wantedPx: number;
}

function Tiles({ rows: images, menuOf, wantedPx }: TilesProps) {
  const { order, rows, shown, showFirst } = images;
  const [widthPx, setWidthPx] = useState(0);
  const selectedKey = useJobs((state) => state.selectedKey);
  const pickedKeys = useJobs((state) => state.pickedKeys);
  const perLine = Math.max(1, Math.floor((widthPx - 2 * paddingPx + gapPx) / (wantedPx + gapPx)));
  const tilePx = Math.max(wantedPx, Math.floor((widthPx - 2 * paddingPx - (perLine - 1) * gapPx) / perLine));
  const values = shown.filter(({ group }) => group === 'input').slice(0, maxValues);
  // Two short values fit into a line.
  const valueLines = values.length <= 2 ? 1 : 2;
  const linePx = tilePx + factsPx + valueLines * valuesPx + gapPx;
  const { scroller, content, heightPx, onScroll, drawn, press, onFocus } = useLines({
    order,
    perLine,
    linePx,
    overscan: 1,
    showFirst,
  });
  useWidth(scroller, setWidthPx);
  const pictureOf = useThumbnails(drawn.flatMap(({ key }) => rows.get(key) ?? []));
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -perLine,
      ArrowDown: perLine,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moveFocus(step, event.shiftKey);
  };
  return (
    <ContextMenu
      items={(target: Element) => {
        const key = target.closest('[data-key]')?.getAttribute('data-key') ?? null;
        return key === null ? [] : menuOf(key, null);
      }}
    >
      <div ref={scroller} className={styles.scroller} onScroll={onScroll}>
        <div
          ref={content}
          className={styles.tiles}
          style={{ height: heightPx + paddingPx }}
          role="listbox"
          aria-label={batchImagesText.images}
          aria-multiselectable="true"
          aria-activedescendant={
            selectedKey !== null && drawn.some(({ key }) => key === selectedKey) ? tileId(selectedKey) : undefined
          }
          tabIndex={0}
          data-job-list
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          {widthPx > 0 &&
            drawn.map(({ key, at, topPx, slot }) => {
              const row = rows.get(key);
              return row === undefined ? null : (
                <Tile
                  key={slot}
                  {...{ row, values, valueLines, tilePx, topPx }}
                  picture={pictureOf(key)}
                  leftPx={paddingPx + (at % perLine) * (tilePx + gapPx)}
                  isFocused={key === selectedKey}
                  isPicked={pickedKeys.has(key)}
                  onPress={press}
                />
              );
            })}
        </div>
      </div>
    </ContextMenu>
  );
}

/** Reports the width of an element without its scrollbar, before its first frame and with each change. */
function useWidth(element: RefObject<HTMLElement | null>, report: (widthPx: number) => void): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    // In the same frame, which would otherwise show the former lines.
    const observer = new ResizeObserver(() => flushSync(() => report(current.clientWidth)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, report]);
}

/** The small pictures of these rows. Only rows with an image are read. */
function useThumbnails(rows: readonly BatchRow[]): (key: string) => Thumbnail | undefined {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [made] = useState(() =>
    createThumbnails({ load: loadThumbnail, release: (url) => URL.revokeObjectURL(url), onChange: redraw }),
  );
  useEffect(() => () => made.clear(), [made]);
  useEffect(() => {
    made.want(
      rows.flatMap(({ job, cells }) => (cells?.hasImage === true ? [{ key: job.key, bodies: bodiesOf(job) }] : [])),
    );
  });
  return made.get;
}

/** Id of a tile's element, for `aria-activedescendant`. */
function tileId(key: string): string {
  return `batch-tile-${key}`;
}

interface TileProps {
  row: BatchRow;
  values: readonly BatchColumn[];
  /** How many lines the values have. */
  valueLines: number;
  picture: Thumbnail | undefined;
  tilePx: number;
  leftPx: number;
  topPx: number;
  isFocused: boolean;
  isPicked: boolean;
  onPress: (key: string, event: MouseEvent) => void;
}

const Tile = memo(function Tile(props: TileProps) {
  const { row, values, valueLines, picture, tilePx, leftPx, topPx, isFocused, isPicked, onPress } = props;
  const { job } = row;
  const named = values.flatMap((column) => {
    const text = textOf(column, row, []);
    return text === '' ? [] : [{ title: column.title, text }];
  });
  const spoken = named.map(({ title, text }) => `${title} ${text}`).join(', ');
  const name = batchTableText.row(job.batchRow ?? 0);
  const style: CSSProperties = { left: leftPx, width: tilePx, transform: `translateY(${topPx}px)` };
  return (
    <div
      id={tileId(job.key)}
      role="option"
      aria-selected={isFocused || isPicked}
      data-key={job.key}
      className={classes(styles.tile, isFocused && styles.focused, isPicked && styles.picked)}
      style={style}
      onClick={(event) => onPress(job.key, event)}
      onDoubleClick={() => useJobs.getState().select(job.key)}
    >
      {/* Read aloud instead of what is drawn. */}
      <span className="visually-hidden">
        {[name, statusWord(job), spoken].filter((part) => part !== '').join(', ')}
      </span>
      <div aria-hidden="true">
        <div className={styles.picture} style={{ height: tilePx }}>
          <TilePicture row={row} picture={picture} />
          {picture !== undefined && picture.count > 1 && (
            <span className={styles.more}>{batchImagesText.more(picture.count)}</span>
          )}
          <span className={styles.pick} data-pick>
            <CheckMark isOn={isPicked} />
          </span>
          <span className={styles.open} data-open title={batchTableText.openJob(name)}>
            <Maximize2 size={14} />
          </span>
        </div>
        <div className={styles.values} style={{ height: valueLines * valuesPx }} title={spoken}>
          {named.map(({ title, text }) => (
            <span key={title} className={styles.value}>
              <span className={styles.name}>{title}</span> {text}
            </span>
          ))}
        </div>
        <div className={styles.facts}>
          <StatusGlyph kind={statusKind(job)} size={12} />
          <span>{name}</span>
          <span className={styles.figure}>
            {job.mark !== undefined && <MarkGlyph mark={job.mark} />}
            {executionFigure(job).kind !== 'word' && <FigureText figure={executionFigure(job)} />}
          </span>
        </div>
      </div>
    </div>
  );
});

interface TilePictureProps {
  row: BatchRow;
  picture: Thumbnail | undefined;
}

/** The image, or why there is none. */
function TilePicture({ row, picture }: TilePictureProps) {
  const { job, cells } = row;
  if (cells?.hasImage === true && picture === undefined) return null;
  if (picture !== undefined && picture.url !== null)
    // An element of its own for each: one that is used again would show its former image until the next is decoded.
    return <img key={picture.url} src={picture.url} alt="" draggable={false} decoding="async" />;
  const note = outcomeNote(row);
  if (isLive(job) || note !== null) {
    const kind = statusKind(job);
    return (
      <span className={styles.note}>
        <StatusGlyph kind={kind} size={20} />
        <span className={classes(styles.noteText, note !== null && note.kind !== null && statusTextClass(note.kind))}>
          {note?.text ?? statusWord(job)}
        </span>
      </span>
    );
  }
  if (cells === null) return null;
  const reason =
    picture?.isDamaged === true ? batchImagesText.damaged : cells.hasImage ? batchImagesText.addressOnly : null;
  const [first] = cells.output.values();
  return <span className={classes(styles.note, styles.words)}>{reason ?? first?.text ?? batchImagesText.noImage}</span>;
}
