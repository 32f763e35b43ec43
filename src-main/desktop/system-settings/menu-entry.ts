import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import { errorText } from '../../async/error-text.ts';
import { menuEntryText } from '../../messages/desktop/system-entries.ts';
import { linkScheme } from '../../../src-preload/job-link.ts';
import { appImageIn, menuEntryFile } from './desktop-files.ts';

const fileName = 'dev.jobdeck.app.desktop';
const programLimitMs = 10_000;

/** The entry of this AppImage in the desktop's menu of applications. It is there only if the user wants it. */
export interface MenuEntry {
  isAdded(): Promise<boolean>;
  /** Adds it and makes it the program for links, or removes it. */
  set(isAdded: boolean): Promise<Result<null>>;
  /** To be called at the start: an entry whose AppImage is gone leads to this one from now on. */
  renew(): Promise<void>;
}

/**
 * No package has installed an AppImage, so its desktop knows neither the program nor its links. Null if Jobdeck is not
 * one. `iconPath` is a PNG in the AppImage.
 */
export function menuEntryOf(
  { platform, env }: { platform: NodeJS.Platform; env: NodeJS.ProcessEnv },
  iconPath: string,
): MenuEntry | null {
  const appImage = env['APPIMAGE'];
  if (platform !== 'linux' || appImage === undefined || !appImage.startsWith('/')) return null;
  const named = env['XDG_DATA_HOME'];
  const data = named !== undefined && named.startsWith('/') ? named : join(homedir(), '.local', 'share');
  const path = join(data, 'applications', fileName);
  const icon = join(data, 'icons', 'dev.jobdeck.app.png');

  const read = (): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
  /** The AppImage of the entry. Null if there is none of ours. */
  async function registered(): Promise<string | null> {
    const file = await read();
    return file === null ? null : appImageIn(file);
  }

  async function write(program: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(dirname(icon), { recursive: true });
    // The AppImage is mounted only while it runs.
    await writeFile(icon, await readFile(iconPath), { mode: 0o644 });
    await writeFile(path, menuEntryFile({ appImage: program, icon }), { mode: 0o644 });
    // Many desktops do not need it, and not all have it.
    await run('update-desktop-database', [dirname(path)], env).catch(() => undefined);
  }

  async function add(program: string): Promise<Result<null>> {
    const file = await read();
    if (file !== null && appImageIn(file) === null) return refused(menuEntryText.foreignEntry(path));
    try {
      await write(program);
    } catch (error) {
      return refused(menuEntryText.notAdded(errorText(error)));
    }
    try {
      await run('xdg-mime', ['default', fileName, `x-scheme-handler/${linkScheme}`], env);
    } catch (error) {
      return refused(menuEntryText.notForLinks(linkScheme, errorText(error)));
    }
    return ok(null);
  }

  return {
    isAdded: async () => (await registered()) !== null,
    async set(isAdded) {
      if (isAdded) return add(appImage);
      if ((await registered()) === null) return ok(null);
      try {
        await rm(path, { force: true });
        await rm(icon, { force: true });
        return ok(null);
      } catch (error) {
        return refused(menuEntryText.notRemoved(errorText(error)));
      }
    },
    async renew() {
      const former = await registered();
      if (former === null || former === appImage) return;
      const isGone = await access(former).then(
        () => false,
        () => true,
      );
      if (isGone) await write(appImage);
    },
  };
}

function refused(message: string): Result<null> {
  return failed({ kind: 'refused', message });
}

async function run(program: string, given: string[], env: NodeJS.ProcessEnv): Promise<void> {
  await promisify(execFile)(program, given, { env, timeout: programLimitMs });
}
