import { shell } from 'electron';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { desktopCallText } from '../messages/desktop/calls.ts';

/** Opens an address in the user's browser. Fails, and says so, where the system has no program for it. */
export async function openAddress(url: string): Promise<Result<null>> {
  try {
    await shell.openExternal(url);
    return ok(null);
  } catch (error) {
    return failed({ kind: 'storage', message: desktopCallText.noBrowser, detail: errorText(error) });
  }
}
