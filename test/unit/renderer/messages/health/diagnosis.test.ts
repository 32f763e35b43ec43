import { expect, it } from 'vitest';
import { diagnosisText } from '../../../../../src-renderer/messages/health/endpoint.tsx';

it('an endpoint is not called healthy beside an alert that fires there', () => {
  expect(diagnosisText.nothingFound(0)).toBe('No issues found');
  expect(diagnosisText.nothingFound(1)).toBe('1 alert firing; nothing else found');
  expect(diagnosisText.nothingFound(2)).toBe('2 alerts firing; nothing else found');
});
