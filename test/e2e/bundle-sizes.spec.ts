import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectDir } from '../kit/electron-binary.ts';
import { expect, test } from './fixtures.ts';

test('the preload script is under 3 KB and the first chunk under 250 KB gzipped', async () => {
  expect((await stat(join(projectDir, 'out/preload/preload.cjs'))).size).toBeLessThan(3_000);
  const html = await readFile(join(projectDir, 'out/renderer/index.html'), 'utf8');
  const first = /<script[^>]+src="\.?\/?([^"]+\.js)"/.exec(html)?.[1] ?? 'none';
  const preloaded = [...html.matchAll(/<link[^>]+modulepreload[^>]+href="\.?\/?([^"]+\.js)"/g)].map(
    (match) => match[1] ?? '',
  );
  const sizes = await Promise.all(
    [first, ...preloaded].map(async (file) => gzipSync(await readFile(join(projectDir, 'out/renderer', file))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});
