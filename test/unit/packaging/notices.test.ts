import { describe, expect, it } from 'vitest';
import { packageFolder } from '../../run/notices/bundled-packages.ts';
import { licencesText, unfitting } from '../../run/notices/licences.ts';
import { shippedSbom } from '../../run/notices/sbom.ts';
import type { Sbom } from '../../run/notices/sbom.ts';

describe('the package a module is in', () => {
  it.each([
    ['/app/node_modules/zod/v4/core.js', '/app/node_modules/zod'],
    ['/app/node_modules/@base-ui/react/index.js?commonjs', '/app/node_modules/@base-ui/react'],
    ['\0/app/node_modules/react/index.js', '/app/node_modules/react'],
    ['C:\\app\\node_modules\\a\\node_modules\\b\\i.js', 'C:/app/node_modules/a/node_modules/b'],
    ['/app/src-main/main.ts', null],
    ['\0vite/preload-helper.js', null],
  ])('%j', (id, folder) => {
    expect(packageFolder(id)).toBe(folder);
  });
});

const component = (name: string): Sbom['components'][number] => ({
  'bom-ref': `${name}@1.0.0`,
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  scope: 'optional',
  properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
});
const whole: Sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { 'bom-ref': 'root@1', name: 'worktree' } },
  components: ['a', 'b', 'tool'].map(component),
  dependencies: [
    { ref: 'root@1', dependsOn: ['a@1.0.0', 'tool@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@1.0.0', 'tool@1.0.0'] },
    { ref: 'b@1.0.0' },
    { ref: 'tool@1.0.0', dependsOn: ['a@1.0.0'] },
  ],
};
const app = { name: 'Jobdeck', version: '1.0.0' };

describe('the bill of materials', () => {
  it('contains the required packages of the bundles, and their dependencies in them', () => {
    const shipped = ['a', 'b'].map((name) => ({ name, version: '1.0.0' }));
    const sbom = shippedSbom(whole, shipped, app);
    expect(sbom.components.map(({ name, scope, properties }) => [name, scope, properties])).toEqual([
      ['a', 'required', []],
      ['b', 'required', []],
    ]);
    expect(sbom.dependencies).toEqual([
      { ref: 'root@1', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@1.0.0'] },
      { ref: 'b@1.0.0', dependsOn: [] },
    ]);
    expect(sbom.metadata.component).toEqual({ 'bom-ref': 'root@1', ...app, type: 'application' });
  });

  it('is not created with a package that the lock file does not know', () => {
    expect(() => shippedSbom(whole, [{ name: 'a', version: '2.0.0' }], app)).toThrow('a 2.0.0');
  });
});

describe('licences', () => {
  const licence = (terms: string, text: string | null = 'The words.') => ({ name: 'a', version: '1.0.0', terms, text });

  it('are only those that were reviewed', () => {
    expect(
      unfitting(['MIT', 'ISC', '(MIT OR GPL-3.0)', 'OFL-1.1', 'Apache-2.0'].map((terms) => licence(terms))),
    ).toEqual([]);
    expect(unfitting(['GPL-3.0', 'unknown', 'UNLICENSED', 'SSPL-1.0'].map((terms) => licence(terms)))).toHaveLength(4);
  });

  it('are written with their text, or with a note that there is none', () => {
    const text = licencesText([licence('MIT'), licence('ISC', null)]);
    expect(text).toContain('a 1.0.0\nLicence: MIT\n\nThe words.');
    expect(text).toContain('Licence: ISC\n\nThe package brings no text of its licence along.');
  });
});
