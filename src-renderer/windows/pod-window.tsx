import { Pin, PinOff, RefreshCw, Server } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { podIdProblem } from '../../src-preload/pod-reading.ts';
import { plainScope } from '../commands/scope.ts';
import { podSection } from '../commands/window-sections.tsx';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { formatClock, formatDay } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { aboutText, removedConnectionText } from '../messages/windows/secondary-windows.ts';
import { podStatusText, podWindowText } from '../messages/windows/pod-window.tsx';
import { SecondaryWindow, sandboxOf, useOnline } from './secondary-window.tsx';
import status from './status-bar.module.css';
import { keepTabStop, moveBetweenFields } from '../pods/field.tsx';
import { readPodReply } from '../pods/field-state.ts';
import { IdentityPanel } from '../pods/identity-panel.tsx';
import { PodBody } from '../pods/pod-body.tsx';
import { IncludeContext, PodContext, type ShownPod } from '../pods/pod-context.ts';
import { readAgo } from '../messages/pods/status.ts';
import { NoRestUrl, ReadProblem } from '../pods/read-problem.tsx';
import { RequestPanel } from '../pods/request-panel.tsx';
import { useFollowing, type FollowState } from '../pods/use-following.ts';
import { usePod, type PodInView } from '../pods/use-pod.ts';
import styles from './pod-window.module.css';

/** A window of its own for a pod. */
export function PodWindow({ connectionId, podId }: { connectionId: string; podId: string }) {
  const connection = useSession((state) => state.connections.find((one) => one.id === connectionId) ?? null);
  const idProblem = podIdProblem(podId);
  const hasRestUrl = connection !== null && connection.restUrl !== '';
  const pod = usePod(connectionId, podId, hasRestUrl && idProblem === null);
  const following = useFollowing(pod);
  const online = useOnline(connection);
  const [isSearching, setSearching] = useState(false);
  const reading = pod.known?.reading ?? null;
  const inHand = useMemo(
    (): ShownPod | null =>
      reading === null
        ? null
        : {
            connectionId,
            podId,
            include: reading.include,
            hasValues: pod.known?.hasValues === true,
            readAtMs: reading.readAtMs,
            ...readPodReply(reading.reply),
          },
    [reading, connectionId, podId, pod.known?.hasValues],
  );
  const name = reading?.reply.pod.name ?? podId;
  const readRefusal = hasRestUrl ? (idProblem ?? '') : podWindowText.noRestUrl;

  return (
    <SecondaryWindow
      name={podWindowText.name(name)}
      icon={<Server />}
      title={name}
      isTitleHeading={false}
      about={aboutText(podWindowText.kind, connection)}
      sandbox={sandboxOf(connection)}
      actions={
        <>
          {reading !== null && <ReadAt readAtMs={reading.readAtMs} isStale={pod.failure !== null} />}
          {reading !== null && (
            <IconButton
              label={pod.known?.isPinned === true ? podWindowText.unpin : podWindowText.pin}
              isOn={pod.known?.isPinned === true}
              icon={pod.known?.isPinned === true ? <PinOff /> : <Pin />}
              onClick={() => pod.setPinned(pod.known?.isPinned !== true)}
            />
          )}
          <Button size="sm" icon={<RefreshCw />} keys={['F5']} disabledReason={readRefusal} onClick={pod.read}>
            {podWindowText.refresh}
          </Button>
        </>
      }
      online={online}
      status={<Status pod={pod} following={following} />}
      scope={plainScope(connection, () =>
        podSection({
          podId,
          isPinned: pod.known?.isPinned === true,
          readRefusal,
          isRead: reading !== null,
          read: pod.read,
          find: () => setSearching(true),
          setPinned: pod.setPinned,
        }),
      )}
    >
      <ErrorBoundary part={podWindowText.part}>
        {idProblem !== null ? (
          <main className={styles.alone}>
            <EmptyState title={podWindowText.notAnIdTitle} text={podWindowText.notAnIdHint(idProblem)} />
          </main>
        ) : connection === null ? (
          <main className={styles.alone}>
            <EmptyState title={removedConnectionText.title} text={removedConnectionText.noPods} />
          </main>
        ) : (
          <Panels
            connectionId={connectionId}
            podId={podId}
            pod={pod}
            inHand={inHand}
            following={following}
            hasRestUrl={hasRestUrl}
            isSearching={isSearching}
            onSearching={setSearching}
          />
        )}
      </ErrorBoundary>
    </SecondaryWindow>
  );
}

interface PanelsProps {
  connectionId: string;
  podId: string;
  pod: PodInView;
  inHand: ShownPod | null;
  following: FollowState;
  hasRestUrl: boolean;
  isSearching: boolean;
  onSearching: (isSearching: boolean) => void;
}

function Panels({ connectionId, podId, pod, inHand, following, hasRestUrl, isSearching, onSearching }: PanelsProps) {
  const area = useRef<HTMLElement>(null);
  useEffect(() => (area.current === null ? undefined : keepTabStop(area.current)));
  const reading = pod.known?.reading ?? null;
  const problem = !hasRestUrl ? (
    <NoRestUrl connectionId={connectionId} />
  ) : (
    pod.failure !== null && (
      <ReadProblem
        failure={pod.failure.failure}
        atMs={pod.failure.atMs}
        readingAtMs={reading?.readAtMs ?? null}
        connectionId={connectionId}
        request={requestLine(podId, pod.include)}
        isReading={pod.isReading}
        onRead={pod.read}
      />
    )
  );
  return (
    <main ref={area} className={styles.content} onKeyDown={moveBetweenFields}>
      <PodContext value={inHand}>
        <IncludeContext value={(flag) => pod.setInclude(flag, true)}>
          <PaneSplit
            pane="podIdentity"
            className={styles.frame}
            left={inHand === null ? <Unread podId={podId} isReading={pod.isReading} /> : <IdentityPanel />}
            right={
              <PaneSplit
                pane="podRequest"
                className={styles.rest}
                edgeClass={styles.edge}
                left={
                  <div className={styles.middle}>
                    {problem !== false && <div className={styles.problem}>{problem}</div>}
                    {following.kind === 'stopped' && <StillStarting onGoOn={following.resume} />}
                    {inHand !== null ? (
                      <PodBody changes={pod.known?.changes ?? null} />
                    ) : (
                      pod.isReading && <SkeletonRows count={12} height={28} />
                    )}
                  </div>
                }
                right={
                  <RequestPanel
                    connectionId={connectionId}
                    podId={podId}
                    include={pod.include}
                    onInclude={pod.setInclude}
                    reading={reading}
                    failure={pod.failure?.failure ?? null}
                    isSearching={isSearching}
                    onSearching={onSearching}
                  />
                }
              />
            }
          />
        </IncludeContext>
      </PodContext>
    </main>
  );
}

function Unread({ podId, isReading }: { podId: string; isReading: boolean }) {
  return (
    <aside className={styles.blank} aria-label={podWindowText.identity}>
      {isReading ? (
        <SkeletonRows count={6} height={52} />
      ) : (
        <div className={styles.unread}>
          <h1>{podId}</h1>
          <p>{podWindowText.unread}</p>
        </div>
      )}
    </aside>
  );
}

function StillStarting({ onGoOn }: { onGoOn: () => void }) {
  return (
    <div className={styles.note}>
      <Callout
        title={podWindowText.stillStartingTitle}
        actions={<Button onClick={onGoOn}>{podWindowText.keepRefreshing}</Button>}
      >
        <p>{podWindowText.stillStartingHint}</p>
      </Callout>
    </div>
  );
}

function requestLine(podId: string, include: readonly string[]): string {
  return (
    `GET /v1/pods/${encodeURIComponent(podId)}` +
    include.map((flag, index) => `${index === 0 ? '?' : '&'}${flag}=true`).join('')
  );
}

function ReadAt({ readAtMs, isStale }: { readAtMs: number; isStale: boolean }) {
  const nowMs = useNow(30_000);
  return (
    <span
      className={classes(styles.read, isStale && styles.stale)}
      title={`${formatDay(readAtMs, nowMs)}, ${formatClock(readAtMs)}`}
    >
      {readAgo(readAtMs, Math.max(nowMs, readAtMs))}
    </span>
  );
}

function Status({ pod, following }: { pod: PodInView; following: FollowState }) {
  const reading = pod.known?.reading ?? null;
  const changes = pod.known?.changes ?? null;
  return (
    <>
      {reading !== null && (
        <span>
          {podStatusText.request}{' '}
          <span className={status.value}>{podStatusText.answer(reading.httpStatus, reading.tookMs)}</span>
        </span>
      )}
      {changes !== null && pod.failure === null && (
        <span>
          {changes.changes.length === 0
            ? podStatusText.nothingChanged(changes.sinceMs)
            : podStatusText.changed(
                <span className={status.value}>{podStatusText.fields(changes.changes.length)}</span>,
                changes.sinceMs,
              )}
        </span>
      )}
      <span className={status.space} />
      <span>{pod.isReading ? podStatusText.reading : <FollowText following={following} />}</span>
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'C']} />
        {podStatusText.copyField}
      </span>
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'F']} />
        {podStatusText.find}
      </span>
    </>
  );
}

function FollowText({ following }: { following: FollowState }) {
  const nowMs = useNow(1_000);
  switch (following.kind) {
    case 'none':
      return podStatusText.onRequest;
    case 'waiting':
      return podStatusText.nextIn(Math.max(0, Math.ceil((following.nextAtMs - nowMs) / 1_000)));
    case 'stopped':
      return podStatusText.noLongerRefreshed;
  }
}
