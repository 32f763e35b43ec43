import { errorText } from '../async/error-text.ts';

/** What the error codes of electron-updater, builder-util-runtime and the system mean here. */
const meanings: Record<string, string> = {
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: 'The feed has no release for this system.',
  ERR_UPDATER_LATEST_VERSION_NOT_FOUND: 'The feed has no release for this system.',
  ERR_UPDATER_NO_FILES_PROVIDED: 'The release names no file for this system.',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'The feed’s answer is not a release.',
  ERR_UPDATER_INVALID_VERSION: 'The feed’s answer is not a release.',
  ERR_UPDATER_INVALID_SIGNATURE: 'The file is not signed by the authors of Jobdeck, so it was deleted.',
  ERR_CHECKSUM_MISMATCH: 'The file is not the one the release promises, so it was deleted.',
  ERR_UPDATER_OLD_FILE_NOT_FOUND: 'This copy’s own file was moved or renamed. Download the new version by hand.',
  ENOSPC: 'The disk is full.',
  EACCES: 'Jobdeck may not write next to its own file. Download the new version by hand.',
  EROFS: 'Jobdeck may not write next to its own file. Download the new version by hand.',
  ENOTFOUND: 'The feed’s address does not exist.',
  ECONNREFUSED: 'The feed does not answer.',
  ECONNRESET: 'The feed broke off.',
  ETIMEDOUT: 'The feed does not answer.',
};

/** What went wrong, in a sentence or two for the user. This version continues to run in any case. Pure. */
export function updateFailure(during: 'check' | 'download', thrown: unknown): string {
  const { code, status } = traitsOf(thrown);
  const known =
    meanings[code] ?? meanings[/\b(?:ENOSPC|ENOTFOUND|ECONN\w+|ETIMEDOUT)\b/.exec(errorText(thrown))?.[0] ?? ''];
  const network = /net::ERR_(\w+)/.exec(errorText(thrown))?.[1];
  const why =
    known ??
    (status === null ? null : `The feed answered ${status}.`) ??
    (network === undefined ? null : `The feed could not be reached (${network.toLowerCase().replaceAll('_', ' ')}).`) ??
    firstLine(errorText(thrown));
  return during === 'check' ? why : `${why} Nothing of it was installed.`;
}

/** What an error of electron-updater has apart from its message. */
function traitsOf(thrown: unknown): { code: string; status: number | null } {
  if (!(thrown instanceof Error)) return { code: '', status: null };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const status = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : null;
  return { code, status };
}

function firstLine(text: string): string {
  const line = (text.split('\n')[0] ?? '').slice(0, 200).trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
