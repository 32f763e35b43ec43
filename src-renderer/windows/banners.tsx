import { CloudOff, Info, KeyRound, TriangleAlert, X } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { Suspense } from 'react';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { lazyPart } from '../design/lazy-part.ts';
import { replaceKey, sendOtherForm } from '../navigation/connection-actions.ts';
import {
  dismissNotice,
  useClosures,
  useCurrentConnection,
  useJobCounts,
  useNow,
  useSession,
} from '../data/session-store.ts';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { Notice } from '../../src-preload/app.ts';
import { commonText } from '../messages/common.ts';
import { lossText, triedText } from '../messages/data/closures.ts';
import { bannerText, stillSearchableText } from '../messages/windows/states.tsx';
import { goToWaiting } from '../navigation/go.ts';
import { useFirstLoss } from './use-first-loss.ts';

// These are rare, so their code is not part of the first screen.
const PlainHttpBanner = lazyPart(async () => (await import('../settings/plain-http-banner.tsx')).PlainHttpBanner);
const ClosureBanner = lazyPart(async () => (await import('./closure-banner.tsx')).ClosureBanner);
const SlowedBanner = lazyPart(async () => (await import('./slowed-banner.tsx')).SlowedBanner);

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
              {bannerText.showFolder}
            </Button>
          )}
          <IconButton
            label={commonText.dismiss}
            size="sm"
            hasSmallGlyph
            icon={<X />}
            onClick={() => void dismissNotice(notice)}
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
    <Banner tone="info" icon={<KeyRound />} title={bannerText.keychainTitle} text={bannerText.keychainHint} />
  ) : null;
}

function PlainHttpBanners() {
  const connections = useSession((state) => state.connections);
  const open = connections.filter(({ plainHttp }) => plainHttp.some(({ isAgreed }) => !isAgreed));
  return (
    <Suspense fallback={null}>
      {open.map((connection) => (
        <PlainHttpBanner key={connection.id} connection={connection} />
      ))}
    </Suspense>
  );
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
          <Closures connection={connection} />
          <Slowed connection={connection} />
        </>
      );
    case 'offline':
      return <OfflineBanner sinceMs={connection.state.sinceMs} />;
    case 'no-key':
      return (
        <Banner
          tone="warning"
          icon={<KeyRound />}
          title={bannerText.noKeyTitle(connection.name)}
          text={bannerText.noKeyHint}
          actions={
            <Button size="sm" onClick={() => replaceKey(connection)}>
              {bannerText.addKey}
            </Button>
          }
        />
      );
    case 'key-refused':
      // While the list is empty, its own pane says so in full.
      return hasJobs || !isOverList ? <RefusedBanner connection={connection} refusal={connection.state} /> : null;
  }
}

function Closures({ connection }: { connection: Connection }) {
  const closures = useClosures(connection.id);
  return (
    <Suspense fallback={null}>
      {closures.length > 0 && <ClosureBanner connection={connection} closures={closures} />}
    </Suspense>
  );
}

/** The banner about 429s is loaded when the first one comes. */
function Slowed({ connection }: { connection: Connection }) {
  const isSlowed = useSession((state) => state.tracker?.budgets.some(({ backoffStep }) => backoffStep > 0) === true);
  return <Suspense fallback={null}>{isSlowed && <SlowedBanner connection={connection} />}</Suspense>;
}

/** The sandbox is part of Jobdeck: if it is stopped, it is started here, and it needs no key from the user. */
function SandboxBanner() {
  const all = useJobCounts()?.all ?? 0;
  const start = (): void => callOrReport('connection:openSandbox', undefined);
  return (
    <Banner
      tone="offline"
      icon={<CloudOff />}
      title={bannerText.sandboxStopped}
      text={stillSearchableText(all)}
      actions={
        <Button size="sm" onClick={() => start()}>
          {bannerText.startSandbox}
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
    bannerText.nothingSince(connection.name, sinceMs),
    lossText(lossMs, nowMs),
    triedText(nextTryMs, nowMs, null),
  ];
  return (
    <Banner
      tone="error"
      icon={<KeyRound />}
      title={bannerText.keyRefused(httpStatus)}
      text={
        <>
          {said.filter((part) => part !== '').join(' ')} <span className="mono sel">{path}</span>
        </>
      }
      actions={
        <>
          <Button size="sm" variant="ghost" onClick={() => void sendOtherForm(connection)}>
            {connection.authorization === 'bearer' ? bannerText.sendAsBareKey : bannerText.sendAsBearer}
          </Button>
          <Button size="sm" onClick={() => callOrReport('tracker:tryNow', undefined)}>
            {commonText.tryNow}
          </Button>
          <Button size="sm" variant="primary" onClick={() => replaceKey(connection)}>
            {bannerText.replaceKey}
          </Button>
        </>
      }
    />
  );
}

function OfflineBanner({ sinceMs }: { sinceMs: number }) {
  const all = useJobCounts()?.all ?? 0;
  const waiting = useSession((state) => state.tracker?.waitingToSend ?? 0);
  const saved = stillSearchableText(all);
  return (
    <Banner
      tone="offline"
      icon={<CloudOff />}
      title={bannerText.offlineSince(sinceMs)}
      text={waiting > 0 ? `${saved} ${bannerText.toBeSent(waiting)}` : saved}
      actions={
        <>
          {waiting > 0 && (
            <Button size="sm" variant="ghost" onClick={goToWaiting}>
              {bannerText.showWaiting(waiting)}
            </Button>
          )}
          <Button size="sm" onClick={() => callOrReport('tracker:tryNow', undefined)}>
            {commonText.tryNow}
          </Button>
        </>
      }
    />
  );
}
