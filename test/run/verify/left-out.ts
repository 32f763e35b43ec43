import { isOnElectron } from './spec-results.ts';
import type { SpecResult } from './spec-results.ts';
import type { Verdict } from './report.ts';

/** A spec that is skipped on Electron by right, because it cannot be done there or takes too long. */
interface LeftOut {
  file: string;
  title: string;
  why: string;
  /** Not given: on every system. */
  on?: readonly NodeJS.Platform[];
}

const otherSystem = 'plays another system, which only the stand-in can';
const ownPage = 'Playwright does not follow a page whose process died';
const ownKeychain = 'a keychain of a test’s own is possible on Linux alone';
const elsewhere = ['darwin', 'win32'] as const;

/** Every spec that may be skipped on Electron. Any other that is skipped leaves the claim about all specs open. */
export const leftOut: readonly LeftOut[] = [
  {
    file: 'desktop',
    title:
      'on Windows: the Action Center, the panel’s icon, also the first one, starting at login, and the end of the session',
    why: otherSystem,
  },
  {
    file: 'desktop',
    title: 'on macOS: the menus, the tray’s template, a refused notification, staying awake, and starting at login',
    why: otherSystem,
  },
  {
    file: 'tray',
    title: 'on Windows the tooltip shows the ampersands of a name, and a system without a browser is reported',
    why: otherSystem,
  },
  {
    file: 'desktop',
    title: 'on Linux: the tray icon follows the desktop’s portal, not the windows’ theme',
    why: 'Electron does not say which image the tray has',
  },
  {
    file: 'desktop',
    title: 'an AppImage is added to the applications menu on request, and removed',
    why: 'only a Linux desktop has AppImages',
    on: elsewhere,
  },
  {
    file: 'notifications',
    title: 'a button of an old notification does what it says, whatever happened to the job since',
    why: otherSystem,
  },
  ...[
    'a newer version is found, downloaded on request, and installed after the app quits',
    '“Restart now” starts the new version once everything is written',
    'a wrong answer of a feed is reported and this version stays; another feed is used once its address is safe',
  ].map((title) => ({ file: 'updates', title, why: 'it plays an AppImage, which only Linux has', on: elsewhere })),
  {
    file: 'electron-only',
    title: 'the desktop shows a notification @electron',
    why: 'a person has to allow notifications there first',
    on: elsewhere,
  },
  {
    file: 'handler-output',
    title: 'a handler in Python prints to the same place',
    why: 'it needs python3 on the PATH',
    on: elsewhere,
  },
  {
    file: 'random-user',
    title: '1,500 random actions break nothing that can be seen, and axe finds nothing meanwhile',
    why: 'an ordinary run does not play it (docs/decisions/056-what-an-ordinary-run-plays.md)',
  },
  ...elsewhere.map((platform) => ({
    file: 'notifications',
    title: `from a notification a failed job is retried and an output copied; one of a former run opens its job (${platform})`,
    why: otherSystem,
  })),
  { file: 'crashes', title: 'a window whose process dies is reloaded where it was, and says so', why: ownPage },
  {
    file: 'crashes',
    title: 'Jobdeck asks about an unresponsive window and reloads it if the user agrees',
    why: ownPage,
  },
  {
    file: 'bad-desktops',
    title: 'a backup that fails after its page crashed or was reloaded is reported',
    why: ownPage,
  },
  {
    file: 'bad-desktops',
    title: 'a full or read-only data folder ends the start with an error message',
    why: 'only root may mount a file system',
  },
  {
    file: 'bad-desktops',
    title:
      'when the disk fills up, Jobdeck refuses a job with a message and sends nothing; with free space it continues',
    why: 'only root may mount a file system',
  },
  ...[
    'a hanging keychain blocks neither the window, the saved jobs nor a second start',
    'the system is asked for keys only when there is a window to say what for',
    'keys move to the place chosen in the settings, and the service is still reachable',
    'a working keyring seals the keys; a key that a broken keyring sealed for anyone is refused and reported',
  ].map((title) => ({ file: 'start', title, why: ownKeychain, on: elsewhere })),
  {
    file: 'network',
    title: 'a job runs behind a company’s proxy and certificate authority, both detected from the system',
    why: 'an authority cannot be added for a test there',
    on: elsewhere,
  },
  {
    file: 'desktop',
    title: 'on a desktop without tray icons Jobdeck notices it and offers another way to reopen the window',
    why: 'it is found out from a session bus, which only Linux has',
    on: elsewhere,
  },
  {
    file: 'tray',
    title: 'on Linux starting at login is a file, and the start opens no window',
    why: 'the file is Linux’s',
    on: elsewhere,
  },
  {
    file: 'preparation',
    title:
      'an older history is upgraded in a visible window with the chosen theme, then the list appears; a second start brings the window forward and ends',
    why: 'macOS draws the buttons of its windows itself',
    on: ['darwin'],
  },
  ...[
    'closing the window during the upgrade ends the app, and the next start continues',
    'closing the window during the upgrade keeps Jobdeck if a result is still to come',
    'a start while Jobdeck is ending starts it again, with its link',
  ].map((title) => ({
    file: 'preparation',
    title,
    why: 'on macOS apps stay until they are quit',
    on: ['darwin'] as const,
  })),
  {
    file: 'other-places',
    title: 'a cause that is still being read is retried by the key that was pressed meanwhile, and no other is',
    why: 'only the stand-in holds what a window asks of main',
  },
  {
    file: 'typed-text',
    title: 'a form that is being filled in is back after its window crashed',
    why: 'Playwright does not follow a page whose process died, as the stand-in does',
  },
];

/** Whether all specs that can run on Electron passed there. One that was skipped without right is named. */
export function verdictOfSuite(specs: readonly SpecResult[], platform: NodeJS.Platform): Verdict {
  const passed = specs.filter((spec) => spec.state === 'passed' && isOnElectron(spec)).length;
  const failed = specs.filter(({ state }) => state === 'failed').length;
  const skipped = specs.filter(({ state }) => state === 'skipped');
  const withoutRight = skipped.filter(
    ({ file, title }) =>
      !leftOut.some(
        (one) => file === `test/e2e/${one.file}.spec.ts` && title === one.title && (one.on?.includes(platform) ?? true),
      ),
  );
  const excused = skipped.length - withoutRight.length;
  const counts = `${passed} passed, ${excused} skipped that cannot run on Electron here`;
  if (failed > 0)
    return { state: 'failed', detail: `${failed} failed, ${counts}, ${withoutRight.length} others skipped` };
  if (passed === 0) return { state: 'unproved', detail: 'no spec ran on Electron' };
  if (withoutRight.length === 0) return { state: 'proved', detail: counts };
  const names = withoutRight.map(({ title }) => `“${title}”`).join(', ');
  return { state: 'unproved', detail: `${counts}, and ${withoutRight.length} skipped that could: ${names}` };
}
