import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { npmScript } from '../../run/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'npm-script-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(...path: string[]): string {
  const made = join(folder, ...path);
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, '');
  return made;
}

it('is npm’s own script, which needs no shell on Windows', () => {
  const given = file('given', 'npm-cli.js');
  expect(npmScript({ npm_execpath: given }, 'node')).toBe(given);
  const onWindows = file('windows', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  expect(npmScript({}, join(folder, 'windows', 'node.exe'))).toBe(onWindows);
  const elsewhere = file('unix', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  expect(npmScript({ npm_execpath: file('pnpm.cmd') }, join(folder, 'unix', 'bin', 'node'))).toBe(elsewhere);
  expect(() => npmScript({}, join(folder, 'none', 'node'))).toThrow('npm was not found');
});
