import { CircleCheck, CircleHelp, OctagonX, Undo2 } from 'lucide-react';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import { templateFields } from '../../src-preload/template-fields.ts';
import type { OutcomeDifference, TemplateUpdateRecord } from '../../src-preload/template.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { formatMinute } from '../../src-preload/format.ts';
import { useNow } from '../data/session-store.ts';
import { prepareUndo, useTemplate } from './template-store.ts';
import { momentText } from './template-messages.ts';
import { useServiceProblem } from './use-plan.ts';
import styles from './review.module.css';

/** The result of the last update, compared with what was requested. */
export function LastUpdate({ onRead }: { onRead: () => void }) {
  const record = useTemplate(({ view }) => view?.lastUpdate ?? null);
  const known = useTemplate(({ view }) => view?.known ?? null);
  const busy = useTemplate((state) => state.busy);
  const nowMs = useNow(60_000);
  if (record === null || busy === 'sending' || record.outcome.kind === 'pending') return null;
  const when = momentText(record.atMs, nowMs);
  const readAtMs = known !== null && known.seenAtMs > record.atMs ? known.seenAtMs : null;
  switch (record.outcome.kind) {
    case 'applied':
      return <Applied record={record} differences={record.outcome.differences} when={when} />;
    case 'refused':
      return <Refused failure={record.outcome.failure} atMs={record.atMs} when={when} />;
    case 'unknown':
      return (
        <Callout
          tone={readAtMs === null ? 'warning' : 'neutral'}
          icon={<CircleHelp />}
          title={readAtMs === null ? 'Outcome of the update unknown' : 'The service did not confirm the update'}
          actions={
            readAtMs === null ? (
              <Button size="sm" onClick={onRead}>
                Read the template from a pod
              </Button>
            ) : undefined
          }
        >
          {readAtMs !== null && (
            <p>Jobdeck has read it since, {momentText(readAtMs, nowMs)}: the form shows its current state.</p>
          )}
          <p>
            An update of {record.changed.join(', ')} was sent {when}.{' '}
            {record.outcome.failure?.message ??
              'Jobdeck closed before the reply arrived, so the template may have been changed.'}{' '}
            Jobdeck will not send it again.
          </p>
          {record.outcome.failure !== null && <ServiceText failure={record.outcome.failure} />}
        </Callout>
      );
  }
}

interface AppliedProps {
  record: TemplateUpdateRecord;
  differences: OutcomeDifference[];
  when: string;
}

function Applied({ record, differences, when }: AppliedProps) {
  const busy = useTemplate((state) => state.busy);
  const hasEdits = useTemplate(({ edits }) => Object.keys(edits).length > 0);
  const refusal =
    record.formerSeq === null
      ? 'The state before this update is unknown'
      : hasEdits
        ? 'Save or discard your edits first'
        : busy === null
          ? undefined
          : 'Something is in progress';
  const odd = differences.filter(({ got }) => got !== null);
  // With edits, their own text is shown here. Only fields that differ from the request are still listed.
  if (hasEdits && odd.length === 0) return null;
  const silent = differences.filter(({ got }) => got === null);
  return (
    <Callout
      tone={odd.length === 0 ? 'neutral' : 'warning'}
      icon={<CircleCheck />}
      title={odd.length === 0 ? `Saved ${when}` : `Saved ${when}, but not everything changed as requested`}
      actions={
        <Button size="sm" icon={<Undo2 />} disabledReason={refusal} onClick={() => void prepareUndo(null)}>
          Undo this update
        </Button>
      }
    >
      <p>
        The service accepted {record.changed.map((field) => templateFields[field].label.toLowerCase()).join(', ')}
        {odd.length === 0 ? ' exactly as sent.' : '.'}
      </p>
      {odd.length > 0 && (
        <table className={styles.outcome}>
          <thead>
            <tr>
              <th>Field</th>
              <th>Requested</th>
              <th>Now</th>
            </tr>
          </thead>
          <tbody>
            {odd.map(({ field, asked, got }) => (
              <tr key={field}>
                <td>{field}</td>
                <td>{shortened(asked ?? 'not sent')}</td>
                <td>{shortened(got ?? '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {silent.length > 0 && <p>The reply does not mention {silent.map(({ field }) => field).join(', ')}.</p>}
    </Callout>
  );
}

function Refused({ failure, atMs, when }: { failure: ServiceFailure; atMs: number; when: string }) {
  const named = useServiceProblem();
  const again =
    failure.retryAfterMs === undefined ? '' : ` Try again after ${formatMinute(atMs + failure.retryAfterMs)}.`;
  return (
    <Callout tone="error" icon={<OctagonX />} title={`The service rejected the update of ${when}`}>
      <p>
        {failure.message}
        {again} Your edits are still here.
      </p>
      {named !== null && (
        <p>
          It names <code>{named.field}</code>; see there.
        </p>
      )}
      <ServiceText failure={failure} />
    </Callout>
  );
}

/** The service's own message, as it came. */
function ServiceText({ failure }: { failure: ServiceFailure }) {
  return (
    <>
      {failure.serviceSaid !== undefined && <p className={styles.said}>{failure.serviceSaid}</p>}
      {failure.rawReply !== undefined && failure.rawReply !== '' && failure.rawReply !== failure.serviceSaid && (
        <details className={styles.raw}>
          <summary>Raw reply</summary>
          <pre tabIndex={0}>{failure.rawReply}</pre>
        </details>
      )}
    </>
  );
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
