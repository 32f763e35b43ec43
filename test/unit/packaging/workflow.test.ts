import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = new URL('../../../', import.meta.url);
const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'runs-on': z.string(),
      permissions: z.unknown().optional(),
      env: z.record(z.string(), z.string()).optional(),
      'timeout-minutes': z.number(),
      strategy: z.looseObject({ matrix: z.object({ include: z.array(z.record(z.string(), z.string())) }) }).optional(),
      steps: z.array(step),
    }),
  ),
});

const files = readdirSync(new URL('.github/workflows/', root));
const read = (file: string) => workflow.parse(parse(readFileSync(new URL(`.github/workflows/${file}`, root), 'utf8')));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);

/** What a step runs of npm: the words behind it. */
function npmCalls(run: string): string[][] {
  return [...run.matchAll(/\bnpm ([^\n|&;']+)/g)].map((match) => (match[1] ?? '').trim().split(/\s+/));
}

/** The variables of signing with which the script calls npm. */
function packingEnvironment(script: string | undefined, env: Record<string, string>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-workflow-'));
  try {
    const told = execFileSync('bash', ['-e', '-c', `npm() { env; }\n${script ?? ''}`], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], RUNNER_TEMP: folder, ...env },
    });
    const named = [...told.matchAll(/^((?:WIN_)?CSC_\w+|APPLE_\w+)=(.*)$/gm)];
    return Object.fromEntries(named.map(([, name = '', value = '']) => [name, value]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.each(files)('the workflow %s', (file) => {
  const { permissions, jobs } = read(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs scripts that exist', () => {
    const calls = steps.flatMap(({ run }) => npmCalls(run ?? ''));
    expect(calls.length).toBeGreaterThan(5);
    for (const [word = '', name = '', third = ''] of calls) {
      if (word === 'run') expect(Object.keys(scripts)).toContain(name);
      else if (word === 'exec')
        expect([third, existsSync(new URL(`node_modules/.bin/${third}`, root))]).toEqual([third, true]);
      else expect(['ci', 'test', 'audit']).toContain(word);
    }
  });

  it('may read the code and nothing else', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job.permissions).toBeUndefined();
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@') === true) expect(given).toMatchObject({ 'persist-credentials': false });
  });

  it('pins each action to a commit', () => {
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  });

  it('gives signing secrets only to the step that packs', () => {
    for (const job of Object.values(jobs)) {
      expect(JSON.stringify(job.env ?? {})).not.toContain('secrets.');
      for (const { env, run } of job.steps)
        if (JSON.stringify(env ?? {}).includes('secrets.')) expect(run).toContain('npm run package');
    }
    // Nothing that an outsider can name is pasted into a shell.
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });

  it('has a time limit', () => {
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(180);
  });
});

describe('the check of every push', () => {
  const { jobs } = read('proof.yml');
  const runs = (job: string): string => (jobs[job]?.steps ?? []).map(({ run }) => run ?? '').join('\n');

  it('is the whole suite, the advisories, and on four systems Electron and the package', () => {
    expect(runs('test')).toMatch(/npm ci[\s\S]*npm run check[\s\S]*npm test/);
    expect(runs('audit')).toContain('npm audit');
    expect(runs('package')).toMatch(/npm ci[\s\S]*npm run verify:electron[\s\S]*npm run package/);
    const systems = jobs['package']?.strategy?.matrix.include.map(({ system }) => system);
    expect(systems).toEqual(['linux-x64', 'macos-x64', 'macos-arm64', 'windows-x64']);
  });

  it('has a screen, a window manager and notifications for Electron on Linux, and a key file for Apple’s service', () => {
    for (const name of ['xvfb', 'openbox', 'libnotify4', 'dunst', 'gnome-keyring', 'dbus-daemon'])
      expect(runs('package')).toMatch(new RegExp(`apt-get install[^\\n]* ${name}( |\\n|$)`));
    expect(runs('package')).toContain(
      "xvfb-run --auto-servernum --server-args='-screen 0 1920x1080x24' sh -c 'openbox & npm run verify:electron'",
    );
    expect(runs('package')).toMatch(/"\$APPLE_API_KEY" > ("[^"]+\.p8")\n\s*export APPLE_API_KEY=\1/);
  });

  it.runIf(process.platform !== 'win32').each([
    ['Windows', ['WIN_CSC_KEY_PASSWORD', 'WIN_CSC_LINK']],
    ['macOS', ['APPLE_API_ISSUER', 'APPLE_API_KEY', 'APPLE_API_KEY_ID', 'CSC_KEY_PASSWORD', 'CSC_LINK']],
    ['Linux', []],
  ])('gives the packing on %s only what that system signs with, and nothing that is not set', (system, names) => {
    const script = jobs['package']?.steps.find(({ run }) => run?.includes('npm run package') === true);
    const secrets = Object.keys(script?.env ?? {});
    const signing = (given: Record<string, string>): Record<string, string> => packingEnvironment(script?.run, given);
    const given = Object.fromEntries(secrets.map((name) => [name, `the ${name}`]));
    expect(Object.keys(signing({ ...given, RUNNER_OS: system })).toSorted()).toEqual(names);
    // GitHub passes a secret that is not set as an empty text.
    const empty = Object.fromEntries(secrets.map((name) => [name, '']));
    expect(signing({ ...empty, RUNNER_OS: system })).toEqual({});
  });

  it('lets Chromium’s sandbox work wherever it is started on Ubuntu 24.04', () => {
    for (const [name, job] of Object.entries(jobs)) {
      const said = runs(name);
      if (!job['runs-on'].startsWith('ubuntu') || !/npm test/.test(said)) continue;
      expect([name, /apparmor_restrict_unprivileged_userns=0[^]*npm test/.test(said)]).toEqual([name, true]);
    }
    expect(runs('package')).toMatch(/apparmor_restrict_unprivileged_userns=0[^]*verify:electron/);
  });

  it('includes on other systems the parts that do not need Linux, without blocking a change', () => {
    expect(runs('elsewhere')).toContain('npm test -- --only unit,integration');
    expect(jobs['elsewhere']?.['continue-on-error']).toBe(true);
    expect(jobs['elsewhere']?.strategy?.matrix.include.map(({ system }) => system)).toEqual([
      'macos-x64',
      'macos-arm64',
      'windows-x64',
    ]);
  });

  it('merges the feeds of both kinds of Mac into one, with the addresses of their packages', () => {
    const { steps = [] } = jobs['feed'] ?? {};
    expect(jobs['feed']?.['needs']).toBe('package');
    expect(steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'))?.with).toEqual({
      pattern: 'jobdeck-macos-*',
      path: 'packed',
    });
    const [, given = ''] = /node (test\/run\/merge-feeds\.ts --out latest-mac\.yml .*)/.exec(runs('feed')) ?? [];
    const [script = '', , , ...feeds] = given.split(' ');
    expect(existsSync(new URL(script, root))).toBe(true);
    const macs = jobs['package']?.strategy?.matrix.include.flatMap(({ system }) => system ?? []) ?? [];
    expect(feeds).toEqual(
      macs.filter((one) => one.startsWith('macos-')).map((one) => `packed/jobdeck-${one}/dist/latest-mac.yml`),
    );
    expect(steps.at(-1)?.with).toMatchObject({ path: 'latest-mac.yml' });
  });

  it('is archived: packages, report and notices', () => {
    const kept = jobs['package']?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    const paths = String(kept?.with?.['path']);
    for (const path of ['AppImage', 'deb', 'dmg', 'exe', 'verify-electron.md', 'notices'])
      expect(paths).toContain(path);
  });
});

it('watches the dependencies of the app and of its workflows', () => {
  const { updates } = z
    .object({ version: z.literal(2), updates: z.array(z.looseObject({ 'package-ecosystem': z.string() })) })
    .parse(parse(readFileSync(new URL('.github/dependabot.yml', root), 'utf8')));
  expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});
