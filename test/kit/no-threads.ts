import { afterAll, beforeAll } from 'vitest';

/*
 * Unit tests start no thread. Their files share a process, and V8 now and then takes down a process that starts and
 * ends many threads (see test/run/crashed-files.ts): what needs a thread is an integration test.
 */
let startedThreads = 0;
const countThread = (): void => void (startedThreads += 1);

beforeAll(() => {
  startedThreads = 0;
  process.on('worker', countThread);
});
afterAll(() => {
  process.off('worker', countThread);
  if (startedThreads > 0)
    throw new Error(`A unit test started ${startedThreads} threads. What needs a thread belongs in test/integration.`);
});
