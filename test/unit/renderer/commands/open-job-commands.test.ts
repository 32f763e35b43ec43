import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { openJobCommands } from '../../../../src-renderer/commands/open-job-commands.tsx';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useExtendRequest } from '../../../../src-renderer/job/extend-request.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { acceptedAtMs, aJob, anAttempt } from '../job/a-job.ts';
import { commandNamed, plainWindow } from './a-window.ts';

beforeEach(plainWindow);
afterEach(() => vi.unstubAllGlobals());

const commandOf = (job: Job, label: string) => commandNamed(openJobCommands(job, acceptedAtMs + 5_000), label);

test('the output is saved as soon as there is some', async () => {
  const { asked } = answerCalls({});
  expect(commandOf(aJob(), 'Save output').refusal).toBe('It has no output');
  const saved = commandOf(aJob({ chunkCount: 3 }), 'Save output');
  expect(saved.refusal).toBeUndefined();
  saved.run();
  await vi.waitFor(() => expect(asked).toContain('job:get'));
});

test('the lifetime is extended while the job is active', () => {
  expect(commandOf(aJob({ phase: 'finished', status: 'COMPLETED' }), 'Extend lifetime').refusal).not.toBeUndefined();
  const extend = commandOf(aJob(), 'Extend lifetime');
  expect(extend.refusal).toBeUndefined();
  extend.run();
  expect(useExtendRequest.getState().jobKey).toBe('k1');
  useExtendRequest.getState().close();
});

test('the worker of the last attempt is opened, once the service has named it', async () => {
  const opened: unknown[] = [];
  answerCalls({
    'window:openResource': (input) => {
      opened.push(input);
      return Promise.resolve(ok(null));
    },
  });
  const job = aJob({ attempt: 2 });
  expect(commandOf(job, 'Open worker').refusal).toBe('The service named no worker');
  const attempts = [anAttempt({ number: 1, workerId: 'w1' }), anAttempt({ number: 2, workerId: 'w2' })];
  queries.setQueryData(['job:get', { key: job.key }], { job, attempts });
  const worker = commandOf(job, 'Open worker');
  expect(worker).toMatchObject({ hint: 'w2' });
  worker.run();
  await vi.waitFor(() => expect(opened).toEqual([{ connectionId: 'c1', kind: 'pod', id: 'w2' }]));
});
