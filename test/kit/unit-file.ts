import { afterAll, beforeAll, vi } from 'vitest';

/*
 * Runs before each file of unit tests. Files share a process, but not the state of the windows' modules (their stores):
 * what a file imports is evaluated again. Modules that Node itself loads are evaluated once; they keep only caches.
 */
vi.resetModules();

/*
 * Unit tests start no thread: in a process that many files share, V8 now and then crashes when many threads start and
 * end (see test/run/crashed-files.ts). What needs a thread is an integration test.
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
