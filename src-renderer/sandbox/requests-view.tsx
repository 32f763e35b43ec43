import { CirclePause, CirclePlay, Eraser, FlaskConical, Play, Search, Unplug } from 'lucide-react';
import { useMemo } from 'react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/form/select.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { commonText } from '../messages/common.ts';
import { sandboxText } from '../messages/sandbox/pane.ts';
import { noRequestsText, requestBarText, requestChoiceNames, requestsText } from '../messages/sandbox/requests.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { countChoices, isChosen, isFiltering, matchingRequests, noFilter, requestChoices } from './request-filter.ts';
import { RequestsTable } from './requests-table.tsx';
import { startSandbox, useSandbox } from './sandbox-store.ts';
import styles from './requests-view.module.css';

/** The sandbox's requests as they come: filter, list, and counts. */
export function RequestsView({ sandbox, onShowJob }: { sandbox: SandboxState; onShowJob: (key: string) => void }) {
  const log = useSandbox((state) => state.log);
  const filter = useSandbox((state) => state.filter);
  const { text, endpointId, choice } = filter;
  const matching = useMemo(() => matchingRequests(log.shown, { text, endpointId }), [log.shown, text, endpointId]);
  const shown = useMemo(
    () => (choice === 'all' ? matching : matching.filter((request) => isChosen(request, choice))),
    [matching, choice],
  );
  const setFilter = useSandbox((state) => state.setFilter);
  const clear = useSandbox((state) => state.clear);
  return (
    <section className={styles.view} aria-label={requestBarText.requests}>
      <div className={styles.bar}>
        <TextField
          aria-label={requestBarText.filter}
          size="sm"
          className={styles.text}
          icon={<Search />}
          placeholder={requestBarText.filterPlaceholder}
          value={text}
          onChange={(next) => setFilter({ text: next })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || text === '') return;
            event.preventDefault();
            setFilter({ text: '' });
          }}
        />
        <div className={styles.endpoint}>
          <Select
            label={requestBarText.endpoint}
            size="sm"
            value={endpointId ?? ''}
            options={[
              { value: '', label: requestBarText.everyEndpoint },
              ...sandbox.endpoints.map((value) => ({ value, label: value })),
            ]}
            onChange={(value) => setFilter({ endpointId: value === '' ? null : value })}
          />
        </div>
        <span className="grow" />
        <PauseButton />
        <IconButton label={requestBarText.clear} icon={<Eraser />} onClick={clear} />
      </div>
      {log.shown.length > 0 && <Choices requests={matching} />}
      {shown.length > 0 ? (
        <RequestsTable requests={shown} onShowJob={onShowJob} />
      ) : (
        <Nothing sandbox={sandbox} count={log.shown.length} />
      )}
      <Foot />
    </section>
  );
}

function Choices({ requests }: { requests: Parameters<typeof countChoices>[0] }) {
  const choice = useSandbox((state) => state.filter.choice);
  const counts = useMemo(() => countChoices(requests), [requests]);
  return (
    <div className={styles.choices}>
      <Segmented
        size="sm"
        label={requestBarText.outcome}
        value={choice}
        options={requestChoices
          .filter((value) => value === 'all' || value === choice || counts[value] > 0)
          .map((value) => ({
            value,
            label: (
              <>
                {requestChoiceNames[value]}
                <span className={styles.count}>{formatCount(counts[value])}</span>
              </>
            ),
          }))}
        onChange={(next) => useSandbox.getState().setFilter({ choice: next })}
      />
    </div>
  );
}

function PauseButton() {
  const held = useSandbox((state) => state.log.held);
  const setPaused = useSandbox((state) => state.setPaused);
  if (held === null)
    return (
      <Button variant="ghost" icon={<CirclePause />} onClick={() => setPaused(true)}>
        {requestBarText.pause}
      </Button>
    );
  return (
    <Button icon={<CirclePlay />} onClick={() => setPaused(false)}>
      {requestBarText.resume(held.length)}
    </Button>
  );
}

/** Why no request is shown. */
export function Nothing({ sandbox, count }: { sandbox: SandboxState; count: number }) {
  const status = useSandbox((state) => state.status);
  const isFiltered = useSandbox((state) => isFiltering(state.filter));
  const isCurrent = useCurrentConnection()?.isSandbox === true;
  if (count > 0 && isFiltered) {
    return (
      <EmptyState
        art={null}
        title={noRequestsText.noMatchTitle}
        text={noRequestsText.noMatch(count)}
        actions={
          <Button size="lg" onClick={() => useSandbox.getState().setFilter(noFilter)}>
            {noRequestsText.showAll}
          </Button>
        }
      />
    );
  }
  if (!sandbox.isRunning) return <NotRunning problem={sandbox.problem} text={noRequestsText.stopped} />;
  if (status === 'first') return <SkeletonRows count={12} height={28} />;
  if (status === 'failed')
    return <EmptyState title={noRequestsText.couldNotRead} text={noRequestsText.newOnesAppear} />;
  return (
    <EmptyState
      title={noRequestsText.emptyTitle}
      text={noRequestsText.empty}
      actions={
        isCurrent && (
          <Button size="lg" keys={['N']} onClick={() => openComposer({ endpointId: null })}>
            {commonText.newJob}
          </Button>
        )
      }
    />
  );
}

/** The sandbox does not run: `problem` says why it ended, `text` what is here when it is started. */
export function NotRunning({ problem, text }: { problem: string | null; text: string }) {
  const isSwitching = useSandbox((state) => state.isSwitching);
  const hasFailed = problem !== null;
  return (
    <EmptyState
      art={hasFailed ? <Unplug className={styles.art} size={28} /> : <FlaskConical className={styles.art} size={28} />}
      title={hasFailed ? noRequestsText.failedTitle : noRequestsText.stoppedTitle}
      text={problem ?? text}
      actions={
        <Button
          variant="primary"
          size="lg"
          icon={<Play />}
          disabledReason={isSwitching ? sandboxText.starting : undefined}
          onClick={() => void startSandbox()}
        >
          {hasFailed ? noRequestsText.startAgain : noRequestsText.start}
        </Button>
      }
    />
  );
}

function Foot() {
  const count = useSandbox((state) => state.log.shown.length);
  const missed = useSandbox((state) => state.log.missed);
  if (count === 0) return null;
  return <p className={styles.foot}>{requestsText.count(count, missed)}</p>;
}
