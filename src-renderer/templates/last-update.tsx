import { CircleCheck, CircleHelp, OctagonX, Undo2 } from 'lucide-react';
import type { ServiceFailure } from '../../src-preload/failure.ts';
import type { OutcomeDifference, TemplateUpdateRecord } from '../../src-preload/template.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { useNow } from '../data/use-now.ts';
import { momentText } from '../messages/templates/pane.ts';
import { lastUpdateText, undoUpdateText } from '../messages/templates/saving.tsx';
import { prepareUndo, useTemplate } from './template-store.ts';
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
          title={readAtMs === null ? lastUpdateText.outcomeUnknown : lastUpdateText.notConfirmed}
          actions={
            readAtMs === null ? (
              <Button size="sm" onClick={onRead}>
                {lastUpdateText.readFromPod}
              </Button>
            ) : undefined
          }
        >
          {readAtMs !== null && <p>{lastUpdateText.readSince(readAtMs, nowMs)}</p>}
          <p>
            {lastUpdateText.sent(record.changed, when)}{' '}
            {record.outcome.failure?.message ?? lastUpdateText.closedBeforeReply} {lastUpdateText.notSentAgain}
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
      ? undoUpdateText.formerUnknown
      : hasEdits
        ? undoUpdateText.editsFirst
        : busy === null
          ? undefined
          : undoUpdateText.busy;
  const odd = differences.filter(({ got }) => got !== null);
  // With edits, their own text is shown here. Only fields that differ from the request are still listed.
  if (hasEdits && odd.length === 0) return null;
  const silent = differences.filter(({ got }) => got === null);
  return (
    <Callout
      tone={odd.length === 0 ? 'neutral' : 'warning'}
      icon={<CircleCheck />}
      title={odd.length === 0 ? lastUpdateText.saved(when) : lastUpdateText.savedDifferently(when)}
      actions={
        <Button size="sm" icon={<Undo2 />} disabledReason={refusal} onClick={() => void prepareUndo(null)}>
          {undoUpdateText.undo}
        </Button>
      }
    >
      <p>{lastUpdateText.accepted(record.changed, odd.length === 0)}</p>
      {odd.length > 0 && (
        <table className={styles.outcome}>
          <thead>
            <tr>
              <th>{lastUpdateText.field}</th>
              <th>{lastUpdateText.requested}</th>
              <th>{lastUpdateText.now}</th>
            </tr>
          </thead>
          <tbody>
            {odd.map(({ field, asked, got }) => (
              <tr key={field}>
                <td>{field}</td>
                <td>{shortened(asked ?? lastUpdateText.notSent)}</td>
                <td>{shortened(got ?? '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {silent.length > 0 && <p>{lastUpdateText.notMentioned(silent.map(({ field }) => field))}</p>}
    </Callout>
  );
}

function Refused({ failure, atMs, when }: { failure: ServiceFailure; atMs: number; when: string }) {
  const named = useServiceProblem();
  const again = failure.retryAfterMs === undefined ? '' : lastUpdateText.tryAgainAfter(atMs + failure.retryAfterMs);
  return (
    <Callout tone="error" icon={<OctagonX />} title={lastUpdateText.rejected(when)}>
      <p>{[failure.message, again, lastUpdateText.editsStay].filter((sentence) => sentence !== '').join(' ')}</p>
      {named !== null && <p>{lastUpdateText.names(<code>{named.field}</code>)}</p>}
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
          <summary>{lastUpdateText.rawReply}</summary>
          <pre tabIndex={0}>{failure.rawReply}</pre>
        </details>
      )}
    </>
  );
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
