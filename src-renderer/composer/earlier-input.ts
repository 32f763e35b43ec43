import { ok, type Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';
import { useComposer } from './composer-store.ts';

/** Resolves when all inputs asked for so far are read. Another one for each of them. */
let lastAsked: Promise<unknown> = Promise.resolve();

/**
 * Reads the input of an earlier job and calls `take` with it. As one input it is taken only if no other one was asked
 * for meanwhile and the same draft is in the sheet; as rows of many, all are taken in the order in which they were
 * asked for. Returns why it could not be read.
 */
export async function takeInputOf(jobKey: string, take: (inputText: string) => void): Promise<Result<null>> {
  const { slot, inputCount } = useComposer.getState();
  const reading = call('job:body', { key: jobKey, part: 'input', attempt: null, isWhole: true });
  const mine = Promise.all([reading, lastAsked]).then(() => null);
  lastAsked = mine;
  const body = await reading;
  await mine;
  const now = useComposer.getState();
  const isWanted = inputCount === 'many' || (lastAsked === mine && now.slot === slot);
  if (!isWanted || !now.isOpen || now.inputCount !== inputCount) return ok(null);
  if (!body.ok) return body;
  take(body.value.text);
  return ok(null);
}
