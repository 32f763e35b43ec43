import { OctagonX, RotateCcw, Trash2, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { binDays, type BinnedJob } from '../../src-preload/bin.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { dayMs } from '../../src-preload/durations.ts';
import { statusKind } from '../../src-preload/job.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { binText, binQuestionText } from '../messages/bin.ts';
import { commonText } from '../messages/common.ts';
import { goToPlace } from '../navigation/go.ts';
import { restoreAll, restoreOne, useBinQuestion, deleteForGood } from './bin-actions.ts';
import { followBin, readBin, readMoreOfBin, useBin, type BinList } from './bin-store.ts';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import styles from './bin-pane.module.css';

/** What a key does with the row in focus. `held`: nothing, as it did what it does when it was pressed. */
type BinKey = 'next' | 'previous' | 'restore' | 'ask-to-delete' | 'held';

/**
 * What the pressed key does. Null: nothing here, as with the chords of the window. The focus moves to the next row
 * when one is restored, so that a key that is held would restore them all.
 */
export function binKeyOf(
  press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>,
): BinKey | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return null;
  // Caps Lock makes no difference.
  switch (press.key.length === 1 ? press.key.toLowerCase() : press.key) {
    case 'ArrowDown':
    case 'j':
      return 'next';
    case 'ArrowUp':
    case 'k':
      return 'previous';
    case 'Enter':
    case 'r':
      return press.repeat ? 'held' : 'restore';
    case 'Delete':
    case 'Backspace':
      return 'ask-to-delete';
    default:
      return null;
  }
}

/** The question before a job, or all of them, is deleted for good. */
function BinQuestion() {
  const subject = useBinQuestion((state) => state.subject);
  const close = (): void => useBinQuestion.setState({ subject: null });
  const go = async (): Promise<void> => {
    close();
    const problem = subject === null ? null : await deleteForGood(subject);
    if (problem !== null) toast(problem);
  };
  return (
    <Dialog
      title={subject?.kind === 'all' ? binQuestionText.all(subject.use.jobs) : binQuestionText.one}
      isOpen={subject !== null}
      onClose={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {commonText.cancel}
          </Button>
          <Button variant="danger-solid" onClick={() => void go()}>
            {subject?.kind === 'all' ? binQuestionText.empty : binText.deleteForGood}
          </Button>
        </>
      }
    >
      {subject === null
        ? null
        : subject.kind === 'all'
          ? binQuestionText.allHint(subject.use)
          : binQuestionText.oneHint(subject.job.title)}
    </Dialog>
  );
}

/** Deleted jobs of all connections, the last deleted first: each can be restored, or deleted for good. */
export function BinPane() {
  const { list, problem } = useBin();
  useEffect(followBin, []);
  return (
    <section className={styles.pane} aria-label={binText.list}>
      {list !== null && list.jobs > 0 && <Head list={list} />}
      {problem !== null && (
        <div className={styles.notice}>
          <Callout
            tone="error"
            icon={<OctagonX />}
            title={binText.couldNotRead}
            actions={
              <Button size="sm" onClick={() => void readBin()}>
                {commonText.tryAgain}
              </Button>
            }
          >
            <p>{problem}</p>
          </Callout>
        </div>
      )}
      {list?.asidePath != null && (
        <div className={styles.notice}>
          <Callout tone="warning" icon={<TriangleAlert />} title={binText.setAside(list.asidePath)} />
        </div>
      )}
      <div className={styles.scroll}>
        {list === null ? (
          problem === null && <SkeletonRows count={8} height={52} />
        ) : list.rows.length === 0 ? (
          <EmptyState
            title={binText.emptyTitle}
            text={binText.emptyHint}
            actions={
              <Button size="lg" keys={['G', 'A']} onClick={() => goToPlace({ view: 'all', endpointId: null })}>
                {binText.toJobs}
              </Button>
            }
          />
        ) : (
          <Rows list={list} />
        )}
      </div>
      <BinQuestion />
    </section>
  );
}

function Head({ list }: { list: BinList }) {
  const { jobs, bytes } = list;
  return (
    <div className={styles.head}>
      <div className={styles.about}>
        <p className={styles.holds}>{binText.holds(list)}</p>
        <p className={styles.quiet}>{binText.about}</p>
      </div>
      <Button icon={<RotateCcw />} onClick={() => void restoreAll()}>
        {binText.restoreAll}
      </Button>
      <Button
        variant="danger"
        icon={<Trash2 />}
        onClick={() => useBinQuestion.setState({ subject: { kind: 'all', use: { jobs, bytes } } })}
      >
        {binText.empty}
      </Button>
    </div>
  );
}

function Rows({ list }: { list: BinList }) {
  const rows = useRef<HTMLUListElement>(null);
  const left = list.jobs - list.rows.length;
  return (
    <>
      <ul ref={rows} aria-label={binText.list} aria-description={binText.keys}>
        {list.rows.map((row, at) => (
          <Row key={row.job.key} row={row} isFirst={at === 0} />
        ))}
      </ul>
      {list.next !== null && left > 0 && (
        <Button className={styles.more} onClick={() => void readMoreOfBin()}>
          {binText.more(Math.min(100, left))}
        </Button>
      )}
    </>
  );
}

function Row({ row: { job, deletedAtMs }, isFirst }: { row: BinnedJob; isFirst: boolean }) {
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const endpoint = findEndpoint(connections, job.connectionId, job.endpointId);
  const ask = (): void => useBinQuestion.setState({ subject: { kind: 'one', job } });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const does = binKeyOf(event);
    if (does === null) return;
    event.preventDefault();
    event.stopPropagation();
    const { nextElementSibling: next, previousElementSibling: previous } = event.currentTarget;
    if (does === 'next') focusRow(next);
    else if (does === 'previous') focusRow(previous);
    else if (does === 'ask-to-delete') ask();
    else if (does === 'restore') {
      focusRow(next ?? previous);
      void restoreOne(job);
    }
  };
  return (
    // A row has the focus as a whole, so that keys act on it. Its buttons do the same.
    <li className={styles.row} tabIndex={isFirst ? 0 : -1} onKeyDown={onKeyDown} data-bin-row>
      <StatusGlyph kind={statusKind(job)} size={16} />
      <span className={styles.words}>
        <span className={styles.title} dir="auto">
          {job.title}
        </span>
        <span className={styles.note}>
          <EndpointIcon endpoint={endpoint} />
          {endpointName(endpoint)}
        </span>
      </span>
      <span className={styles.times}>
        <span>{binText.deleted(nowMs - deletedAtMs)}</span>
        <span>{binText.left(deletedAtMs + binDays * dayMs - nowMs)}</span>
      </span>
      <Button size="sm" onClick={() => void restoreOne(job)}>
        {binText.restore}
      </Button>
      <Button size="sm" variant="danger" onClick={ask}>
        {binText.deleteForGood}
      </Button>
    </li>
  );
}

function focusRow(row: Element | null): void {
  if (row instanceof HTMLElement) row.focus();
}
