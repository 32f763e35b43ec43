import { join } from 'node:path';
import { projectDir } from '../kit/electron-binary.ts';
import { prepareMachine } from './machine.ts';
import { runBesideKeyring } from './stages.ts';

/*
 * npm run gallery [-- DIR [SCENE...]]: pictures of the windows in their states on real data, to compare with the
 * design: light and dark, 1440x900 and 900x600. Needs a built app. It starts its own keychain if it can, for the scenes
 * that start the app again.
 */
const machine = await prepareMachine(['chromium', 'keychain'], (line) => console.log(line));
for (const sentence of machine.missing) console.log(sentence);
const script = join(projectDir, 'test', 'run', 'gallery', 'play.ts');
const { code } = await runBesideKeyring([script, ...process.argv.slice(2)], machine.hasKeychain, {});
process.exitCode = code ?? 1;
