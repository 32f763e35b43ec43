import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/**
 * Files that take a minute and more, longest first. If one of them began last, it would keep a worker busy after all
 * others ended.
 */
export const longestFiles = [
  'integration/job/fault-truth.test.ts',
  'integration/job/fault-truth-answers.test.ts',
  'integration/job/bad-hour.test.ts',
  'integration/job/retention-day.test.ts',
  'sandbox/conformance/mutations.test.ts',
];

/** The order of test files: the longest first, then vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longestFiles.findIndex((path) => moduleId.endsWith(path));
  return place === -1 ? longestFiles.length : place;
}
