import { randomUUID } from 'node:crypto';
import { createEngineEvents, type EngineEvents, type News } from './engine-events.ts';
import type { Events } from '../async/events.ts';
import { createSettings, type SettingsStore } from '../settings/settings.ts';
import { findSecrets } from '../redaction/find-secrets.ts';
import { type KnownSecrets, createKnownSecrets } from '../redaction/redactor.ts';
import { openSecretStore, type SecretStore } from '../secret/secret-store.ts';
import { KeyedVault, readVaultKeyId, type Vault } from '../secret/vault.ts';
import { podBelonging } from '../pod/pod-records.ts';
import { templateBelongings } from '../template/template-documents.ts';
import type { Preparation } from '../../src-preload/app.ts';
import { refuseOpenTls } from '../service/proxy-and-certificates.ts';
import { createReplyReader, type ReplyReader } from '../service/read-reply.ts';
import { join } from 'node:path';
import type { Keytar } from '../secret/keychain.ts';
import type { AsyncSafeStorage } from '../secret/safe-storage.ts';
import { createSecretFiles } from '../secret/secret-index.ts';
import type { History } from '../history/history.ts';
import { finishRestore, preparedFor, RestoreDelayed } from '../history/backup/restore.ts';
import { createPrivate } from '../history/file/in-the-way.ts';
import { openHistory } from '../history/open-history.ts';
import type { HistoryOptions } from '../history/open-history.ts';
import type { Clock } from '../time/clock.ts';
import type { Log } from '../log.ts';
import { runBackupTask } from './backup-task.ts';
import { openClockGuard, type ClockGuard } from './clock-guard.ts';
import { createClosing, type Closing } from './closing.ts';
import { lockFolder, makePrivate, removeLeftovers } from './data-folder.ts';
import { JobNews } from './job-news.ts';
import { createUnreadBatches } from './unread-batches.ts';
import { createNotices, createHistoryEventReports, type Notices } from './notices.ts';
import {
  keysUnreadableNotice,
  openTlsNotice,
  openToAllNotice,
  restoreDelayedNotice,
  restoredNotice,
  setAsideNotice,
} from '../messages/notices.ts';

export interface EngineParts {
  /** The folder of the database, sealed secrets and the log. */
  dataDir: string;
  clock: Clock;
  /** The threads' entry files: beside the bundle in the app, the sources under plain Node. */
  threads: { history: URL; backup: URL; replies: URL; sandbox: URL; sandboxHandler: URL };
  /** Starts the history's thread. If absent, it is a new one. */
  startHistoryThread?: NonNullable<HistoryOptions['startWorker']>;
  loadKeytar: () => Promise<Keytar>;
  safeStorage: AsyncSafeStorage | null;
  /** The system's proxy for an address, in the syntax of a PAC file. If absent, there is none. */
  resolveProxy?: (url: string) => Promise<string>;
  /** False if the built-in sandbox must not start (JOBDECK_SANDBOX=off). */
  isSandboxAllowed: boolean;
  /** Called with what the start waits for if it can take seconds, and with null when that is over. */
  onPreparing?: (preparation: Preparation | null) => void;
  /** Passes saved facts to the listeners. */
  news: News;
  log: Log;
}

/** What all features are built on: storage, keys, settings, and the events between them. */
export interface Foundation {
  parts: EngineParts;
  events: Events<EngineEvents>;
  history: History;
  /** What windows get about jobs. */
  jobNews: JobNews;
  notices: Notices;
  closing: Closing;
  settings: SettingsStore;
  /** Whether the clock of this computer is believed. */
  clockGuard: ClockGuard;
  knownSecrets: KnownSecrets;
  secrets: SecretStore;
  vault: Vault;
  /** Parses, masks and hashes large replies in a thread of its own. */
  replies: ReplyReader;
}

/** Where the history is. */
export function historyPath(dataDir: string): string {
  return join(dataDir, 'history.db');
}

/** The subjects of the sealed texts in documents. */
const sealedBelongings = { ...podBelonging, ...templateBelongings };

type Storage = Pick<Foundation, 'history' | 'jobNews' | 'notices' | 'closing'>;

/** Opens the history, which `closing` closes. Throws if another Jobdeck is using the folder. */
export async function openStorage(parts: EngineParts): Promise<Storage> {
  makePrivate(parts.dataDir);
  const closing = createClosing(parts.log);
  closing.later('folder', lockFolder(parts.dataDir, parts.log.area('folder')));
  try {
    removeLeftovers(parts.dataDir, parts.log.area('folder'));
    return await openLocked(parts, closing);
  } catch (error) {
    await closing.all();
    throw error;
  }
}

async function openLocked(parts: EngineParts, closing: Closing): Promise<Storage> {
  const { now } = parts.clock;
  const notices = createNotices(now, {
    added: (notice) => parts.news.emit('notice:added', notice),
    removed: (id) => parts.news.emit('notice:removed', { id }),
  });
  const jobNews = new JobNews(parts.news);
  const reportHistoryEvent = createHistoryEventReports({
    notices,
    log: parts.log.area('history'),
    dataDir: parts.dataDir,
  });
  if (refuseOpenTls(process.env)) notices.add(openTlsNotice);
  await restoreAtStart(parts, notices);
  createPrivate(historyPath(parts.dataDir));
  const unreadBatches = createUnreadBatches({
    clock: parts.clock,
    readAgain: async () => void (await (await opening).history.counts()),
  });
  const opening = openHistory({
    path: historyPath(parts.dataDir),
    workerUrl: parts.threads.history,
    now,
    onEvent(event) {
      if (event.kind !== 'counted') return reportHistoryEvent(event);
      jobNews.counted(event);
      unreadBatches.noted(event.unreadBatches);
    },
    ...(parts.onPreparing === undefined ? {} : { onPreparing: parts.onPreparing }),
    ...(parts.startHistoryThread === undefined ? {} : { startWorker: parts.startHistoryThread }),
  });
  const { history, setAside } = await opening;
  parts.onPreparing?.(null);
  if (setAside !== null) notices.add(setAsideNotice(setAside));
  closing.later('history', history.close);
  closing.later('batches', () => unreadBatches.close());
  return { history, jobNews, notices, closing };
}

/**
 * Replaces the history by the one that was chosen for that: a backup, or the one from before a restore. If the disk
 * refuses, the next start tries again. Jobs went on between that choice and the end of Jobdeck: what the service has of
 * them is in the other one as well.
 */
async function restoreAtStart({ dataDir, clock, threads, log }: EngineParts, notices: Notices): Promise<void> {
  const present = historyPath(dataDir);
  const path = preparedFor(present);
  let leftBehind: string | null = null;
  if (path !== null) {
    const task = { kind: 'catch-up', path, present } as const;
    const caughtUp = await runBackupTask(threads.backup, { task, ended: new SharedArrayBuffer(4) }, () => {});
    if (!caughtUp.ok) {
      const { kind, message } = caughtUp.failure;
      log.warn('the active jobs of the former history were not all merged', { detail: message });
      // Without them their results would expire unread.
      if (kind !== 'refused') return notices.add(restoreDelayedNotice(message));
      leftBehind = message;
    }
  }
  try {
    const restored = finishRestore(present, clock.now());
    if (restored !== null) notices.add(restoredNotice(restored.asidePath, leftBehind));
  } catch (error) {
    if (!(error instanceof RestoreDelayed)) throw error;
    notices.add(restoreDelayedNotice(error.message));
  }
}

/** Settings and keys, on top of an open history. */
export async function layFoundation(
  parts: EngineParts,
  { history, jobNews, notices, closing }: Storage,
): Promise<Foundation> {
  const { log, dataDir, news } = parts;
  const events = createEngineEvents(log);
  const knownSecrets = createKnownSecrets(log);
  const settings = createSettings({
    documents: history,
    holdsSecret: (text) => findSecrets(text, knownSecrets.all()).length > 0,
    log: log.area('settings'),
    onChange(changed) {
      news.emit('settings:changed', changed);
      events.emit('settings-changed', changed);
    },
  });
  await settings.get();
  const clockGuard = await openClockGuard({
    documents: history,
    clock: parts.clock,
    afterDays: () => settings.current().retention.afterDays,
    onBelieved: () => events.emit('clock-believed', null),
    log: log.area('clock'),
  });
  events.on('service-answered', (date) => clockGuard.noteAnswer(date));
  closing.later('clock', () => clockGuard.close());

  const secrets = await openSecretStore({
    loadKeytar: parts.loadKeytar,
    safeStorage: parts.safeStorage,
    files: createSecretFiles(join(dataDir, 'secrets')),
    known: knownSecrets,
    log: log.area('keys'),
    strongest: settings.current().keyPlace,
    onStorageChange: (storage) => news.emit('keys:changed', storage),
    onOpenToAll: (count) => notices.add(openToAllNotice(count)),
    onUnreadable: (detail) => notices.add(keysUnreadableNotice(join(dataDir, 'secrets'), detail)),
  });
  closing.later('keys', () => secrets.close());
  const vault = new KeyedVault(secrets, await readVaultKeyId(history, randomUUID), {
    documents: history,
    belongings: sealedBelongings,
  });
  const replies = createReplyReader(parts.threads.replies);
  return {
    parts,
    events,
    history,
    jobNews,
    notices,
    closing,
    settings,
    clockGuard,
    knownSecrets,
    secrets,
    vault,
    replies,
  };
}
