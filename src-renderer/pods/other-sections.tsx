import { ArrowRight, Blocks, FilePlus, GitCompare, Server } from 'lucide-react';
import type { PodChange, PodChanges } from '../../src-preload/pod-reading.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { formatClock, formatCountOf } from '../../src-preload/format.ts';
import { useShownPod } from './pod-context.ts';
import { Section } from './section.tsx';
import styles from './other-sections.module.css';
import { workersIn } from './workers.ts';

const longestShown = 160;

/** What has changed since the reading before. */
export function ChangesSection({ changes }: { changes: PodChanges | null }) {
  if (changes === null || changes.changes.length === 0) return null;
  return (
    <Section
      title="Changed"
      icon={<GitCompare />}
      note={`${formatCountOf(changes.changes.length, 'field')} since ${formatClock(changes.sinceMs)}`}
    >
      <ul className={styles.changes}>
        {changes.changes.map((change) => (
          <li key={`${change.kind} ${change.field}`} className={styles.change}>
            <span className={styles.field}>{change.field}</span>
            <ChangeText change={change} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ChangeText({ change }: { change: PodChange }) {
  if (change.from === null && change.to === null)
    return (
      <span className="t3">
        {{ added: 'variable added', removed: 'variable removed', changed: 'value changed, hidden' }[change.kind]}
      </span>
    );
  return (
    <span className={styles.values}>
      {change.from === null ? <span className="t3">not in the reply</span> : <Old text={change.from} />}
      <ArrowRight size={12} role="img" aria-label="to" />
      {change.to === null ? <span className="t3">not in the reply</span> : <New text={change.to} />}
    </span>
  );
}

function Old({ text }: { text: string }) {
  return <del className={styles.old}>{cut(text)}</del>;
}

function New({ text }: { text: string }) {
  return <ins className={styles.new}>{cut(text)}</ins>;
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** The listing that includeWorkers adds (ruling 24): raw as in the reply, with a link to each pod whose id is found. */
export function WorkersSection() {
  const { reply, connectionId, podId } = useShownPod();
  if (reply.workersJson === null) return null;
  const { workers, others } = workersIn(reply.workersJson);
  return (
    <Section title="Worker pods" icon={<Server />} note={`${workers.length + others}`}>
      {workers.length + others === 0 && (
        <p className={styles.quiet}>The listing is empty: no pod is a serverless worker now.</p>
      )}
      <ul className={styles.workers}>
        {workers.map((worker) => (
          <li key={worker.id} className={styles.worker}>
            <Button
              variant="ghost"
              size="sm"
              icon={<Server />}
              disabledReason={worker.id === podId ? 'This is the pod of this window' : undefined}
              onClick={() => callOrReport('window:openResource', { connectionId, kind: 'pod', id: worker.id })}
            >
              <span className="mono">{worker.id}</span>
            </Button>
            <span className={styles.about}>{worker.about}</span>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className={styles.quiet}>
          {formatCountOf(others, 'entry', 'entries')} without an id; see the reply on the right.
        </p>
      )}
    </Section>
  );
}

/** Fields that the specification does not name, as they came. */
export function ExtraSection() {
  const { reply } = useShownPod();
  const extra = Object.entries(reply.extra);
  if (extra.length === 0) return null;
  return (
    <Section title="Not in the specification" icon={<FilePlus />} note={formatCountOf(extra.length, 'field')}>
      <ul className={styles.changes}>
        {extra.map(([name, value]) => (
          <li key={name} className={styles.change}>
            <span className={styles.field}>{name}</span>
            <span className={styles.json}>{cut(JSON.stringify(value) ?? '')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Shown if some values are not of the form that the specification gives. */
export function OddNote() {
  const { reply } = useShownPod();
  if (reply.oddFields.length === 0) return null;
  return (
    <Section title="Unexpected formats" icon={<Blocks />} note={formatCountOf(reply.oddFields.length, 'field')}>
      <p className={styles.quiet}>
        Not in the format of the specification; shown as received:{' '}
        <span className={styles.json}>{reply.oddFields.join(', ')}</span>
      </p>
    </Section>
  );
}
