import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSeenValues } from '../../../../src-main/history/failures/causes.ts';
import { normalised } from '../../../../src-main/history/failures/signature.ts';

const wordsOf = (message: string, messages: string[]): string =>
  withSeenValues(message, messages)
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'varied' ? '…' : `[${part.min} to ${part.max}]`))
    .join('');

test('numbers are listed from the lowest to the highest, as they were written', () => {
  expect(
    wordsOf('CUDA out of memory. Tried to allocate … GiB. GPU … has … GiB in total.', [
      'CUDA out of memory. Tried to allocate 9.88 GiB. GPU 0 has 44.50 GiB in total.',
      'CUDA out of memory. Tried to\n allocate 5.10 GiB. GPU 0 has 1,024 GiB in total.',
      'CUDA out of memory. Tried to allocate 12 GiB. GPU 0 has 80 GiB in total.',
    ]),
  ).toBe('CUDA out of memory. Tried to allocate [5.10 to 12] GiB. GPU [0 to 0] has [44.50 to 1,024] GiB in total.');
});

test('a single text is shown, several are left open, and a message of another form is skipped', () => {
  expect(
    wordsOf('no file … in …', ['no file /a/b/c in bucket-1', 'no file /a/b/d in bucket-1', 'something else']),
  ).toBe('no file … in [bucket-1 to bucket-1]');
  expect(wordsOf('no file …', ['something else'])).toBe('no file …');
  expect(wordsOf('no file …', ['no file '])).toBe('no file …');
  expect(wordsOf('boom', ['boom'])).toBe('boom');
});

test('the values of any message appear where its cause omits something', () => {
  const number = fc.integer({ min: 2, max: 99_999 });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 5 }), (numbers) => {
      const message = `Tried ${numbers.join(' times and then ')} times`;
      const cause = normalised(message);
      expect(cause).not.toMatch(/\d/);
      expect(wordsOf(cause, [message]).replaceAll(/\[(\d+) to \1\]/g, '$1')).toBe(message);
    }),
  );
});
