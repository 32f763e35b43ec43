import { dayMs } from '../../../src-preload/durations.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import type { Settings } from '../../../src-preload/settings.ts';
import type { NewVersion, UpdateState } from '../../../src-preload/update.ts';
import { errorText } from '../../async/error-text.ts';
import type { Log } from '../../log.ts';
import { updateText, updateFailureText as text } from '../../messages/desktop/updates.ts';
import type { Handlers } from '../../../src-preload/contract.ts';

/** A source of updates for this copy. */
export interface UpdateFeed {
  /** The newest version, or null if it is not newer than this one. Rejects without an answer. */
  newest(): Promise<NewVersion | null>;
  /** Downloads the version that `newest` last returned, and verifies it. Rejects, keeping nothing, if that fails. */
  download(onShare: (share: number) => void): Promise<void>;
  /** Installs the downloaded version and starts it. This process ends. */
  restart(): void;
}

export interface UpdatesParts {
  /** The update address in this copy's package. Null if it did not come from a package. */
  packageFeedUrl: string | null;
  settings: () => Settings;
  /** Rejects if this kind of package cannot be updated. */
  openFeed: (url: string, settings: Settings) => Promise<UpdateFeed>;
  /** Quits as if the user did. */
  quit: () => void;
  changed: (state: UpdateState) => void;
  /** Called for a version that an automatic check found. */
  found: (offered: NewVersion) => void;
  now: () => number;
  log: Log;
}

export interface Updates {
  state(): UpdateState;
  check(): Promise<UpdateState>;
  /**
   * Checks for an update if automatic checks are enabled and the last one was more than a day ago. There is no timer.
   */
  checkIfDue(): void;
  download(): Promise<Result<UpdateState>>;
  /** Quits. The downloaded version starts when everything is on disk. */
  restart(): Result<null>;
  /** Called when everything is on disk. Returns true if a new version starts now, which ends this process. */
  takeOver(): boolean;
}

const dueAfterMs = dayMs;

/** Updates of Jobdeck: checked for, downloaded if the user wants them, and installed when Jobdeck quits. */
export function createUpdates(parts: UpdatesParts): Updates {
  const { now, log, packageFeedUrl } = parts;
  let state: UpdateState = packageFeedUrl === null ? { kind: 'not-installed' } : { kind: 'unchecked' };
  let feed: UpdateFeed | null = null;
  let checkedAtMs: number | null = null;
  let checking: Promise<UpdateState> | null = null;
  let isRestarting = false;

  function become(next: UpdateState): UpdateState {
    state = next;
    parts.changed(next);
    return next;
  }

  function fail(during: 'check' | 'download', thrown: unknown): UpdateState {
    log.warn('could not get an update', { during, error: log.redact(errorText(thrown)).slice(0, 1_000) });
    return become({ kind: 'failed', during, message: updateFailure(during, thrown), atMs: now() });
  }

  async function ask(ofPackage: string): Promise<UpdateState> {
    const settings = parts.settings();
    const url = settings.updates.feedUrl ?? ofPackage;
    checkedAtMs = now();
    become({ kind: 'checking' });
    try {
      const opened = await parts.openFeed(url, settings);
      feed = opened;
      const offered = await opened.newest();
      return become(offered === null ? { kind: 'newest', checkedAtMs: now() } : { kind: 'available', offered });
    } catch (thrown) {
      return fail('check', thrown);
    }
  }

  async function check(): Promise<UpdateState> {
    // A download, or a version that waits to be installed, is not dropped for a check.
    if (packageFeedUrl === null || state.kind === 'downloading' || state.kind === 'ready') return state;
    checking ??= ask(packageFeedUrl).finally(() => {
      checking = null;
    });
    return checking;
  }

  return {
    state: () => state,
    check,
    checkIfDue() {
      const isDue = checkedAtMs === null || now() - checkedAtMs >= dueAfterMs;
      if (!parts.settings().updates.isAutomatic || !isDue) return;
      void check().then((next) => {
        if (next.kind === 'available') parts.found(next.offered);
      });
    },
    async download() {
      if (state.kind !== 'available' || feed === null)
        return failed({ kind: 'refused', message: updateText.nothingToDownload });
      const { offered } = state;
      become({ kind: 'downloading', offered, share: 0 });
      let shown = 0;
      try {
        await feed.download((share) => {
          // A hundred steps at most, because each is sent to all windows.
          if (state.kind !== 'downloading' || share - shown < 0.01) return;
          shown = share;
          become({ kind: 'downloading', offered, share });
        });
        return ok(become({ kind: 'ready', offered }));
      } catch (thrown) {
        return ok(fail('download', thrown));
      }
    },
    restart() {
      if (state.kind !== 'ready') return failed({ kind: 'refused', message: updateText.nothingToInstall });
      isRestarting = true;
      parts.quit();
      return ok(null);
    },
    takeOver() {
      if (!isRestarting || feed === null) return false;
      isRestarting = false;
      try {
        feed.restart();
        return true;
      } catch (thrown) {
        fail('download', thrown);
        return false;
      }
    },
  };
}

/** Handlers of the calls about updates. */
export function updateHandlers(updates: Updates): Pick<Handlers, Extract<keyof Handlers, `update:${string}`>> {
  return {
    'update:state': () => ok(updates.state()),
    'update:check': async () => ok(await updates.check()),
    'update:download': () => updates.download(),
    'update:restart': () => updates.restart(),
  };
}

/** What the error codes of electron-updater, builder-util-runtime and the system mean here. */
const meanings: Readonly<Record<string, string>> = {
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: text.noRelease,
  ERR_UPDATER_LATEST_VERSION_NOT_FOUND: text.noRelease,
  ERR_UPDATER_NO_FILES_PROVIDED: text.noFile,
  ERR_UPDATER_INVALID_UPDATE_INFO: text.notRelease,
  ERR_UPDATER_INVALID_VERSION: text.notRelease,
  ERR_UPDATER_INVALID_SIGNATURE: text.notSigned,
  ERR_CHECKSUM_MISMATCH: text.otherFile,
  ERR_UPDATER_OLD_FILE_NOT_FOUND: text.movedFile,
  ENOSPC: text.fullDisk,
  EACCES: text.closedFolder,
  EROFS: text.closedFolder,
  ENOTFOUND: text.noAddress,
  ECONNREFUSED: text.noAnswer,
  ECONNRESET: text.brokeOff,
  ETIMEDOUT: text.noAnswer,
};

/** What went wrong, in a sentence or two for the user. This version continues to run in any case. Pure. */
export function updateFailure(during: 'check' | 'download', thrown: unknown): string {
  const { code, status } = traitsOf(thrown);
  const known =
    meanings[code] ?? meanings[/\b(?:ENOSPC|ENOTFOUND|ECONN\w+|ETIMEDOUT)\b/.exec(errorText(thrown))?.[0] ?? ''];
  const network = /net::ERR_(\w+)/.exec(errorText(thrown))?.[1];
  const why =
    known ??
    (status === null ? null : text.answered(status)) ??
    (network === undefined ? null : text.notReached(network.toLowerCase().replaceAll('_', ' '))) ??
    firstLine(errorText(thrown));
  return during === 'check' ? why : text.downloadFailed(why);
}

/** What an error of electron-updater has apart from its message. */
function traitsOf(thrown: unknown): { code: string; status: number | null } {
  if (!(thrown instanceof Error)) return { code: '', status: null };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const status = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null;
  return { code, status };
}

function firstLine(message: string): string {
  const line = (message.split('\n')[0] ?? '').slice(0, 200).trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
