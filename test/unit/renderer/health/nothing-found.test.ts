import { expect, it } from 'vitest';
import { nothingFound } from '../../../../src-renderer/health/nothing-found.ts';

it('an endpoint is not called well beside an alert that fires there', () => {
  expect(nothingFound(0)).toBe('No issues found');
  expect(nothingFound(1)).toBe('1 alert firing; nothing else found');
  expect(nothingFound(2)).toBe('2 alerts firing; nothing else found');
});
