import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../conformance/rules/index.ts';
import { runRules } from '../../conformance/suite.ts';
import { startBrokenService } from '../../kit/broken-service.ts';
import { MUTATIONS } from '../../kit/broken-service-table.ts';
import { openScene, type Scene } from './scene.ts';

const DIALECTS = ['spec', 'observed'] as const;

let scenes: Record<(typeof DIALECTS)[number], Scene>;

beforeAll(async () => {
  scenes = { spec: await openScene('spec'), observed: await openScene('observed') };
});

afterAll(async () => {
  for (const dialect of DIALECTS) await scenes[dialect].close();
});

/** Longer than jobs live that a failed rule had to leave behind, and than requests count for a limit. */
const CLEAR_MS = 500_000;

/** The verdict of one rule, on the service at this address. */
async function verdictOf(scene: Scene, ruleId: string, baseUrl?: string): Promise<string> {
  const service = scene.serviceAt(baseUrl);
  await service.time.pass(CLEAR_MS);
  const rules = RULES.filter(({ id }) => id === ruleId);
  const verdicts: string[] = [];
  for await (const { verdict } of runRules(service, rules))
    verdicts.push(verdict.verdict === 'pass' ? 'pass' : `${verdict.verdict}: ${verdict.detail}`);
  return verdicts.join();
}

/** Jobs that a broken service did not cancel on request. The latest first: they wait behind the others. */
async function stopAll(scene: Scene, jobs: readonly string[]): Promise<void> {
  const service = scene.serviceAt();
  for (const job of [...jobs].reverse()) await service.call('cancel', { job });
}

describe('a service with one rule broken is noticed', () => {
  it.each(MUTATIONS)('$name: $breaks', async ({ breaks, dialect = 'spec', behave }) => {
    const scene = scenes[dialect];
    expect(await verdictOf(scene, breaks)).toBe('pass');
    const broken = await startBrokenService(
      { baseUrl: scene.sandbox.baseUrl, apiKey: scene.sandbox.apiKey, clock: scene.clock },
      behave(),
    );
    try {
      expect(await verdictOf(scene, breaks, broken.baseUrl)).toMatch(/^fail: /);
    } finally {
      await broken.close();
      await stopAll(scene, broken.jobs());
    }
  });
});

describe('the mutations', () => {
  it('are many, and each has a unique name', () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
  });
});
