import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallOutput } from '../../../../src-preload/contract.ts';
import { failed, ok, type Result } from '../../../../src-preload/failure.ts';
import { useComposer } from '../../../../src-renderer/composer/composer-store.ts';
import { takeInputOf } from '../../../../src-renderer/composer/input-history.tsx';
import { answerCalls } from '../../../kit/answering-bridge.ts';

type Body = Result<CallOutput<'job:body'>>;

/** The reads that are not answered yet, by job. */
let asked: Map<string, (body: Body) => void>;
let taken: string[] = [];
const take = (key: string): Promise<Result<null>> => takeInputOf(key, (text) => taken.push(text));

beforeEach(() => {
  asked = new Map();
  taken = [];
  answerCalls({ 'job:body': ({ key }) => new Promise((answer) => asked.set(key, answer)) });
  useComposer.setState({ isOpen: true, slot: 'for text', inputCount: 'one' });
});

afterEach(() => {
  useComposer.setState({ isOpen: false, inputCount: null });
  vi.unstubAllGlobals();
});

function answer(key: string): void {
  asked.get(key)?.(ok({ text: key, bytes: 1, isCut: false }));
}

test('of two inputs pressed the last one is taken, whichever is read first', async () => {
  const both = [take('slow'), take('quick')];
  answer('quick');
  answer('slow');
  await Promise.all(both);
  expect(taken).toEqual(['quick']);
});

test('each of two inputs pressed becomes a row of many, in the order in which they were pressed', async () => {
  useComposer.setState({ inputCount: 'many' });
  const both = [take('slow'), take('quick')];
  answer('quick');
  answer('slow');
  await Promise.all(both);
  expect(taken).toEqual(['slow', 'quick']);
});

test('an input that is read when another draft is in the sheet, or none, is not taken', async () => {
  for (const since of [{ slot: 'for image' }, { isOpen: false }, { inputCount: 'many' }] as const) {
    useComposer.setState({ isOpen: true, slot: 'for text', inputCount: 'one' });
    const one = take('a');
    useComposer.setState(since);
    answer('a');
    await one;
  }
  expect(taken).toEqual([]);
});

test('why an input could not be read is returned', async () => {
  const failure = failed({ kind: 'defect', message: 'The disk does not answer.' } as const);
  const one = take('a');
  asked.get('a')?.(failure);
  expect(await one).toEqual(failure);
});
