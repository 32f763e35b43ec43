import { spawn } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasDisplay } from '../kit/chromium.ts';
import { findElectron, projectDir } from '../kit/electron-binary.ts';
import { buildWhereNeeded } from './app-build.ts';
import { tryToGetElectron } from './electron-download.ts';
import { prepareMachine } from './install-needs.ts';
import { runTour } from './tour.ts';

/*
 * npm start [-- [--tour] [--out DIR] [arguments for the app]]
 * Runs the app on real Electron if it is available, else on the stand-in. If no window can be shown, it runs the guided
 * tour.
 */
const { values, tokens } = parseArgs({
  options: { tour: { type: 'boolean' }, out: { type: 'string' } },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const say = (line: string): void => console.log(line);

try {
  await buildWhereNeeded(say);
  const canShow = hasDisplay();
  const wantsTour = values.tour === true || !canShow;
  // Real Electron cannot run without a display, so there is no need to download it.
  const electron = canShow ? (findElectron() ?? (await tryToGetElectron(say, Date.now))) : null;
  if (electron === null) {
    const machine = await prepareMachine(['chromium'], say);
    if (machine.chromium === null) throw new Error(machine.missing.join('\n'));
    say(
      'Running on the Electron stand-in with the system’s Chromium: no native tray icon and no native notifications here.',
    );
  }
  if (wantsTour) await tour(resolve(typeof values.out === 'string' ? values.out : 'tour'), canShow);
  else process.exitCode = await show(electron);
  // The app of a failed tour must not keep this process alive.
  process.exit();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function tour(outDir: string, canShow: boolean): Promise<void> {
  if (!canShow) say('There is no display, so this is the guided tour, without windows.');
  const record = await runTour({ outDir });
  say(
    `Tour: job ${record.job_id} ${record.status}, ${record.chunks} chunks, found offline: ${record.found_offline ? 'yes' : 'no'}.`,
  );
  say(`tour.json and ${record.screenshots.length} screenshots are in ${relative(process.cwd(), outDir) || outDir}.`);
}

/** Shows the app until the user quits it. Resolves with its exit code. */
function show(electron: string | null): Promise<number> {
  const passedOn = tokens
    .filter((token) => !(token.kind === 'option' && (token.name === 'tour' || token.name === 'out')))
    .flatMap((token) =>
      token.kind === 'positional'
        ? [token.value]
        : token.kind === 'option'
          ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
          : [],
    );
  const [command, first] =
    electron === null
      ? [process.execPath, [join(projectDir, 'test', 'electron-stand-in', 'run.ts'), projectDir]]
      : [electron, [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), projectDir]];
  const child = spawn(command, [...first, ...passedOn], { cwd: projectDir, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve_, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve_(code ?? 1));
  });
}
