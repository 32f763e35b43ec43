import { afterEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../conformance/rule.ts';
import { RULES } from '../../conformance/rules/index.ts';
import { runRules } from '../../conformance/suite.ts';
import { openScene, type Scene } from './scene.ts';

/** Ten times what it takes on a machine that does nothing else. */
const SUITE_MS = 300_000;

/** What cannot be seen from outside; of the last five, requests are answered before another can be sent. */
const NOT_OBSERVABLE = [
  'run.s3.handed-over',
  'limit.dynamic',
  'limit.status.concurrent',
  'limit.stream.concurrent',
  'limit.cancel.concurrent',
  'limit.openai.concurrent',
  'limit.requests.concurrent',
];

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

describe('the sandbox, by every rule of the specification', () => {
  for (const dialect of ['spec', 'observed'] as const) {
    it(
      `keeps them all in the ${dialect} dialect`,
      async () => {
        scene = await openScene(dialect);
        const found: Record<Verdict['verdict'], string[]> = { pass: [], fail: [], 'not observable': [] };
        for await (const { rule, verdict } of runRules(scene.serviceAt(), RULES)) {
          found[verdict.verdict].push(verdict.verdict === 'fail' ? `${rule.id}: ${verdict.detail}` : rule.id);
        }
        expect(found.fail).toEqual([]);
        expect(found['not observable']).toEqual(NOT_OBSERVABLE);
        expect(found.pass).toHaveLength(RULES.length - NOT_OBSERVABLE.length);
      },
      SUITE_MS,
    );
  }
});

describe('the rules', () => {
  it('have unique ids and name their source', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(RULES.filter(({ source }) => !/^(spec: |ruling \d|field notes: )/.test(source))).toEqual([]);
    expect(RULES.filter(({ says }) => !/^\S.*\.$/.test(says))).toEqual([]);
  });
});
