import { expect, test } from 'vitest';
import { crashedFilesIn } from '../../../test/run/crashed-files.ts';

test('names the files that V8 crashed, and no others', () => {
  expect(
    crashedFilesIn([
      'Worker exited unexpectedly with signal SIGTRAP during started state while running test file /project/test/integration/job/other-host.test.ts',
      'Worker exited unexpectedly with signal SIGSEGV during started state while running test file /project/test/integration/job/restart.test.ts',
      'Worker exited unexpectedly with signal SIGSEGV during started state while running test files /project/test/integration/pod/pods.test.ts, /project/test/integration/cost/costs.test.ts',
      'Worker exited unexpectedly with signal SIGKILL during started state while running test file /project/test/unit/a.test.ts',
      'Worker exited unexpectedly with code 1 while running test file /project/test/unit/b.test.ts',
      '[vitest-pool]: Worker forks emitted error.',
    ]),
  ).toEqual([
    '/project/test/integration/job/other-host.test.ts',
    '/project/test/integration/job/restart.test.ts',
    '/project/test/integration/pod/pods.test.ts',
    '/project/test/integration/cost/costs.test.ts',
  ]);
});
