import { PencilLine, Repeat2, Star } from 'lucide-react';
import { Suspense } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import { jobMenu } from '../commands/job-menus.tsx';
import { jobScope } from '../commands/scope.ts';
import { useDeletedJobs } from '../data/pending-deletions.ts';
import { openComposer } from '../navigation/open-requests.ts';
import { useShell } from '../navigation/shell-store.ts';
import { allowedHere, useHere } from '../data/allowed-here.ts';
import { useConnectionState } from '../data/connection-state.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { starJobs } from '../data/own-changes.ts';
import { resubmitUnchanged } from '../job/actions.ts';
import { CodeDialog } from '../job/dialogs/code-dialog.tsx';
import { ExtendDialog } from '../job/dialogs/extend-dialog.tsx';
import { JudgeDialog } from '../job/dialogs/judge-dialog.tsx';
import { TitleField, useRenaming } from '../job/job-title.tsx';
import { JobInView } from '../job/job-pane.tsx';
import { TagsDialog } from '../job/dialogs/tags-dialog.tsx';
import { useJobDetail } from '../job/use-job-detail.ts';
import { commonText } from '../messages/common.ts';
import { partText } from '../messages/windows/main-window.ts';
import { jobWindowText } from '../messages/windows/secondary-windows.ts';
import { ConnectionBanner } from './banners.tsx';
import { SecondaryWindow, WindowContent, sandboxOf, useOnline } from './secondary-window.tsx';
import styles from './job-window.module.css';

/** A window of its own for one job. */
export function JobWindow({ jobKey }: { jobKey: string }) {
  const state = useJobDetail(jobKey);
  const job = state.detail?.job ?? null;
  const connections = useSession((session) => session.connections);
  const connection = connections.find((one) => one.id === job?.connectionId) ?? null;
  const endpoint = job === null ? null : findEndpoint(connections, job.connectionId, job.endpointId);
  const about =
    job === null || endpoint === null
      ? null
      : job.jobId === null
        ? endpointName(endpoint)
        : jobWindowText.about(job.jobId.slice(0, 8), endpointName(endpoint));
  const isRenaming = useRenaming((state) => state.jobKey !== null);
  const isDeleted = useDeletedJobs((jobs) => jobs.has(jobKey));
  const isOffline = useConnectionState(connection)?.kind === 'offline';
  return (
    <SecondaryWindow
      name={job?.title ?? ''}
      titleField={isRenaming && job !== null && <TitleField job={job} className={styles.rename} />}
      scope={jobScope(isDeleted ? null : job, connection)}
      icon={endpoint !== null && <EndpointIcon endpoint={endpoint} />}
      title={job?.title ?? jobWindowText.untitled}
      about={about}
      sandbox={sandboxOf(connection)}
      actions={job !== null && !isDeleted && <Actions job={job} />}
      online={useOnline(connection)}
      status={job?.isResultSaved === true && <span>{jobWindowText.savedCopy}</span>}
    >
      <WindowContent
        hasPanels
        banner={isOffline && connection !== null && <ConnectionBanner connection={connection} isOverList={false} />}
      >
        <ErrorBoundary part={partText.job}>
          <JobInView jobKey={jobKey} state={state} layout="window" menuOf={jobMenu} />
        </ErrorBoundary>
      </WindowContent>
      <Suspense fallback={null}>
        <JudgeDialog />
        <CodeDialog />
        <ExtendDialog />
        {job !== null && <TagDialog job={job} />}
      </Suspense>
    </SecondaryWindow>
  );
}

/** The tags of the window's job, by its key. */
function TagDialog({ job }: { job: Job }) {
  const isAsked = useShell((state) => state.tagDialogKeys !== null);
  return <TagsDialog jobs={[job]} isOpen={isAsked} onClose={() => useShell.getState().set({ tagDialogKeys: null })} />;
}

function Actions({ job }: { job: Job }) {
  const nowMs = useNow(15_000);
  const { resubmit, edit } = allowedHere(job, nowMs, useHere());
  return (
    <span className={styles.actions}>
      <IconButton
        label={job.isStarred ? commonText.removeStar : commonText.star}
        isOn={job.isStarred}
        icon={<Star />}
        onClick={() => void starJobs([job], !job.isStarred)}
      />
      <Button icon={<Repeat2 />} disabledReason={resubmit.reason} onClick={() => void resubmitUnchanged(job.key)}>
        {commonText.runAgain}
      </Button>
      <Button
        icon={<PencilLine />}
        keys={['E']}
        disabledReason={edit.reason}
        onClick={() => openComposer({ jobKey: job.key })}
      >
        {commonText.resubmitWithEdits}
      </Button>
    </span>
  );
}
