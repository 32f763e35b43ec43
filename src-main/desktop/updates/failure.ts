import { errorText } from '../../async/error-text.ts';
import { updateFailureText as text } from '../../messages/desktop/updates.ts';

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
