import { CloudOff, Info, KeyRound, TriangleAlert, X } from 'lucide-react';
import { callOrReport } from '../call-or-report.ts';
import { Suspense, useState, useSyncExternalStore, type ReactElement } from 'react';
import { AfterActions, Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { lazyPart } from '../design/lazy-part.ts';
import { replaceKey, sendOtherForm } from '../navigation/connection-actions.ts';
import { dismissNotice, useClosures, useCurrentConnection, useJobCounts, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import type { Connection, ConnectionState } from '../../src-preload/connection.ts';
import type { Notice } from '../../src-preload/app.ts';
import { commonText } from '../messages/common.ts';
import { lossText, triedText } from '../messages/data/closures.ts';
import { bannerText, stillSearchableText } from '../messages/windows/states.tsx';
import { goToWaiting } from '../navigation/go.ts';
import { slowedLane } from './backoff-ladder.ts';
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
  const ofConnection = useConnectionBanners(connection, isOverList);
  const notices = useNoticeBanners();
  const isKeychainWaiting = useSession((state) => state.keyStorage?.isWaiting === true);
  const connections = useSession((state) => state.connections);
  const plainHttp = connections
    .filter((one) => one.plainHttp.some(({ isAgreed }) => !isAgreed))
    .map((one) => <PlainHttpBanner key={`plain-http ${one.id}`} connection={one} />);
  return (
    <BannerStack
      banners={[
        ...ofConnection,
        ...(isKeychainWaiting ? [<KeychainBanner key="keychain" />] : []),
        ...plainHttp,
        ...notices,
      ]}
    />
  );
}

/** Messages that belong to no job, until they are dismissed. */
export function Notices() {
  return <BannerStack banners={useNoticeBanners()} />;
}

function useNoticeBanners(): ReactElement[] {
  const notices = useSession((state) => state.notices);
  return notices.map((notice) => <NoticeBanner key={`notice ${notice.id}`} notice={notice} />);
}

/** A window less high than this has no room for more than one banner. */
const lowPx = 720;

/** Banners below each other. A low window shows the first, and the others on request. */
function BannerStack({ banners }: { banners: readonly ReactElement[] }) {
  const [areAllShown, setAllShown] = useState(false);
  const isLow = useSyncExternalStore(onResize, () => window.innerHeight < lowPx);
  const [first, ...others] = banners;
  if (first === undefined) return null;
  const more =
    isLow && others.length > 0 ? (
      <Button size="sm" variant="ghost" aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
        {areAllShown ? bannerText.fewer : bannerText.more(others.length)}
      </Button>
    ) : null;
  return (
    <Suspense fallback={null}>
      <AfterActions value={more}>{first}</AfterActions>
      {(!isLow || areAllShown) && others}
    </Suspense>
  );
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
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
  return <Banner tone="info" icon={<KeyRound />} title={bannerText.keychainTitle} text={bannerText.keychainHint} />;
}

/** What is wrong with a connection, and what the user can do. */
export function ConnectionBanner({ connection, isOverList }: { connection: Connection; isOverList: boolean }) {
  return <BannerStack banners={useConnectionBanners(connection, isOverList)} />;
}

function useConnectionBanners(connection: Connection | null, isOverList: boolean): ReactElement[] {
  const hasJobs = (useJobCounts()?.all ?? 0) > 0;
  const isSandboxStopped = useSession((state) => connection?.isSandbox === true && state.sandbox?.isRunning === false);
  const closures = useClosures(connection?.id);
  const isSlowed = useSession(
    ({ tracker }) => connection !== null && slowedLane(tracker?.budgets ?? [], connection.id) !== null,
  );
  if (connection === null) return [];
  if (isSandboxStopped) return [<SandboxBanner key="sandbox" />];
  switch (connection.state.kind) {
    case 'ready':
      return [
        ...(closures.length > 0 ? [<ClosureBanner key="closures" connection={connection} closures={closures} />] : []),
        ...(isSlowed ? [<SlowedBanner key="slowed" connection={connection} />] : []),
      ];
    case 'offline':
      return [<OfflineBanner key="offline" sinceMs={connection.state.sinceMs} />];
    case 'no-key':
      return [<NoKeyBanner key="no-key" connection={connection} />];
    case 'key-refused':
      // While the list is empty, its own pane says so in full.
      return hasJobs || !isOverList
        ? [<RefusedBanner key="refused" connection={connection} refusal={connection.state} />]
        : [];
  }
}

function NoKeyBanner({ connection }: { connection: Connection }) {
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
  const sentences = [bannerText.nothingSince(sinceMs), lossText(lossMs, nowMs), triedText(nextTryMs, nowMs, null)];
  return (
    <Banner
      tone="error"
      icon={<KeyRound />}
      title={bannerText.keyRefused(httpStatus)}
      text={<span title={path}>{sentences.filter((part) => part !== '').join(' ')}</span>}
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
