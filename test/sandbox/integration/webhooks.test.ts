import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';

let sandbox: Sandbox;
let receiver: Server;
afterEach(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

/** A receiver that leaves every call open until the test answers it. */
async function open(onCall: (response: ServerResponse) => void): Promise<string> {
  receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => onCall(response));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

/** As soon as it is true, checked in every turn of the event loop. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise<void>((resolve) => setImmediate(resolve));
}

test('the timeout of a receiver is in real time, however fast the service runs', async () => {
  // It answers when a minute of the service's time has passed: six times what it would be waited for in that time.
  const webhook = await open(
    (response) =>
      void createCaller(sandbox)
        .runsync('mock', { mock_delay: 60_000 })
        .then(() => response.end()),
  );
  sandbox = await startSandbox({ timeScale: 1_000 });
  await createCaller(sandbox).run('mock', { mock_return: 1 }, { webhook });
  await until(() => sandbox.webhookAttempts().length === 1);
  expect(sandbox.webhookAttempts()).toMatchObject([{ attempt: 1, status: 200 }]);
});

test('at most 64 calls are in progress at the same time, and all are made', async () => {
  const calls: ServerResponse[] = [];
  const webhook = await open((response) => calls.push(response));
  sandbox = await startSandbox({ limits: 'off' });
  const caller = createCaller(sandbox);
  const ids = await Promise.all(
    Array.from({ length: 100 }, (_, row) => caller.run('mock', { mock_return: row }, { webhook })),
  );
  await until(() => calls.length === 64 && sandbox.transitions().filter(({ to }) => to === 'COMPLETED').length === 100);
  for (const response of calls.splice(0)) response.end();
  await until(() => calls.length === 36);
  for (const response of calls.splice(0)) response.end();
  await until(() => sandbox.webhookAttempts().length === 100);
  expect(new Set(sandbox.webhookAttempts().map(({ jobId }) => jobId))).toEqual(new Set(ids));
});
