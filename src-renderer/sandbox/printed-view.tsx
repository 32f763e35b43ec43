import { Eraser, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { FindButton } from '../design/find-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Select } from '../design/form/select.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { toast } from '../design/toast.tsx';
import { useCommandKey } from '../design/keyboard/use-keys.ts';
import { handlersText, printedPaneText, printedText } from '../messages/printed.ts';
import { requestsText } from '../messages/sandbox/requests.ts';
import { PrintedList } from '../printed/printed-list.tsx';
import { WrapButton } from '../printed/wrap-button.tsx';
import { rowsOfLines, textOfRows, type PrintedRow } from '../printed/printed-rows.ts';
import { noPrintedFilter, printersOf, shownLines, usePrinted, type PrintedFilter } from './printed-store.ts';
import { NotRunning } from './requests-view.tsx';
import { addHandler, findSandboxJob, useSandbox } from './sandbox-store.ts';
import styles from './printed-view.module.css';

/** What the handlers of the sandbox print, as it comes. */
export function PrintedView({ sandbox, onShowJob }: { sandbox: SandboxState; onShowJob: (key: string) => void }) {
  const { lines, missed } = usePrinted((state) => state.buffer);
  const filter = usePrinted((state) => state.filter);
  const isWrapped = useSession((state) => state.settings.plainOutput.isWrapped);
  const [isFinding, setFinding] = useState(false);
  const shown = useMemo(() => shownLines(lines, filter), [lines, filter]);
  const rows = useMemo(() => rowsOfLines(shown), [shown]);
  const show = async (jobId: string): Promise<void> => {
    const key = await findSandboxJob(jobId);
    if (key === null) toast(requestsText.unknownJob);
    else onShowJob(key);
  };
  useCommandKey('f', rows.length > 0, () => setFinding(true));
  return (
    <section className={styles.view} aria-label={printedPaneText.printed}>
      {lines.length > 0 && <Bar rows={rows} isFinding={isFinding} onFinding={setFinding} />}
      {rows.length > 0 ? (
        <PrintedList
          rows={rows}
          isWrapped={isWrapped}
          isFinding={isFinding}
          onFindEnd={() => setFinding(false)}
          ofJob={{
            show: (jobId) => void show(jobId),
            showOnly: (id) => usePrinted.getState().setFilter({ ...filter, job: { id } }),
          }}
        />
      ) : (
        <Nothing sandbox={sandbox} count={lines.length} />
      )}
      {lines.length > 0 && <p className={styles.foot}>{printedPaneText.count(shown.length, lines.length, missed)}</p>}
    </section>
  );
}

interface BarProps {
  rows: readonly PrintedRow[];
  isFinding: boolean;
  onFinding: (isFinding: boolean) => void;
}

function Bar({ rows, isFinding, onFinding }: BarProps) {
  const clear = usePrinted((state) => state.clear);
  return (
    <div className={styles.bar}>
      <Choices />
      <span className="grow" />
      <FindButton label={printedText.find} isOn={isFinding} onChange={onFinding} />
      <WrapButton />
      <CopyButton label={printedText.copy} text={() => textOfRows(rows, printedText.gap)} />
      <IconButton label={printedPaneText.clear} icon={<Eraser />} onClick={clear} />
    </div>
  );
}

/** Endpoint and worker, and job, among those that printed. */
function Choices() {
  const lines = usePrinted((state) => state.buffer.lines);
  const { filter, setFilter } = usePrinted();
  const { workers, jobIds } = useMemo(() => printersOf(lines), [lines]);
  const endpointIds = [...new Set([...workers.map(({ endpointId }) => endpointId), ...listOf(filter.endpointId)])];
  const places: { value: string; label: string; choice: Pick<PrintedFilter, 'endpointId' | 'workerId'> }[] = [
    { value: '', label: printedPaneText.everyPlace, choice: { endpointId: null, workerId: null } },
    ...endpointIds.flatMap((endpointId) => [
      { value: endpointId, label: endpointId, choice: { endpointId, workerId: null } },
      ...workers
        .filter((worker) => worker.endpointId === endpointId)
        .map(({ workerId }) => ({
          value: `${endpointId} ${workerId}`,
          label: printedPaneText.worker(endpointId, workerId.slice(0, 4)),
          choice: { endpointId, workerId },
        })),
    ]),
  ];
  const { job } = filter;
  const chosenId = job === null || job === 'none' ? null : job.id;
  const place = [filter.endpointId, filter.workerId].filter((part) => part !== null).join(' ');
  return (
    <>
      <div className={styles.choice}>
        <Select
          label={printedPaneText.place}
          size="sm"
          value={place}
          options={places}
          onChange={(value) => {
            const choice = places.find((one) => one.value === value)?.choice;
            if (choice !== undefined) setFilter({ ...filter, ...choice });
          }}
        />
      </div>
      <div className={styles.choice}>
        <Select
          label={printedPaneText.job}
          size="sm"
          value={job === 'none' ? job : (chosenId ?? '')}
          options={[
            { value: '', label: printedPaneText.everyJob },
            { value: 'none', label: printedPaneText.noJob },
            ...[...new Set([...listOf(chosenId), ...jobIds.slice(0, 50)])].map((value) => ({
              value,
              label: value.slice(0, 8),
            })),
          ]}
          onChange={(value) =>
            setFilter({ ...filter, job: value === '' ? null : value === 'none' ? value : { id: value } })
          }
        />
      </div>
    </>
  );
}

function listOf(value: string | null): string[] {
  return value === null ? [] : [value];
}

/** Why no line is shown. */
function Nothing({ sandbox, count }: { sandbox: SandboxState; count: number }) {
  const status = usePrinted((state) => state.status);
  if (count > 0)
    return (
      <EmptyState
        art={null}
        title={printedPaneText.noMatchTitle}
        text={printedPaneText.noMatch(count)}
        actions={
          <Button size="lg" onClick={() => usePrinted.getState().setFilter(noPrintedFilter)}>
            {printedPaneText.showAll}
          </Button>
        }
      />
    );
  if (status === 'first') return <SkeletonRows count={12} height={20} />;
  if (status === 'failed')
    return <EmptyState title={printedPaneText.couldNotRead} text={printedPaneText.newOnesAppear} />;
  if (!sandbox.isRunning) return <NotRunning problem={sandbox.problem} text={printedPaneText.stopped} />;
  return <NothingPrinted hasHandlers={sandbox.handlers.length > 0} />;
}

/** Says what will be here. Without a handler of the user's own nothing will. */
function NothingPrinted({ hasHandlers }: { hasHandlers: boolean }) {
  const isSwitching = useSandbox((state) => state.isSwitching);
  return (
    <EmptyState
      title={printedPaneText.emptyTitle}
      text={printedPaneText.empty}
      actions={
        !hasHandlers && (
          <Button
            size="lg"
            icon={<Plus />}
            disabledReason={isSwitching ? handlersText.adding : undefined}
            onClick={() => void addHandler()}
          >
            {handlersText.add}
          </Button>
        )
      }
    />
  );
}
