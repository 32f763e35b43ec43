import { join } from 'node:path';
import { findElectron, projectDir } from '../kit/electron-binary.ts';
import { hasDisplay } from '../kit/chromium.ts';
import { prepareMachine } from './install-needs.ts';
import { runProgram, scriptOf } from './program.ts';

/* npm run dev: electron-vite with hot reload, on real Electron if it can be shown, else on the stand-in. */
const needsStandIn = findElectron() === null || !hasDisplay();
if (needsStandIn) {
  const machine = await prepareMachine(['chromium'], (line) => console.log(line));
  if (machine.chromium === null) {
    console.error(machine.missing.join('\n'));
    process.exit(1);
  }
  console.log('Developing on the Electron stand-in with the system’s Chromium.');
  if (!hasDisplay()) console.log('There is no display, so the app runs without visible windows.');
}
const env = needsStandIn ? { ELECTRON_EXEC_PATH: join(projectDir, 'test', 'electron-stand-in', 'electron') } : {};
const { code } = await runProgram(process.execPath, [scriptOf('electron-vite'), 'dev', ...process.argv.slice(2)], {
  env,
});
process.exitCode = code ?? 1;
