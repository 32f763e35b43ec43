import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';

/** One line of a file in a room, and whether the linter's import rules (docs/architecture.md: Rooms) let it stand. */
const imports: { file: string; from: string; isAllowed: boolean }[] = [
  { file: 'src-preload/noun.ts', from: './failure.ts', isAllowed: true },
  { file: 'src-preload/noun.ts', from: 'zod', isAllowed: true },
  { file: 'src-preload/noun.ts', from: 'electron', isAllowed: false },
  { file: 'src-preload/noun.ts', from: 'node:fs', isAllowed: false },
  { file: 'src-preload/noun.ts', from: 'react', isAllowed: false },
  { file: 'src-preload/noun.ts', from: '../src-main/log.ts', isAllowed: false },
  { file: 'src-preload/preload.ts', from: 'electron', isAllowed: true },
  { file: 'src-preload/preload.ts', from: './contract.ts', isAllowed: false },
  { file: 'src-main/job/thing.ts', from: '../../src-preload/job.ts', isAllowed: true },
  { file: 'src-main/service/thing.ts', from: 'electron', isAllowed: false },
  { file: 'src-main/job/thing.ts', from: '../../src-renderer/bridge.ts', isAllowed: false },
  { file: 'src-main/log.ts', from: '../src-preload/preload.ts', isAllowed: false },
  { file: 'src-main/desktop/thing.ts', from: 'electron', isAllowed: true },
  { file: 'src-main/main.ts', from: 'electron', isAllowed: true },
  { file: 'src-main/sandbox/thing.ts', from: 'node:http', isAllowed: true },
  { file: 'src-main/sandbox/thing.ts', from: './queue.ts', isAllowed: true },
  { file: 'src-main/sandbox/thing.ts', from: '../../src-preload/job.ts', isAllowed: false },
  { file: 'src-main/sandbox/thing.ts', from: 'zod', isAllowed: false },
  { file: 'src-renderer/jobs/thing.ts', from: 'zod', isAllowed: false },
  { file: 'src-renderer/jobs/thing.ts', from: '../../src-preload/job-schema.ts', isAllowed: false },
  { file: 'src-renderer/jobs/thing.ts', from: '../../src-preload/job.ts', isAllowed: true },
  { file: 'src-renderer/jobs/thing.ts', from: 'react', isAllowed: true },
  { file: 'src-renderer/jobs/thing.ts', from: '../../src-main/log.ts', isAllowed: false },
  { file: 'src-renderer/jobs/thing.ts', from: 'electron', isAllowed: false },
  { file: 'src-renderer/jobs/thing.ts', from: 'node:fs', isAllowed: false },
  { file: 'src-renderer/design/thing.ts', from: '../../src-preload/job.ts', isAllowed: true },
  { file: 'src-renderer/data/thing.ts', from: '../../src-main/log.ts', isAllowed: false },
];

let folder: string;
/** File and import of every line that the lint refused for its import. */
let refused: Set<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-lint-'));
  await copyFile(join(projectDir, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const byFile = Map.groupBy(imports, ({ file }) => file);
  for (const [file, lines] of byFile) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(
      join(folder, file),
      lines.map(({ from }, index) => `export * as name${index} from '${from}';\n`).join(''),
    );
  }
  const oxlint = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin', 'oxlint');
  const { stdout } = await promisify(execFile)(process.execPath, [oxlint, '--format', 'unix'], { cwd: folder }).catch(
    (ended: unknown) => {
      if (typeof ended === 'object' && ended !== null && 'stdout' in ended && typeof ended.stdout === 'string')
        return { stdout: ended.stdout };
      throw ended;
    },
  );
  refused = new Set(
    [...stdout.matchAll(/^(\S+?):(\d+):\d+:.*no-restricted-imports/gm)].map(
      ([, file = '', line = '0']) => `${file} ${byFile.get(file)?.[Number(line) - 1]?.from ?? '?'}`,
    ),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the import rules', () => {
  it.each(imports)('$file may import $from: $isAllowed', ({ file, from, isAllowed }) => {
    expect(refused.has(`${file} ${from}`)).toBe(!isAllowed);
  });
});
