import { ChevronDown, EllipsisVertical, Pin, PinOff, Server, Settings, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { podIdProblem, type RememberedPod } from '../../src-preload/pod-reading.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { formatAge } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { useCondition } from '../data/condition.ts';
import { useCurrentConnection, useNow, useSession } from '../data/session-store.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { formatPrice } from './field-state.ts';
import { statusText } from './pod-messages.ts';
import styles from './pods-pane.module.css';
import { forgetPod, useKnownPods } from './forget-pod.ts';
import { openPod } from '../navigation/go.ts';
import { useRememberedPods } from './remembered-pods.ts';

/** Pods that were opened before, pinned ones first, and a field to open one by its id. */
export function PodsPane() {
  const connection = useCurrentConnection();
  return (
    <section className={styles.pane} aria-label="Pods">
      {connection !== null && <PodsOf key={connection.id} connection={connection} />}
    </section>
  );
}

function PodsOf({ connection }: { connection: Connection }) {
  const { data, error, refetch } = useRememberedPods(connection.id);
  const pods = useKnownPods(data);
  const condition = useCondition(connection);
  const pinned = pods?.filter(({ isPinned }) => isPinned) ?? [];
  const recent = pods?.filter(({ isPinned }) => !isPinned) ?? [];
  const isAway = condition?.kind === 'offline' || condition?.kind === 'sandbox-stopped';
  return (
    <>
      <OpenById connection={connection} />
      <div className={styles.scroll}>
        {connection.restUrl === '' && (
          <Callout
            tone="warning"
            icon={<Settings />}
            title="This connection has no REST URL"
            actions={
              <Button
                icon={<Settings />}
                onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
              >
                Add the REST URL
              </Button>
            }
          >
            <p>
              Pods and templates are read from the management interface, which has its own address. Pods you opened
              before still open.
            </p>
          </Callout>
        )}
        {isAway && (
          <Callout tone="warning" title={condition.kind === 'offline' ? 'Offline' : 'The sandbox is not running'}>
            <p>Pods open as last read, with their age. Reading them again needs the service.</p>
          </Callout>
        )}
        {error !== null && (
          <Callout
            tone="error"
            title="The saved pods cannot be read"
            actions={<Button onClick={() => void refetch()}>Try again</Button>}
          >
            <p>{error.message}</p>
          </Callout>
        )}
        {pods === undefined && error === null && <SkeletonRows count={5} height={44} />}
        {pods?.length === 0 && (
          <EmptyState
            title="No pods yet"
            text={
              'The service does not list pods, so open each one by its id once. It then stays here with the ' +
              'data last read.'
            }
          />
        )}
        <Group title="Pinned" pods={pinned} />
        <Group title="Recent" pods={recent} />
      </div>
    </>
  );
}

function OpenById({ connection }: { connection: Connection }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = podIdProblem(text);
    setProblem(wrong);
    if (wrong !== null) return;
    openPod(connection.id, text.trim());
    setText('');
  };
  return (
    <form className={styles.open} onSubmit={submit} aria-label="Open a pod by id" noValidate>
      <TextField
        label="Pod id"
        isMono
        data-pod-id
        placeholder="p7d2kx40nqa1we"
        hint={`Read from ${connection.restUrl === '' ? 'the REST URL, which is missing' : connection.restUrl}`}
        className={styles.field}
        value={text}
        problem={problem}
        onChange={(typed) => {
          setText(typed);
          if (problem !== null) setProblem(podIdProblem(typed));
        }}
      />
      <Button type="submit" variant="primary" size="lg" icon={<Server />} className={styles.submit}>
        Open pod
      </Button>
      {connection.isSandbox && <SandboxPods connectionId={connection.id} />}
    </form>
  );
}

/** The pods of the sandbox. The service has no operation that lists pods, so a new user would have none to open. */
function SandboxPods({ connectionId }: { connectionId: string }) {
  const ids = useSession((state) => state.sandbox?.pods) ?? [];
  if (ids.length === 0) return null;
  const items = ids.map((id): MenuEntry => ({
    kind: 'item',
    label: id,
    icon: <Server />,
    onSelect: () => openPod(connectionId, id),
  }));
  return (
    <Menu
      items={items}
      minWidth={200}
      trigger={
        <Button size="lg" variant="ghost" className={styles.submit}>
          Pods of the sandbox
          <ChevronDown />
        </Button>
      }
    />
  );
}

function Group({ title, pods }: { title: string; pods: readonly RememberedPod[] }) {
  const nowMs = useNow(30_000);
  if (pods.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.heading}>
        {title}
        <span className={styles.count}>{pods.length}</span>
      </h2>
      <ul>
        {pods.map((pod) => (
          <Line key={pod.podId} pod={pod} nowMs={Math.max(nowMs, pod.readAtMs)} />
        ))}
      </ul>
    </section>
  );
}

function Line({ pod, nowMs }: { pod: RememberedPod; nowMs: number }) {
  const { connectionId, podId } = pod;
  const { word, tone } = statusText(pod.desiredStatus, false);
  const pin = async (): Promise<void> => {
    const result = await call('pod:pin', { connectionId, podId, isPinned: !pod.isPinned });
    if (!result.ok) toast(result.failure.message);
  };
  return (
    <li className={styles.line}>
      <button type="button" className={styles.pod} onClick={() => openPod(pod.connectionId, pod.podId)}>
        <span className="visually-hidden">Open pod</span>
        <span className={classes(styles.name, 'trunc')} dir="auto">
          {pod.name ?? pod.podId}
        </span>
        <span className={classes(styles.id, 'trunc')}>{pod.podId}</span>
        <span className={classes(styles.state, styles[tone])}>
          <span className={styles.dot} aria-hidden="true" />
          {word}
        </span>
        <span className={classes(styles.hardware, 'trunc')}>{pod.hardware ?? ''}</span>
        <span className={styles.cost}>
          {pod.adjustedCostPerHr === null ? '' : `${formatPrice(pod.adjustedCostPerHr)} / h`}
        </span>
        <span className={styles.age}>
          {nowMs - pod.readAtMs < 60_000 ? 'read just now' : `as of ${formatAge(nowMs - pod.readAtMs)} ago`}
        </span>
      </button>
      <IconButton
        label={pod.isPinned ? `Unpin ${pod.name ?? pod.podId}` : `Pin ${pod.name ?? pod.podId}`}
        size="sm"
        hasSmallGlyph
        icon={pod.isPinned ? <PinOff /> : <Pin />}
        onClick={() => void pin()}
      />
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${pod.name ?? pod.podId}`} size="sm" hasSmallGlyph icon={<EllipsisVertical />} />
        }
        items={[
          { kind: 'item', label: 'Open', icon: <Server />, onSelect: () => openPod(pod.connectionId, pod.podId) },
          {
            kind: 'item',
            label: 'Forget',
            icon: <Trash2 />,
            note: 'here only',
            onSelect: () => forgetPod(pod),
          },
        ]}
      />
    </li>
  );
}
