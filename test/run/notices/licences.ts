import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

/** A package with its licence. */
export interface Licence {
  name: string;
  version: string;
  /** The SPDX expression in its package.json. */
  terms: string;
  /** The licence's text. Null if the package contains none. */
  text: string | null;
}

/** Reads the licence of a package. */
export function licenceOf({ name, version, folder }: BundledPackage): Licence {
  const { license }: { license?: unknown } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  return {
    name,
    version,
    terms: typeof license === 'string' ? license : 'unknown',
    text: file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim(),
  };
}

/** Licences that permit shipping a package within an app under the MIT licence. */
const fitting =
  /^\(?(MIT|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|OFL-1\.1|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)\b/;

/** Packages whose licence was not reviewed. */
export function unfitting(licences: readonly Licence[]): Licence[] {
  return licences.filter(({ terms }) => !fitting.test(terms));
}

/** All licences as one text that is shipped beside the app. */
export function licencesText(licences: readonly Licence[]): string {
  const head =
    'Jobdeck contains the following packages. Electron’s own licence and those of Chromium lie beside the program ' +
    '(LICENSE.electron.txt, LICENSES.chromium.html).';
  return `${[head, ...licences.map(describe)].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

function describe({ name, version, terms, text }: Licence): string {
  return `${name} ${version}\nLicence: ${terms}\n\n${text ?? 'The package brings no text of its licence along.'}`;
}
