import { describe, expect, it } from 'vitest';
import {
  base64Bytes,
  kindOfText,
  plainTextOf,
  promisesInputs,
  sizeProblem,
} from '../../../../../src-renderer/composer/drop/file-text.ts';

describe('a dropped file', () => {
  it.each([
    ['one.json', '{"a": 1}', 'input'],
    ['one.json', '\ufeff{\n  "a": 1\n}\n', 'input'],
    ['many.json', '[{"a": 1}, {"a": 2}]', 'inputs'],
    ['many.ndjson', '{"a": 1}\n{"a": 2}', 'inputs'],
    ['one.ndjson', '{"a": 1}', 'input'],
    ['table.csv', 'prompt,seed\na,1', 'inputs'],
    ['prompts.txt', 'prompt\na red kettle', 'inputs'],
    ['empty.txt', ' \n', 'text'],
  ])('%s with %j is %s', (name, text, kind) => {
    expect(promisesInputs(name)).toBe(true);
    expect(kindOfText(name, text)).toBe(kind);
  });

  it('is text only if every byte of it is', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(plainTextOf(bytes('# Ein Krug\n\tü'))).toBe('# Ein Krug\n\tü');
    expect(plainTextOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47]))).toBeNull();
    expect(plainTextOf(bytes('a\0b'))).toBeNull();
    expect(promisesInputs('photo.png')).toBe(false);
  });

  it('is limited to the sizes of run and runsync', () => {
    const file = (size: number): { name: string; size: number } => ({ name: 'a.wav', size });
    expect(base64Bytes(4)).toBe(btoa('abcd').length);
    expect(sizeProblem(file(7_000_000), 100, 'run')).toBeNull();
    expect(sizeProblem(file(8_000_000), 100, 'run')).toEqual({
      message: 'a.wav is 8.0 MB, as base64 11 MB. run accepts less than 10 MB; runsync would accept it.',
      isHint: true,
    });
    expect(sizeProblem(file(8_000_000), 100, 'runsync')).toBeNull();
    expect(sizeProblem(file(15_000_000), 100, 'runsync')?.isHint).toBe(false);
    // What is in the input already counts.
    expect(sizeProblem(file(7_000_000), 1_000_000, 'run')?.isHint).toBe(true);
  });
});
