import { ArrowRight, Blocks, FilePlus, GitCompare, Server } from 'lucide-react';
import type { PodChange, PodChanges } from '../../src-preload/pod-reading.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { podChangesText, unspecifiedText, variableChanges, workersText } from '../messages/pods/sections.tsx';
import { useShownPod } from './pod-context.ts';
import { Section } from './section.tsx';
import styles from './other-sections.module.css';
import { workersIn } from './request-panel.tsx';

const maxShownChars = 160;

/** What has changed since the reading before. */
export function ChangesSection({ changes }: { changes: PodChanges | null }) {
  if (changes === null || changes.changes.length === 0) return null;
  return (
    <Section
      title={podChangesText.title}
      icon={<GitCompare />}
      note={podChangesText.since(changes.changes.length, changes.sinceMs)}
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
  if (change.from === null && change.to === null) return <span className="t3">{variableChanges[change.kind]}</span>;
  return (
    <span className={styles.values}>
      {change.from === null ? <span className="t3">{podChangesText.notInReply}</span> : <Old text={change.from} />}
      <ArrowRight size={12} role="img" aria-label={podChangesText.to} />
      {change.to === null ? <span className="t3">{podChangesText.notInReply}</span> : <New text={change.to} />}
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
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
}

/** The listing that includeWorkers adds (ruling 24): raw as in the reply, with a link to each pod whose id is found. */
export function WorkersSection() {
  const { reply, connectionId, podId } = useShownPod();
  if (reply.workersJson === null) return null;
  const { workers, others } = workersIn(reply.workersJson);
  return (
    <Section title={workersText.title} icon={<Server />} note={`${workers.length + others}`}>
      {workers.length + others === 0 && <p className={styles.quiet}>{workersText.none}</p>}
      <ul className={styles.workers}>
        {workers.map((worker) => (
          <li key={worker.id} className={styles.worker}>
            <Button
              variant="ghost"
              size="sm"
              icon={<Server />}
              disabledReason={worker.id === podId ? workersText.thisPod : undefined}
              onClick={() => callOrReport('window:openResource', { connectionId, kind: 'pod', id: worker.id })}
            >
              <span className="mono">{worker.id}</span>
            </Button>
            <span className={styles.about}>{worker.about}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p className={styles.quiet}>{workersText.withoutId(others)}</p>}
    </Section>
  );
}

/** Fields that the specification does not name, as they came. */
export function ExtraSection() {
  const { reply } = useShownPod();
  const extra = Object.entries(reply.extra);
  if (extra.length === 0) return null;
  return (
    <Section title={unspecifiedText.fields} icon={<FilePlus />} note={unspecifiedText.count(extra.length)}>
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
    <Section title={unspecifiedText.formats} icon={<Blocks />} note={unspecifiedText.count(reply.oddFields.length)}>
      <p className={styles.quiet}>
        {unspecifiedText.asReceived(<span className={styles.json}>{reply.oddFields.join(', ')}</span>)}
      </p>
    </Section>
  );
}
