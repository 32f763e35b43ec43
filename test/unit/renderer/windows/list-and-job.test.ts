import { expect, it } from 'vitest';
import { rowForm } from '../../../../src-renderer/windows/list-and-job.tsx';

it('the width of the list determines the form of its rows', () => {
  expect([300, 480, 900].map((px) => rowForm('comfortable', px))).toEqual(['compact', 'comfortable', 'comfortable']);
  expect([300, 480, 900].map((px) => rowForm('compact', px))).toEqual(['compact', 'compact', 'table']);
});
