import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { buildWhereNeeded } from './app-build.ts';
import { prepareMachine } from './install-needs.ts';
import { runBesideKeyring } from './test-suites.ts';

/*
 * npm run gallery [-- DIR [SCENE...]]: pictures of the windows in their states on real data, to compare with the
 * design: light and dark, 1440x900 and 900x600. It starts its own keychain if it can, for the
 * scenes that start the app again.
 */
const say = (line: string): void => console.log(line);
await buildWhereNeeded(say);
const machine = await prepareMachine(['chromium', 'keychain'], say);
for (const sentence of machine.missing) say(sentence);
const script = join(projectDir, 'test', 'run', 'gallery', 'play.ts');
const { code } = await runBesideKeyring([script, ...process.argv.slice(2)], machine.hasKeychain, {});
process.exitCode = code ?? 1;
