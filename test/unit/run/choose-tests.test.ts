import { describe, expect, it } from 'vitest';
import { chooseTests } from '../../run/choose-tests.ts';

const files = [
  'test/unit/job/retry.test.ts',
  'test/sandbox/unit/parts.test.ts',
  'test/integration/job/retry.test.ts',
  'test/e2e/retry.spec.ts',
];
const chosen = (...args: string[]): unknown => {
  const choice = chooseTests(args, files);
  return choice.kind === 'run' ? { ...choice, stages: [...choice.stages] } : choice;
};

describe('npm test', () => {
  it('runs everything, unused code included', () => {
    expect(chosen()).toMatchObject({
      stages: ['format', 'types', 'lint', 'unused', 'house', 'build', 'unit', 'integration', 'e2e'],
      playwright: [],
    });
  });

  it('runs one suite whole, and the build before the end-to-end specs', () => {
    expect(chosen('--only', 'unit')).toMatchObject({ stages: ['unit'], vitest: ['test/unit/', 'test/sandbox/unit/'] });
    expect(chosen('--only', 'e2e')).toMatchObject({ stages: ['e2e', 'build'], vitest: [], playwright: [] });
    expect(chosen('--only', 'lint, house')).toMatchObject({ stages: ['lint', 'house'], vitest: [], playwright: [] });
  });

  it('runs the files with a path, in the suites they are in', () => {
    expect(chosen('job/retry')).toMatchObject({
      stages: ['unit', 'integration'],
      vitest: ['test/unit/job/retry.test.ts', 'test/integration/job/retry.test.ts'],
      playwright: [],
    });
    expect(chosen('./test/e2e/retry.spec.ts:12')).toMatchObject({
      stages: ['e2e', 'build'],
      vitest: [],
      playwright: ['test/e2e/retry.spec.ts:12'],
    });
    expect(chosen('--only', 'unit', 'retry')).toMatchObject({
      stages: ['unit'],
      vitest: ['test/unit/job/retry.test.ts'],
    });
  });

  it('refuses a path that no file has, or none of the chosen suite, instead of running everything', () => {
    expect(chosen('retyr')).toEqual({ kind: 'refused', message: 'No test file has this path: retyr' });
    expect(chosen('--only', 'unit', 'job', 'e2e/retry')).toEqual({
      kind: 'refused',
      message: 'No test file of unit has this path: e2e/retry',
    });
  });

  it('refuses an unknown stage or option with a sentence, and explains itself', () => {
    expect(chosen('--only', 'units')).toMatchObject({ message: expect.stringContaining('There is no stage units.') });
    expect(chosen('--watch')).toMatchObject({ kind: 'refused', message: expect.stringContaining('--watch') });
    expect(chosen('--help')).toEqual({ kind: 'help' });
  });
});
