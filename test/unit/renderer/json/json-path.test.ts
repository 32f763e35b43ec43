import { expect, it } from 'vitest';
import { fromRoot } from '../../../../src-renderer/json/json-path.ts';

it.for([
  ['$.products[0]', '$.products[0]'],
  [' $ ', '$'],
  ['.products', '$.products'],
  ['products[?@.price > 20].name', '$.products[?@.price > 20].name'],
  ['[0]', '$[0]'],
  ['..name', '$..name'],
  ['*', '$.*'],
  ['  ', ''],
] as const)('the path "%s" means "%s"', ([typed, path]) => {
  expect(fromRoot(typed)).toBe(path);
});
