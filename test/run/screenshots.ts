import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { buildWhereNeeded } from './app-build.ts';
import { prepareMachine } from './install-needs.ts';
import { runBesideKeyring } from './test-suites.ts';

/*
 * npm run screenshots: takes the pictures of docs/screenshots again, from the scenes of the gallery.
 */

/** By file of docs/screenshots: the gallery's picture. */
const pictures: Readonly<Record<string, string>> = {
  'centre-dark': 'notifications-1440-dark',
  'compare-light': 'compare-1440-light',
  'composer-2560-light': 'composer-problem-2560-light',
  'composer-900-light': 'composer-problem-900-light',
  'composer-light': 'composer-problem-1440-light',
  'failed-2560-light': 'failed-2560-light',
  'failed-900-light': 'failed-900-light',
  'failed-light': 'failed-1440-light',
  'failures-dark': 'failures-1440-dark',
  'health-light': 'health-1440-light',
  'images-dark': 'images-1440-dark',
  'notification-dark': 'notification-dark',
  'offline-dark': 'offline-1440-dark',
  'pod-dark': 'pod-1440-dark',
  'printed-900-light': 'printed-live-900-light',
  'printed-dark': 'printed-live-1440-dark',
  'printed-job-light': 'printed-job-1440-light',
  'streaming-2560-dark': 'streaming-2560-dark',
  'streaming-900-dark': 'streaming-900-dark',
  'streaming-dark': 'streaming-1440-dark',
  'template-light': 'template-edited-1440-light',
  'tray-dark': 'tray-popover-dark',
  'variables-light': 'variables-1440-light',
};

/** The gallery's scenes that these pictures are of. */
const scenes = [
  'jobs',
  'notifications',
  'compared',
  'failures',
  'health',
  'pod',
  'printedOutput',
  'template',
  'variables',
];

const say = (line: string): void => console.log(line);
await buildWhereNeeded(say);
const machine = await prepareMachine(['chromium', 'keychain'], say);
for (const sentence of machine.missing) say(sentence);
const folder = await mkdtemp(join(tmpdir(), 'jobdeck-screenshots-'));
const script = join(projectDir, 'test', 'run', 'gallery', 'play.ts');
const { code } = await runBesideKeyring([script, folder, ...scenes], machine.hasKeychain, {});
if (code === 0)
  for (const [name, picture] of Object.entries(pictures))
    await copyFile(join(folder, `${picture}.png`), join(projectDir, 'docs', 'screenshots', `${name}.png`));
else console.error('A scene was not played to its end. The pictures are as they were.');
await rm(folder, { recursive: true });
process.exitCode = code ?? 1;
