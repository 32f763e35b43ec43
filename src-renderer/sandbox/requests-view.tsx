import { CirclePause, CirclePlay, Eraser, FlaskConical, Play, Search, Unplug } from 'lucide-react';
import { useMemo } from 'react';
import type { SandboxState } from '../../src-preload/sandbox.ts';
import { openComposer } from '../navigation/composer-request.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { formatCount, formatCountOf } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { Select } from '../design/select.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/text-field.tsx';
import { useCurrentConnection } from '../data/session-store.ts';
import { countChoices, isChosen, isFiltering, matchingRequests, noFilter, requestChoices } from './request-filter.ts';
import { RequestsTable } from './requests-table.tsx';
import { startSandbox, useSandbox } from './sandbox-store.ts';
import styles from './requests-view.module.css';

/** The sandbox's requests as they come: filter, list, and counts. */
export function RequestsView({ sandbox, onShowJob }: { sandbox: SandboxState; onShowJob: (key: string) => void }) {
  const log = useSandbox((state) => state.log);
  const isLoaded = useSandbox((state) => state.isLoaded);
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
    <section className={styles.view} aria-label="Requests">
      <div className={styles.bar}>
        <TextField
          aria-label="Filter requests"
          size="sm"
          className={styles.text}
          icon={<Search />}
          placeholder="operation, job, status"
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
            label="Endpoint of requests"
            size="sm"
            value={endpointId ?? ''}
            options={[
              { value: '', label: 'Every endpoint' },
              ...sandbox.endpoints.map((value) => ({ value, label: value })),
            ]}
            onChange={(value) => setFilter({ endpointId: value === '' ? null : value })}
          />
        </div>
        <span className="grow" />
        <PauseButton />
        <IconButton label="Clear the list" icon={<Eraser />} onClick={clear} />
      </div>
      {log.shown.length > 0 && <Choices requests={matching} />}
      {shown.length > 0 ? (
        <RequestsTable requests={shown} onShowJob={onShowJob} />
      ) : (
        <Nothing sandbox={sandbox} isLoaded={isLoaded} count={log.shown.length} />
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
        label="Status of requests"
        value={choice}
        options={requestChoices
          .filter(({ value }) => value === 'all' || value === choice || counts[value] > 0)
          .map(({ value, label }) => ({
            value,
            label: (
              <>
                {label}
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
      <Button size="sm" variant="ghost" icon={<CirclePause />} onClick={() => setPaused(true)}>
        Pause
      </Button>
    );
  return (
    <Button size="sm" icon={<CirclePlay />} onClick={() => setPaused(false)}>
      {held.length === 0 ? 'Resume' : `Resume, ${formatCount(held.length)} new`}
    </Button>
  );
}

function Nothing({ sandbox, isLoaded, count }: { sandbox: SandboxState; isLoaded: boolean; count: number }) {
  const isFiltered = useSandbox((state) => isFiltering(state.filter));
  const isSwitching = useSandbox((state) => state.isSwitching);
  const isCurrent = useCurrentConnection()?.isSandbox === true;
  if (count > 0 && isFiltered) {
    return (
      <EmptyState
        art={null}
        title="No request matches"
        text={`${formatCountOf(count, 'request is', 'requests are')} in the list.`}
        actions={
          <Button size="lg" onClick={() => useSandbox.getState().setFilter(noFilter)}>
            Show all requests
          </Button>
        }
      />
    );
  }
  if (!sandbox.isRunning) {
    const hasFailed = sandbox.problem !== null;
    return (
      <EmptyState
        art={
          hasFailed ? <Unplug className={styles.art} size={28} /> : <FlaskConical className={styles.art} size={28} />
        }
        title={hasFailed ? 'The sandbox is gone' : 'The sandbox is not running'}
        text={
          sandbox.problem ??
          'Start it, and requests from Jobdeck, an SDK or curl appear here as they arrive. You can set speed ' +
            'and faults before that.'
        }
        actions={
          <Button
            variant="primary"
            size="lg"
            icon={<Play />}
            disabledReason={isSwitching ? 'Starting…' : undefined}
            onClick={() => void startSandbox()}
          >
            {hasFailed ? 'Start it again' : 'Start it'}
          </Button>
        }
      />
    );
  }
  if (!isLoaded) return <SkeletonRows count={12} height={28} />;
  return (
    <EmptyState
      title="No requests yet"
      text={
        'Requests from Jobdeck, an SDK or curl appear here as they arrive. The address and key above are all a ' +
        'client needs.'
      }
      actions={
        isCurrent && (
          <Button size="lg" keys={['N']} onClick={() => openComposer({ endpointId: null })}>
            New job
          </Button>
        )
      }
    />
  );
}

function Foot() {
  const count = useSandbox((state) => state.log.shown.length);
  const missed = useSandbox((state) => state.log.missed);
  if (count === 0) return null;
  const text =
    missed === 0
      ? formatCountOf(count, 'request')
      : `The last ${formatCountOf(count, 'request')}; ${formatCountOf(missed, 'other is', 'others are')} not listed`;
  return <p className={styles.foot}>{text}</p>;
}
