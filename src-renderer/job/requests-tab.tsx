import { ChevronRight, Code } from 'lucide-react';
import { useState } from 'react';
import type { Job, RequestRecord } from '../../src-preload/job.ts';
import { jobRequestOf, languagesOf, type JobRequestLanguage, type JobRequest } from '../../src-preload/request-code.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { useCall } from '../data/calls.ts';
import { useNow } from '../data/use-now.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { formatBytes, formatClock } from '../../src-preload/format.ts';
import { Menu } from '../design/menu/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { toast } from '../design/toast.tsx';
import { languageNames, requestCodeText } from '../messages/job/dialogs.ts';
import { requestColumnTitles, requestsText } from '../messages/job/facts.ts';
import { formatTook } from '../messages/job/formats.ts';
import { useCodeDialog } from './dialogs/dialog-stores.ts';
import { PartProblem } from './part-problem.tsx';
import styles from './requests-tab.module.css';

/** The class of an HTTP status: success, rate limited, refused. */
export function statusTone(request: RequestRecord): 'fine' | 'wait' | 'bad' {
  if (request.httpStatus === null) return 'bad';
  if (request.httpStatus < 400) return request.failureKind === null ? 'fine' : 'bad';
  return request.httpStatus === 429 ? 'wait' : 'bad';
}

/** The columns of the table, in order. */
const columns = ['time', 'operation', 'status', 'took', 'received', 'note'] as const;

/** The requests of a job as a table, the newest first. A press or Enter shows the request line. */
export function RequestsTab({ job }: { job: Job }) {
  const { data: requests, error, refetch } = useCall('job:requests', { key: job.key });
  const [openId, setOpenId] = useState<number | null>(null);
  if (error !== null)
    return <PartProblem title={requestsText.notRead} failure={error} onRetry={() => void refetch()} />;
  if (requests === undefined) return <SkeletonRows count={5} height={30} />;
  if (requests.length === 0) return <p className={styles.none}>{requestsText.none}</p>;
  const newestFirst = [...requests].reverse();
  return (
    <div className={styles.page} role="table" aria-label={requestsText.requests}>
      <div className={styles.head} role="row">
        {columns.map((column) => (
          <span
            key={column}
            role="columnheader"
            className={column === 'took' || column === 'received' ? styles.right : undefined}
          >
            {requestColumnTitles[column]}
          </span>
        ))}
      </div>
      <div className={styles.rows} tabIndex={0} role="rowgroup">
        {newestFirst.map((request) => (
          <div key={request.id} className={styles.item}>
            <div
              className={classes(styles.row, openId === request.id && styles.opened)}
              role="row"
              onClick={() => setOpenId(openId === request.id ? null : request.id)}
            >
              <span role="cell" className={styles.time}>
                {formatClock(request.atMs)}
              </span>
              <span role="cell">
                <button type="button" aria-expanded={openId === request.id} className={styles.open}>
                  <ChevronRight size={12} aria-hidden="true" />
                  <span className="trunc">
                    <span className="t3">{request.method}</span> {request.operation}
                  </span>
                </button>
              </span>
              <span role="cell" className={styles[statusTone(request)]}>
                {request.httpStatus ?? request.failureKind ?? requestsText.noReply}
              </span>
              <span role="cell" className={styles.right}>
                {formatTook(request.tookMs)}
              </span>
              <span role="cell" className={styles.right}>
                {formatBytes(request.bytesReceived)}
              </span>
              <span role="cell" className={classes(styles.note, 'trunc')} title={request.note ?? undefined}>
                {request.note}
              </span>
            </div>
            {openId === request.id && (
              <div role="row">
                <div role="cell" aria-colspan={columns.length} className={styles.line}>
                  <code>
                    {request.method} {request.path}
                  </code>
                  <CopyButton
                    label={requestsText.copyLine}
                    text={() => `${request.method} ${job.baseUrl}${request.path}`}
                  />
                  {request.note !== null && <p>{request.note}</p>}
                  <CopyAsCode job={job} request={jobRequestOf(request.operation)} />
                </div>
              </div>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A submission has a dialog for its code, which shows it whole. */
function CopyAsCode({ job, request }: { job: Job; request: JobRequest | null }) {
  const { resubmit } = allowedNow(job, useNow(15_000));
  if (request === null)
    return (
      <div>
        <Button
          size="sm"
          variant="ghost"
          icon={<Code />}
          disabledReason={resubmit.reason}
          onClick={() => useCodeDialog.getState().open(job.key)}
        >
          {requestCodeText.title}
        </Button>
      </div>
    );
  return (
    <div>
      <Menu
        trigger={
          <Button size="sm" variant="ghost" icon={<Code />}>
            {requestsText.copyCode}
          </Button>
        }
        items={languagesOf(request).map((language) => ({
          kind: 'item',
          label: languageNames[language],
          onSelect: () => void copyCode(job.key, request, language),
        }))}
      />
    </div>
  );
}

async function copyCode(key: string, request: JobRequest, language: JobRequestLanguage): Promise<void> {
  const code = orReport(await call('job:requestCode', { key, request, language }));
  if (!code.ok) return;
  const copied = orReport(await call('app:copyText', { text: code.value.code }));
  if (copied.ok) toast(requestsText.codeCopied(languageNames[language]));
}
