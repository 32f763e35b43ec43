import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { atEndOfTurn, endOfTurn } from '../../../src-main/async/turns.ts';

/** Resolves after so many promises, one after the other. */
async function afterPromises(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
}

it('the end of a turn is after everything that promises lead to, and before anything else', async () => {
  const order: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (name: string) => {
    order.push(name);
    // Streams plan ticks of their own.
    process.nextTick(() => void afterPromises(20).then(() => order.push(`${name}: a tick and promises`)));
    atEndOfTurn(() => order.push(`${name}: end`));
    void afterPromises(50).then(() => order.push(`${name}: promises`));
  });
  port2.postMessage('first');
  port2.postMessage('second');
  port2.close();
  await once(port1, 'close');
  expect(order).toEqual(
    ['first', 'second'].flatMap((name) => [name, `${name}: a tick and promises`, `${name}: promises`, `${name}: end`]),
  );
});

it('what waits for the end of a turn resumes after everything that runs there, in order', async () => {
  const order: string[] = [];
  const waiting = [1, 2].map((at) => endOfTurn().then(() => order.push(`waited ${at}`)));
  await afterPromises(20);
  // Planned long after they began to wait.
  atEndOfTurn(() => order.push('ran'));
  await Promise.all(waiting);
  expect(order).toEqual(['ran', 'waited 1', 'waited 2']);
});
