import { Ban, CirclePlay, CircleStop, HeartPulse, LayoutTemplate, LoaderCircle, Lock, LockOpen } from 'lucide-react';
import { isPodStarting } from '../../src-preload/pod-ports.ts';
import { readTimestamp } from '../../src-preload/pod.ts';
import { call } from '../bridge.ts';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useNow } from '../data/use-now.ts';
import { identityText, lifecycleText } from '../messages/pods/sections.tsx';
import { podStatusWord } from '../messages/pods/status.ts';
import { formatUtc } from '../messages/pods/values.ts';
import { CostBlock } from './cost-block.tsx';
import { CopyableId, FieldRow, FieldShell, FieldValue, useField } from './field.tsx';
import { useShownPod } from './pod-context.ts';
import { podFields } from './pod-fields.ts';
import styles from './identity-panel.module.css';

/** The colour of a pod's desired status. */
export function statusTone(status: string | null | undefined, isStarting: boolean): 'done' | 'run' | 'cancel' {
  if (status !== 'RUNNING') return 'cancel';
  return isStarting ? 'run' : 'done';
}

/** The pod's name and id, its cost and its state. */
export function IdentityPanel() {
  const { reply, podId } = useShownPod();
  const { pod } = reply;
  return (
    <aside className={styles.panel} aria-label={identityText.title}>
      <div className={styles.head}>
        <div className={styles.state}>
          <FieldShell info={podFields.desiredStatus} path="desiredStatus" className={styles.inline}>
            <StatusPill />
            <span className={styles.hint}>
              {pod.desiredStatus == null ? null : (
                <>
                  {identityText.desired}
                  <span className="visually-hidden"> {pod.desiredStatus}</span>
                </>
              )}
            </span>
          </FieldShell>
          <span className={styles.gap} />
          <FieldShell info={podFields.locked} path="locked">
            <LockBadge />
          </FieldShell>
        </div>
        <FieldShell info={podFields.name} path="name">
          <h1 className={styles.name} dir="auto">
            <FieldValue info={podFields.name} path="name" />
          </h1>
        </FieldShell>
        <FieldShell info={podFields.id} path="id" className={styles.id}>
          <CopyableId label={identityText.id} text={pod.id === '' ? podId : pod.id} />
        </FieldShell>
      </div>
      <CostBlock />
      <Lifecycle />
      <div className={styles.block}>
        <FieldRow info={podFields.interruptible} path="interruptible" isRight />
        <FieldRow info={podFields.consumerUserId} path="consumerUserId" isRight />
        <div className={styles.linked}>
          <FieldRow info={podFields.templateId} path="templateId" isRight />
          {pod.templateId != null && pod.templateId !== '' && (
            <OpenResource
              kind="template"
              id={pod.templateId}
              label={identityText.openTemplate}
              icon={<LayoutTemplate />}
            />
          )}
        </div>
        <div className={styles.linked}>
          <FieldRow info={podFields.endpointId} path="endpointId" isRight />
          {pod.endpointId != null && pod.endpointId !== '' && (
            <OpenResource kind="health" id={pod.endpointId} label={identityText.openHealth} icon={<HeartPulse />} />
          )}
        </div>
        <FieldRow info={podFields.aiApiId} path="aiApiId" isRight />
        <FieldRow info={podFields.slsVersion} path="slsVersion" isRight />
        <FieldRow info={podFields.containerRegistryAuthId} path="containerRegistryAuthId" isRight />
      </div>
      <p className={styles.foot}>{identityText.readOnly}</p>
    </aside>
  );
}

interface OpenResourceProps {
  kind: 'template' | 'health';
  id: string;
  label: string;
  icon: React.ReactNode;
}

/** An id may be any text, but a window can be opened only for ids of up to 200 characters. */
function OpenResource({ kind, id: whole, label, icon }: OpenResourceProps) {
  const { connectionId } = useShownPod();
  const id = whole.slice(0, 200);
  const open = (): void =>
    void (kind === 'health'
      ? call('window:openHealth', { connectionId, endpointId: id })
      : call('window:openResource', { connectionId, kind, id }));
  return <IconButton label={label} size="sm" hasSmallGlyph icon={icon} onClick={open} />;
}

function StatusPill() {
  const { pod } = useShownPod().reply;
  const isStarting = isPodStarting(pod);
  const tone = statusTone(pod.desiredStatus, isStarting);
  const Icon =
    tone === 'done'
      ? CirclePlay
      : tone === 'run'
        ? LoaderCircle
        : pod.desiredStatus === 'TERMINATED'
          ? Ban
          : CircleStop;
  return (
    <span className={classes(styles.pill, styles[tone])}>
      <Icon size={14} aria-hidden="true" />
      {podStatusWord(pod.desiredStatus, isStarting)}
    </span>
  );
}

function LockBadge() {
  const { state } = useField(podFields.locked, 'locked');
  if (state.kind !== 'value')
    return (
      <span className={styles.hint}>
        {identityText.lockedIs} <FieldValue info={podFields.locked} path="locked" />
      </span>
    );
  return state.value === true ? (
    <span className={styles.badge}>
      <Lock size={12} aria-hidden="true" />
      {identityText.locked}
    </span>
  ) : (
    <span className={styles.hint}>
      <LockOpen size={12} aria-hidden="true" />
      {identityText.notLocked}
    </span>
  );
}

function Lifecycle() {
  const { reply, readAtMs } = useShownPod();
  const { pod } = reply;
  const nowMs = useNow(30_000);
  const isStarting = isPodStarting(pod);
  const startedAtMs = pod.lastStartedAt == null ? null : readTimestamp(pod.lastStartedAt);
  return (
    <section className={styles.block} aria-label={lifecycleText.title}>
      <h2 className={styles.title}>{lifecycleText.title}</h2>
      <ol className={styles.life}>
        <li className={classes(styles.step, statusTone(pod.desiredStatus, isStarting) === 'done' && styles.now)}>
          <span className="m">{podStatusWord(pod.desiredStatus, isStarting)}</span>
          <span className="t3">{lifecycleText.now(nowMs - readAtMs)}</span>
        </li>
        <li className={styles.step}>
          <FieldShell info={podFields.lastStartedAt} path="lastStartedAt" className={styles.started}>
            <span>{lifecycleText.lastStarted}</span>
            <span className={styles.time}>
              <FieldValue info={podFields.lastStartedAt} path="lastStartedAt">
                {startedAtMs === null ? (
                  <span className="mono sel">{pod.lastStartedAt}</span>
                ) : (
                  <span className="sel" title={pod.lastStartedAt ?? undefined}>
                    {formatUtc(startedAtMs)}
                  </span>
                )}
              </FieldValue>
            </span>
          </FieldShell>
        </li>
      </ol>
      <FieldShell info={podFields.lastStatusChange} path="lastStatusChange" className={styles.quoted}>
        <div className={styles.quote}>
          <FieldValue info={podFields.lastStatusChange} path="lastStatusChange" />
        </div>
        <p className={styles.hint}>{lifecycleText.asReported}</p>
      </FieldShell>
    </section>
  );
}
