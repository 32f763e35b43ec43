import { CloudOff, Info, KeyRound, TriangleAlert, X } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { formatCount, formatCountOf, formatMinute } from '../../src-preload/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { replaceKey, sendOtherForm } from '../navigation/connection-actions.ts';
import { dismissNotice, useCurrentConnection, useJobCounts, useNow, useSession } from '../data/session-store.ts';
import { PlainHttpBanners } from '../settings/plain-http-banners.tsx';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { Notice } from '../../src-preload/app.ts';
import { ClosureBanner } from './closure-banner.tsx';
import { lossText, triedText } from '../data/closures.ts';
import { goToWaiting } from '../navigation/go.ts';
import { SlowedBanner } from './slowed-banner.tsx';
import { useFirstLoss } from './use-first-loss.ts';

/**
 * The states of the connection and the notices, at the top of the panel. `isOverList`: the job list is below, which
 * shows some of it already.
 */
export function Banners({ isOverList }: { isOverList: boolean }) {
  const connection = useCurrentConnection();
  return (
    <>
      <Notices />
      <KeychainBanner />
      <PlainHttpBanners />
      {connection !== null && <ConnectionBanner connection={connection} isOverList={isOverList} />}
    </>
  );
}

/** Messages that belong to no job, until they are dismissed. */
export function Notices() {
  const notices = useSession((state) => state.notices);
  return notices.map((notice) => <NoticeBanner key={notice.id} notice={notice} />);
}

function NoticeBanner({ notice }: { notice: Notice }) {
  const { path } = notice;
  return (
    <Banner
      tone={notice.tone}
      icon={notice.tone === 'info' ? <Info /> : <TriangleAlert />}
      title={notice.title}
      text={notice.text}
      actions={
        <>
          {path !== null && (
            <Button size="sm" onClick={() => callOrReport('app:showPath', { path })}>
              Show folder
            </Button>
          )}
          <IconButton
            label="Dismiss"
            size="sm"
            hasSmallGlyph
            icon={<X />}
            onClick={() => void dismissNotice(notice.id)}
          />
        </>
      }
    />
  );
}

/** The system may be asking for a password behind this window. */
function KeychainBanner() {
  const isWaiting = useSession((state) => state.keyStorage?.isWaiting === true);
  return isWaiting ? (
    <Banner
      tone="info"
      icon={<KeyRound />}
      title="Waiting for the system keychain"
      text={
        'Your system may be asking you to unlock it. Until then Jobdeck sends nothing that needs a key; ' +
        'saved jobs stay searchable.'
      }
    />
  ) : null;
}

/** What is wrong with a connection, and what the user can do. */
export function ConnectionBanner({ connection, isOverList }: { connection: Connection; isOverList: boolean }) {
  const hasJobs = (useJobCounts()?.all ?? 0) > 0;
  const isSandboxStopped = useSession((state) => connection.isSandbox && state.sandbox?.isRunning === false);
  if (isSandboxStopped) return <SandboxBanner />;
  switch (connection.state.kind) {
    case 'ready':
      return (
        <>
          <ClosureBanner connection={connection} />
          <SlowedBanner connection={connection} />
        </>
      );
    case 'offline':
      return <OfflineBanner sinceMs={connection.state.sinceMs} />;
    case 'no-key':
      return (
        <Banner
          tone="warning"
          icon={<KeyRound />}
          title={`No key for ${connection.name}`}
          text="Saved jobs stay searchable. Jobdeck sends and polls nothing until you add a key."
          actions={
            <Button size="sm" onClick={() => replaceKey(connection)}>
              Add key
            </Button>
          }
        />
      );
    case 'key-refused':
      // While the list is empty, its own pane says so in full.
      return hasJobs || !isOverList ? <RefusedBanner connection={connection} refusal={connection.state} /> : null;
  }
}

/** What still works without the service. */
function stillSearchable(count: number): string {
  if (count === 0) return 'Saved jobs stay searchable.';
  return count === 1
    ? 'The saved job stays searchable, with its input and output.'
    : `All ${formatCount(count)} saved jobs stay searchable, with inputs and outputs.`;
}

/** The sandbox is part of Jobdeck: if it is stopped, it is started here, and it needs no key from the user. */
function SandboxBanner() {
  const all = useJobCounts()?.all ?? 0;
  const start = (): void => callOrReport('connection:openSandbox', undefined);
  return (
    <Banner
      tone="offline"
      icon={<CloudOff />}
      title="The sandbox is not running"
      text={stillSearchable(all)}
      actions={
        <Button size="sm" onClick={() => start()}>
          Start the sandbox
        </Button>
      }
    />
  );
}

interface RefusedBannerProps {
  connection: Connection;
  refusal: Extract<ConnectionState, { kind: 'key-refused' }>;
}

/** The service refuses the key everywhere. Jobdeck retries automatically (ruling 35). */
function RefusedBanner({ connection, refusal }: RefusedBannerProps) {
  const { httpStatus, path, sinceMs, nextTryMs } = refusal;
  const nowMs = useNow(1_000);
  const lossMs = useFirstLoss(connection.id, null);
  const said = [
    `Jobdeck has read and sent nothing on ${connection.name} since ${formatMinute(sinceMs)}; saved jobs and ` +
      'the outbox are safe.',
    lossText(lossMs, nowMs),
    triedText(nextTryMs, nowMs, null),
  ];
  return (
    <Banner
      tone="error"
      icon={<KeyRound />}
      title={`The service refused this key (${httpStatus})`}
      text={
        <>
          {said.filter((part) => part !== '').join(' ')} <span className="mono sel">{path}</span>
        </>
      }
      actions={
        <>
          <Button size="sm" variant="ghost" onClick={() => void sendOtherForm(connection)}>
            {connection.authorization === 'bearer' ? 'Send as bare key' : 'Send as Bearer'}
          </Button>
          <Button size="sm" onClick={() => callOrReport('tracker:tryNow', undefined)}>
            Try now
          </Button>
          <Button size="sm" variant="primary" onClick={() => replaceKey(connection)}>
            Replace key
          </Button>
        </>
      }
    />
  );
}

function OfflineBanner({ sinceMs }: { sinceMs: number }) {
  const all = useJobCounts()?.all ?? 0;
  const waiting = useSession((state) => state.tracker?.waitingToSend ?? 0);
  const saved = stillSearchable(all);
  return (
    <Banner
      tone="offline"
      icon={<CloudOff />}
      title={`Offline since ${formatMinute(sinceMs)}`}
      text={waiting > 0 ? `${saved} ${formatCountOf(waiting, 'job waits', 'jobs wait')} to be sent.` : saved}
      actions={
        <>
          {waiting > 0 && <Button size="sm" variant="ghost" onClick={goToWaiting}>{`Show ${waiting} waiting`}</Button>}
          <Button size="sm" onClick={() => callOrReport('tracker:tryNow', undefined)}>
            Try now
          </Button>
        </>
      }
    />
  );
}
