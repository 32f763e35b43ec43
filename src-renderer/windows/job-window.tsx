import { PencilLine, Repeat2, Star } from 'lucide-react';
import { Suspense, lazy, useEffect, useState } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { allowedActions } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';
import { call, on } from '../bridge.ts';
import { useComposer } from '../composer/composer-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { FlavourIcon } from '../design/flavour-icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { isMac } from '../design/platform.ts';
import { resubmitUnchanged } from '../job/actions.ts';
import { JobPane } from '../job/job-pane.tsx';
import { useCondition } from '../data/condition.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { onlineWord } from '../data/budget.ts';
import { SandboxBadge } from './sandbox-badge.tsx';
import { WindowControls } from './window-controls.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import styles from './job-window.module.css';

const FollowDialog = lazy(async () => ({ default: (await import('../follow/follow-dialog.tsx')).FollowDialog }));

/** A window of its own for one job. */
export function JobWindow({ jobKey }: { jobKey: string }) {
  const job = useJob(jobKey);
  return (
    <div className={styles.window}>
      <JobTitleBar job={job} />
      <main className={styles.frame}>
        <ErrorBoundary part="This job">
          <JobPane jobKey={jobKey} layout="window" />
        </ErrorBoundary>
      </main>
      <JobStatusBar job={job} />
      <Suspense fallback={null}>
        <FollowDialog />
      </Suspense>
    </div>
  );
}

function useJob(jobKey: string): Job | null {
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void call('job:get', { key: jobKey }).then((result) => {
      if (isCurrent && result.ok) setJob(result.value.job);
    });
    const end = on('job:changed', ({ jobs }) => {
      const changed = jobs.find((one) => one.key === jobKey);
      if (changed !== undefined) setJob(changed);
    });
    return () => {
      isCurrent = false;
      end();
    };
  }, [jobKey]);
  useEffect(() => {
    document.title = job === null ? 'Jobdeck' : `${job.title} · Jobdeck`;
  }, [job]);
  return job;
}

function JobTitleBar({ job }: { job: Job | null }) {
  const connections = useSession((state) => state.connections);
  const endpoint = job === null ? null : findEndpoint(connections, job.connectionId, job.endpointId);
  const isSandbox = connections.find((one) => one.id === job?.connectionId)?.isSandbox === true;
  const resubmit = job === null ? { reason: '' } : allowedActions(job, Date.now()).resubmit;
  return (
    <header className={classes(bar['window-bar'], isMac && bar.mac)}>
      <div className={bar.subject}>
        {endpoint !== null && <FlavourIcon flavour={endpoint.flavour} />}
        <h1 className={classes(styles.title, 'trunc')} dir="auto">
          {job?.title ?? 'Job'}
        </h1>
        {job !== null && endpoint !== null && (
          <span className={styles.about}>
            {job.jobId === null ? endpointName(endpoint) : `Job ${job.jobId.slice(0, 8)}, ${endpointName(endpoint)}`}
          </span>
        )}
        {isSandbox && (
          <>
            <span className={bar.badge}>Sandbox</span>
            <SandboxBadge onShow={() => void call('window:openSandbox', undefined)} />
          </>
        )}
      </div>
      <div className={bar.actions}>
        {job !== null && (
          <>
            <IconButton
              label={job.isStarred ? 'Remove star' : 'Star'}
              isOn={job.isStarred}
              icon={<Star />}
              onClick={() => void call('job:star', { key: job.key, isStarred: !job.isStarred })}
            />
            <Button icon={<Repeat2 />} disabledReason={resubmit.reason} onClick={() => void resubmitUnchanged(job.key)}>
              Run again
            </Button>
            <Button
              icon={<PencilLine />}
              keys={['E']}
              disabledReason={resubmit.reason}
              onClick={() => void useComposer.getState().openFrom(job.key)}
            >
              Resubmit with edits
            </Button>
          </>
        )}
        <WindowControls />
      </div>
    </header>
  );
}

function JobStatusBar({ job }: { job: Job | null }) {
  const connection = useSession((state) => state.connections.find((one) => one.id === job?.connectionId) ?? null);
  const online = onlineWord(useCondition(connection), false);
  return (
    <footer className={status.bar}>
      <span className={status.item}>
        <span className={classes(status.dot, status[online.dot])} />
        <span className={status.value}>{online.word}</span>
      </span>
      {job?.isResultSaved === true && <span>Reading the copy saved on this computer</span>}
    </footer>
  );
}
