import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '../kit/electron-binary.ts';
import { bundledPackages, packageAt } from './notices/bundled-packages.ts';
import { licenceOf, licencesText, unfitting } from './notices/licences.ts';
import { isSbom, shippedSbom } from './notices/sbom.ts';
import { npmScript, runProgram } from './program.ts';

/*
 * notices.ts [--notes FOLDER] [--out FOLDER]
 * Part of npm run package, after the build: writes what the package contains of other projects into out/notices, as a
 * bill of materials (CycloneDX) and as a text of all licences. Needs no network.
 */
const { values } = parseArgs({ options: { notes: { type: 'string' }, out: { type: 'string' } } });
const notes = values.notes ?? join(projectDir, 'out', 'packages');
const folder = values.out ?? join(projectDir, 'out', 'notices');
const installed = (name: string): ReturnType<typeof packageAt> => packageAt(join(projectDir, 'node_modules', name));
const bundled = [...bundledPackages(notes), installed('keytar')];
const licences = bundled.map(licenceOf);
const unknown = unfitting(licences);
if (unknown.length > 0)
  throw new Error(
    `Nobody has looked at the terms of ${unknown.map(({ name, terms }) => `${name} (${terms})`).join(', ')}.`,
  );

const { code, output } = await runProgram(
  process.execPath,
  [npmScript(), 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
  { isQuiet: true, env: { NPM_CONFIG_LOGLEVEL: 'silent' } },
);
const whole: unknown = JSON.parse(output.slice(output.indexOf('{')));
if (code !== 0 || !isSbom(whole)) throw new Error(`npm made no bill of materials: ${output.slice(0, 500)}`);
const { productName, version }: { productName: string; version: string } = JSON.parse(
  readFileSync(join(projectDir, 'package.json'), 'utf8'),
);
const sbom = shippedSbom(whole, [...bundled, installed('electron')], { name: productName, version });

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(sbom, null, 2));
writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licencesText(licences));
console.log(`${bundled.length} packages in the bundles, with Electron: ${folder}`);
