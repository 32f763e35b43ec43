import { expect, test } from 'vitest';
import { usualHeader } from '../../../../../src-renderer/composer/bulk/cell-help.ts';
import { inputsOfRows, planRows } from '../../../../../src-renderer/composer/bulk/row-plan.ts';
import { newVariable } from '../../../../../src-renderer/composer/variables/variable.ts';
import { parsed } from './written.ts';

const seed = { ...newVariable('seed'), kind: 'list' as const, list: ['1', '2', '3'] };

test('a row becomes a job for each value of its variables, and others stay one', () => {
  const { good, bad } = parsed('{"a": {{seed}}}\n{"b": "no. {{seed}} {{other}}"}\n{"c": 1}\n');
  expect(bad).toEqual([]);
  const plan = planRows(good, [seed]);
  expect(plan).toMatchObject({ jobs: 7, problem: null });
  expect(plan.used.map(({ variable }) => variable.name)).toEqual(['seed', 'other']);
  expect([...inputsOfRows(good, [seed])].map(({ row, inputText }) => [row, inputText])).toEqual([
    [0, '{"a": 1}'],
    [0, '{"a": 2}'],
    [0, '{"a": 3}'],
    [1, '{"b": "no. 1 {{other}}"}'],
    [1, '{"b": "no. 2 {{other}}"}'],
    [1, '{"b": "no. 3 {{other}}"}'],
    [2, '{"c": 1}'],
  ]);
});

test('a table cell that is a placeholder gets the value unchanged', () => {
  const { good } = parsed('prompt,seed\na {{seed}},{{seed}}\n');
  expect([...inputsOfRows(good, [seed])][1]?.inputText).toBe('{"prompt":"a 2","seed":2}');
});

test('a missing value is reported with its line, and so are too many jobs', () => {
  const { good } = parsed('{"c": 1}\n{"a": {{size}}}\n');
  expect(planRows(good, [seed]).problem).toBe('Line 2: Give {{size}} a value');
  const many = { ...newVariable('seed'), kind: 'range' as const, from: '1', to: '15000' };
  const twice = parsed('{"a": {{seed}}}\n{"b": {{seed}}}\n').good;
  expect(planRows(twice, [many]).problem).toBe('These rows make 30,000 jobs. A batch has at most 20,000');
});

test('the usual columns are the keys of most earlier inputs, without those that contain others', () => {
  const key = (path: string[], count: number, type: 'string' | 'object' = 'string') => ({
    path,
    types: [type],
    count,
    values: [],
    range: null,
  });
  const keys = [key(['prompt'], 9), key(['sampling'], 8, 'object'), key(['sampling', 'top_p'], 8), key(['rare'], 1)];
  expect(usualHeader({ jobs: 10, keys: [...keys, key(['a.b'], 9)] })).toBe('prompt,sampling.top_p');
});
