import { Ellipsis, Pin, PinOff, Server, Settings, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { podIdProblem, type RememberedPod } from '../../src-preload/pod-reading.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { IdMenu } from '../design/menu/id-menu.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { toast } from '../design/toast.tsx';
import { useConnectionState } from '../data/connection-state.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { commonText } from '../messages/common.ts';
import { openPodText, podLineText, podsPaneText } from '../messages/pods/pane.ts';
import { podStatusWord, readAge } from '../messages/pods/status.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import styles from './pods-pane.module.css';
import { forgetPod, useKnownPods, useRememberedPods } from './remembered-pods.ts';
import { openPod } from '../navigation/go.ts';
import { statusTone } from './identity-panel.tsx';

/** Pods that were opened before, pinned ones first, and a field to open one by its id. */
export function PodsPane() {
  const connection = useCurrentConnection();
  return (
    <section className={styles.pane} aria-label={podsPaneText.title}>
      {connection !== null && <PodsOf key={connection.id} connection={connection} />}
    </section>
  );
}

function PodsOf({ connection }: { connection: Connection }) {
  const { data, error, refetch } = useRememberedPods(connection.id);
  const pods = useKnownPods(data);
  const connectionState = useConnectionState(connection);
  const pinned = pods?.filter(({ isPinned }) => isPinned) ?? [];
  const recent = pods?.filter(({ isPinned }) => !isPinned) ?? [];
  const isAway = connectionState?.kind === 'offline' || connectionState?.kind === 'sandbox-stopped';
  return (
    <>
      <OpenById connection={connection} />
      <div className={styles.scroll}>
        {connection.restUrl === '' && (
          <Callout
            tone="warning"
            icon={<Settings />}
            title={commonText.noRestUrl}
            actions={
              <Button
                icon={<Settings />}
                onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
              >
                {podsPaneText.addRestUrl}
              </Button>
            }
          >
            <p>{podsPaneText.noRestUrl}</p>
          </Callout>
        )}
        {isAway && (
          <Callout
            tone="warning"
            title={connectionState.kind === 'offline' ? podsPaneText.offline : podsPaneText.sandboxStopped}
          >
            <p>{podsPaneText.openAsLastRead}</p>
          </Callout>
        )}
        {error !== null && (
          <Callout
            tone="error"
            title={podsPaneText.couldNotRead}
            actions={<Button onClick={() => void refetch()}>{commonText.tryAgain}</Button>}
          >
            <p>{error.message}</p>
          </Callout>
        )}
        {pods === undefined && error === null && <SkeletonRows count={5} height={44} />}
        {pods?.length === 0 && <EmptyState title={podsPaneText.emptyTitle} text={podsPaneText.emptyHint} />}
        <Group title={podsPaneText.pinned} pods={pinned} />
        <Group title={podsPaneText.recent} pods={recent} />
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
    <form className={styles.open} onSubmit={submit} aria-label={openPodText.form} noValidate>
      <TextField
        label={openPodText.id}
        isMono
        data-pod-id
        placeholder="p7d2kx40nqa1we"
        hint={openPodText.readFrom(connection.restUrl)}
        className={styles.field}
        value={text}
        problem={problem}
        onChange={(typed) => {
          setText(typed);
          if (problem !== null) setProblem(podIdProblem(typed));
        }}
      />
      <Button type="submit" variant="primary" size="lg" icon={<Server />} className={styles.submit}>
        {openPodText.open}
      </Button>
      {connection.isSandbox && <SandboxPods connectionId={connection.id} />}
    </form>
  );
}

/** The pods of the sandbox. The service has no operation that lists pods, so a new user would have none to open. */
function SandboxPods({ connectionId }: { connectionId: string }) {
  const ids = useSession((state) => state.sandbox?.pods) ?? [];
  return (
    <IdMenu
      label={openPodText.sandbox}
      ids={ids}
      icon={<Server />}
      className={styles.submit}
      onOpen={(id) => openPod(connectionId, id)}
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
  const name = pod.name ?? pod.podId;
  const pin = async (): Promise<void> => {
    const result = await call('pod:pin', { connectionId, podId, isPinned: !pod.isPinned });
    if (!result.ok) toast(result.failure.message);
  };
  return (
    <li className={styles.line}>
      <button type="button" className={styles.pod} onClick={() => openPod(pod.connectionId, pod.podId)}>
        <span className="visually-hidden">{podLineText.open}</span>
        <span className={classes(styles.name, 'trunc')} dir="auto">
          {name}
        </span>
        <span className={classes(styles.id, 'trunc')}>{pod.podId}</span>
        <span className={classes(styles.state, styles[statusTone(pod.desiredStatus, false)])}>
          <span className={styles.dot} aria-hidden="true" />
          {podStatusWord(pod.desiredStatus, false)}
        </span>
        <span className={classes(styles.hardware, 'trunc')}>{pod.hardware ?? ''}</span>
        <span className={styles.cost}>
          {pod.adjustedCostPerHr === null ? '' : podLineText.perHour(pod.adjustedCostPerHr)}
        </span>
        <span className={styles.age}>{readAge(nowMs - pod.readAtMs)}</span>
      </button>
      <IconButton
        label={pod.isPinned ? podLineText.unpin(name) : podLineText.pin(name)}
        size="sm"
        hasSmallGlyph
        icon={pod.isPinned ? <PinOff /> : <Pin />}
        onClick={() => void pin()}
      />
      <Menu
        align="end"
        trigger={<IconButton label={podLineText.more(name)} size="sm" hasSmallGlyph icon={<Ellipsis />} />}
        items={[
          {
            kind: 'item',
            label: podLineText.openItem,
            icon: <Server />,
            onSelect: () => openPod(pod.connectionId, pod.podId),
          },
          {
            kind: 'item',
            label: podLineText.forget,
            icon: <Trash2 />,
            note: podLineText.forgetNote,
            onSelect: () => forgetPod(pod),
          },
        ]}
      />
    </li>
  );
}
