import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../kit/electron-binary.ts';
import { fuseStates, wantedFuses } from '../../run/verify/fuses.ts';
import { leftOut } from '../../run/verify/left-out.ts';
import { untilBridged } from '../../run/verify/packaged.ts';
import { packagedChecks, proofs } from '../../run/verify/proofs.ts';
import { byEye } from '../../run/verify/by-eye.ts';
import { exitCodeOf, judge, pageOf } from '../../run/verify/report.ts';
import type { RunResults } from '../../run/verify/report.ts';
import { specResults } from '../../run/verify/spec-results.ts';
import type { SpecResult } from '../../run/verify/spec-results.ts';

const why = {
  electron: 'Electron’s program is not on this machine',
  packaged: 'packing ended with code 1',
  figures: 'no figures',
};
const without: RunResults = {
  system: 'linux 6.1 x64',
  platform: 'linux',
  electron: null,
  specs: null,
  packaged: null,
  figures: { start: null, idle: null },
  why,
};
const good = { state: 'proved' as const, detail: '' };
const passedOn = (runtime: string): SpecResult[] =>
  proofs.flatMap(({ source }) =>
    source.kind === 'spec'
      ? [{ file: source.file, title: source.title, state: 'passed' as const, runtimes: [runtime], detail: '' }]
      : [],
  );
/** As the benches print them where all is as it should be. */
const start = {
  'measured on': 'electron',
  jobs: 1_000_000,
  'first line to window ms (p50 of 3)': 300,
  'first line to first list ms (p50 of 3)': 410,
  'keychain hangs: first line to window ms (p50 of 3)': 310,
  'keychain hangs: first line to first list ms (p50 of 3)': 420,
};
const idle = {
  'measured on': 'electron',
  seconds: 60,
  'before: timers of ours that fired': 12,
  'shown: processor % of a core, main and its threads': 0.2,
  'shown: timers of ours that fired': 0,
  'minimised: processor % of a core, main and its threads': 0.1,
  'minimised: timers of ours that fired': 0,
};
const withAll: RunResults = {
  ...without,
  electron: '45.4.1',
  specs: passedOn('electron'),
  packaged: Object.fromEntries(packagedChecks.map((check) => [check, good])),
  figures: { start, idle },
};
const states = (results: RunResults): string[] => judge(proofs, results).map(({ verdict }) => verdict.state);
const verdictAt = (results: RunResults, claim: string): unknown =>
  judge(proofs, results).find(({ proof }) => proof.claim.includes(claim))?.verdict;

describe('the proof of a run', () => {
  it('is complete if everything ran on Electron', () => {
    expect(new Set(states(withAll))).toEqual(new Set(['proved']));
    expect(exitCodeOf(judge(proofs, withAll))).toBe(0);
  });

  it('is empty without the program, reported claim by claim, with its own exit code', () => {
    const judged = judge(proofs, without);
    expect(new Set(judged.map(({ verdict }) => verdict.state))).toEqual(new Set(['unproved']));
    expect(exitCodeOf(judged)).toBe(3);
    const page = pageOf(judged, without);
    for (const { claim } of proofs) expect(page).toContain(claim);
    for (const each of byEye) expect(page).toContain(`- ${each}`);
    expect(page).toContain(`0 proved, 0 failed, ${proofs.length} not proved.`);
    // The reason is given once, with what to do about it.
    expect(page.split(why.electron)).toHaveLength(2);
    expect(page).toContain('install-electron');
  });

  it('does not include specs that ran on the stand-in, were skipped or did not run', () => {
    const specs = passedOn('stand-in');
    expect(verdictAt({ ...withAll, specs }, 'Every end-to-end')).toMatchObject({ state: 'unproved' });
    expect(verdictAt({ ...withAll, specs }, 'cannot be led') ?? verdictAt({ ...withAll, specs }, 'led away')).toEqual({
      state: 'unproved',
      detail: 'it ran on the stand-in',
    });
    const skipped = passedOn('electron').map((spec) => ({ ...spec, state: 'skipped' as const, detail: 'no bus' }));
    expect(verdictAt({ ...withAll, specs: skipped }, 'led away')).toEqual({
      state: 'unproved',
      detail: 'skipped: no bus',
    });
    expect(verdictAt({ ...withAll, specs: [] }, 'led away')).toEqual({
      state: 'unproved',
      detail: 'the spec did not run',
    });
  });

  it('fails by one spec or one check of the packaged app, and says which', () => {
    const specs: SpecResult[] = [
      ...passedOn('electron'),
      { file: 'test/e2e/list.spec.ts', title: 'a | b', state: 'failed', runtimes: ['electron'], detail: 'Timeout' },
    ];
    const results: RunResults = {
      ...withAll,
      specs,
      packaged: { ...withAll.packaged, zstd: { state: 'failed', detail: 'not what was sent' } },
    };
    const judged = judge(proofs, results);
    expect(exitCodeOf(judged)).toBe(1);
    const page = pageOf(judged, results);
    expect(page).toContain('**failed** | not what was sent');
    expect(page).toContain('- test/e2e/list.spec.ts: a | b. Timeout');
  });

  it('does not count a figure of the stand-in as one of Electron', () => {
    const figures = { start: { ...start, 'measured on': 'stand-in' }, idle: null };
    expect(verdictAt({ ...withAll, figures }, 'Start:')).toEqual({
      state: 'unproved',
      detail: 'measured on: stand-in',
    });
    expect(verdictAt({ ...withAll, figures }, 'Idle')).toEqual({ state: 'unproved', detail: 'no figures' });
  });

  it('needs the figure of the window and of the list, over a million jobs', () => {
    const withStart = (changed: object): RunResults => ({
      ...withAll,
      figures: { idle, start: { ...start, ...changed } },
    });
    expect(verdictAt(withStart({}), 'Start:')).toMatchObject({ state: 'proved' });
    for (const name of ['window', 'first list']) {
      const figure = `first line to ${name} ms (p50 of 3)`;
      expect(verdictAt(withStart({ [figure]: 'not measured' }), 'Start:')).toMatchObject({
        state: 'unproved',
        detail: expect.stringContaining(`lacks ${figure}: not measured.`),
      });
    }
    expect(verdictAt(withStart({ jobs: 100_000 }), 'Start:')).toMatchObject({
      state: 'unproved',
      detail: expect.stringContaining('jobs: 100000, not 1000000'),
    });
    const { 'keychain hangs: first line to window ms (p50 of 3)': _window, ...noHang } = start;
    const without = { ...withAll, figures: { idle, start: noHang } };
    expect(verdictAt(without, 'keychain hangs')).toMatchObject({ state: 'unproved' });
    // Elsewhere that is not a claim, so nothing stays open by it.
    expect(verdictAt({ ...without, platform: 'darwin' }, 'keychain hangs')).toBeUndefined();
    expect(exitCodeOf(judge(proofs, { ...without, platform: 'win32' }))).toBe(0);
  });

  it('does not include idleness that was not measured, nor one over its limits', () => {
    const verdictOf = (changed: object): unknown =>
      verdictAt({ ...withAll, figures: { start, idle: { ...idle, ...changed } } }, 'Idle');
    const processor = 'minimised: processor % of a core, main and its threads';
    expect(verdictOf({ [processor]: 'not measured' })).toMatchObject({ state: 'unproved' });
    expect(verdictOf({ [processor]: 0.5 })).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining(`${processor} is 0.5, and must be under 0.5`),
    });
    expect(verdictOf({ 'shown: timers of ours that fired': 11 })).toMatchObject({ state: 'failed' });
    expect(verdictOf({ 'shown: timers of ours that fired': 'not counted' })).toMatchObject({ state: 'unproved' });
    // None fired because none is counted.
    expect(verdictOf({ 'before: timers of ours that fired': 0 })).toMatchObject({ state: 'unproved' });
    expect(verdictOf({ seconds: 5 })).toMatchObject({ state: 'unproved' });
  });

  it('says how many specs were skipped, and is open if one of them could have run', () => {
    const skipped = (file: string, title: string): SpecResult => ({
      file: `test/e2e/${file}.spec.ts`,
      title,
      state: 'skipped',
      runtimes: [],
      detail: 'a reason',
    });
    const suite = (results: RunResults, ...more: SpecResult[]): unknown =>
      verdictAt({ ...results, specs: [...passedOn('electron'), ...more] }, 'Every end-to-end');
    const passed = passedOn('electron').length;
    const onAny = leftOut.find(({ on }) => on === undefined);
    const onMac = leftOut.find(({ on }) => on?.includes('darwin') === true);
    if (onAny === undefined || onMac === undefined) throw new Error('Nothing is left out.');
    expect(suite(withAll, skipped(onAny.file, onAny.title))).toEqual({
      state: 'proved',
      detail: `${passed} passed, 1 skipped that cannot run on Electron here`,
    });
    expect(suite(withAll, skipped('list', 'a list'))).toEqual({
      state: 'unproved',
      detail: `${passed} passed, 0 skipped that cannot run on Electron here, and 1 skipped that could: “a list”`,
    });
    const ofMac = skipped(onMac.file, onMac.title);
    expect(suite(withAll, ofMac)).toMatchObject({ state: 'unproved' });
    expect(suite({ ...withAll, platform: 'darwin' }, ofMac)).toMatchObject({ state: 'proved' });
  });

  it('omits what only another system can show', () => {
    expect(verdictAt(withAll, 'authority')).toMatchObject({ state: 'proved' });
    expect(verdictAt({ ...withAll, platform: 'win32' }, 'authority')).toBeUndefined();
  });
});

/** The title as its file has it. */
const titleInFile = (title: string): string => title.replace(/\((darwin|win32)\)$/, '(${platform})');
/** The title at the beginning of a text. */
const titleOf = (text: string): string => text.slice(1, text.indexOf(text.charAt(0), 1));

describe('specs that may be skipped on Electron', () => {
  it('exist', () => {
    for (const { file, title } of leftOut) {
      const text = readFileSync(join(projectDir, 'test', 'e2e', `${file}.spec.ts`), 'utf8');
      expect(text).toContain(titleInFile(title));
    }
  });

  it('are all that skip themselves, so that none leaves the claim about all specs open', () => {
    const known = new Set(leftOut.map(({ file, title }) => `${file}: ${titleInFile(title)}`));
    const skipping = globSync('test/e2e/*.spec.ts', { cwd: projectDir })
      .filter((path) => !path.endsWith('electron-only.spec.ts'))
      .flatMap((path) => {
        const specs = readFileSync(join(projectDir, path), 'utf8')
          .split(/\btest\(\s*(?=['`])/)
          .slice(1);
        const file = basename(path, '.spec.ts');
        return specs.filter((text) => text.includes('.skip(')).map((text) => `${file}: ${titleOf(text)}`);
      });
    expect(skipping.length).toBeGreaterThan(10);
    expect(skipping.filter((spec) => !known.has(spec))).toEqual([]);
  });
});

describe('the list of proofs', () => {
  it('names specs that exist', () => {
    for (const { source } of proofs) {
      if (source.kind !== 'spec') continue;
      expect(readFileSync(join(projectDir, source.file), 'utf8')).toContain(`'${source.title}'`);
    }
  });

  it('requires every check of the packaged app', () => {
    const asked = proofs.flatMap(({ source }) => (source.kind === 'packaged' ? [source.check] : []));
    expect(asked.toSorted()).toEqual([...packagedChecks].sort());
  });
});

it('reads Playwright’s report: state, runtime, reason', () => {
  const test = (status: string, extra: object = {}): object => ({
    status,
    annotations: [{ type: 'runtime', description: 'electron' }],
    results: [],
    ...extra,
  });
  const spec = (title: string, one: object): object => ({ title, file: 'a.spec.ts', tests: [one] });
  const report = {
    suites: [
      {
        specs: [spec('one', test('expected'))],
        suites: [
          {
            specs: [
              spec(
                'two',
                test('unexpected', { results: [{ errors: [{ message: '\u001b[31mTimeout\u001b[39m\nat x' }] }] }),
              ),
              spec('three', test('skipped', { annotations: [{ type: 'skip', description: 'needs a bus' }] })),
            ],
          },
        ],
      },
    ],
  };
  expect(specResults(report).map(({ title, state, runtimes, detail }) => [title, state, runtimes, detail])).toEqual([
    ['two', 'failed', ['electron'], 'Timeout'],
    ['three', 'skipped', [], 'needs a bus'],
    ['one', 'passed', ['electron'], ''],
  ]);
  expect(specResults({ suites: 'none' })).toEqual([]);
});

it('asks the page of the packaged app when it has the bridge, and not while it is still empty', async () => {
  const isGone = (): Promise<boolean> => Promise.reject(new Error('Execution context was destroyed'));
  const answers = [async () => false, isGone, async () => true];
  await untilBridged(async () => (await answers.shift()?.()) ?? false, 60_000);
  expect(answers).toEqual([]);
  await expect(untilBridged(() => Promise.resolve(false), 1)).rejects.toThrow('Its page has no bridge.');
});

describe('fuses', () => {
  it('are read by their position, and compared with the configuration', () => {
    const wire = {
      version: '1',
      ...Object.fromEntries('00001108'.split('').map((state, at) => [at, state.charCodeAt(0)])),
    };
    expect(fuseStates(wire)).toEqual([false, false, false, false, true, true, false, null]);
    const { build }: { build: { electronFuses: Record<string, boolean> } } = JSON.parse(
      readFileSync(join(projectDir, 'package.json'), 'utf8'),
    );
    expect(wantedFuses(build.electronFuses)).toMatchObject({ 0: false, 4: true, 5: true, 7: false });
    expect(() => wantedFuses({ nobodyKnows: true })).toThrow('nobodyKnows');
  });
});
