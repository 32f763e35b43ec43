import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSandboxHandlers } from '../../../src-main/engine/sandbox-handlers.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-handlers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('handlers that are added and removed at the same time are all added, each with an id of its own', async () => {
  const folder = aFolder();
  const paths = ['one.py', 'one.mjs', 'two.py'].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, '');
  const list = join(folder, 'handlers.json');
  const handlers = await openSandboxHandlers(list, ['echo']);
  const added = await Promise.all([...paths, ...paths].map((path) => handlers.add(path)));
  expect(added.every(({ ok }) => ok)).toBe(true);
  const expected = ['one', 'one-2', 'two'].map((endpointId, at) => ({ endpointId, path: paths[at] }));
  expect(handlers.all()).toEqual(expected);
  await Promise.all([handlers.remove('one'), handlers.remove('two')]);
  expect((await openSandboxHandlers(list, ['echo'])).all()).toEqual(expected.slice(1, 2));
});
