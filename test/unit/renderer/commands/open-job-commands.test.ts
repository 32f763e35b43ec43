import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../../src-preload/connection.ts';
import { ok } from '../../../../src-preload/failure.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { openJobCommands } from '../../../../src-renderer/commands/open-job-commands.tsx';
import { useSession } from '../../../../src-renderer/data/session-store.ts';
import { useLinkQuestion } from '../../../../src-renderer/navigation/open-requests.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useExtendDialog } from '../../../../src-renderer/job/dialogs/dialog-stores.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { acceptedAtMs, aJob, anAttempt } from '../job/a-job.ts';
import { commandNamed, plainWindow } from './a-window.ts';

beforeEach(plainWindow);
afterEach(() => vi.unstubAllGlobals());

function withLinks(links: Pick<Connection, 'consoleUrl' | 'logUrl'>): void {
  const connections = useSession.getState().connections.map(({ consoleUrl: _c, logUrl: _l, ...rest }) => ({
    ...rest,
    ...links,
  }));
  useSession.setState({ connections });
}

const commandOf = (job: Job, label: string) => commandNamed(openJobCommands(job, acceptedAtMs + 5_000), label);

test.each([
  ['Save output', 'app:saveOutput'],
  ['Open output in your editor', 'app:openOutput'],
])('%s needs an output', async (label, name) => {
  const { calls } = answerCalls({});
  expect(commandOf(aJob(), label).refusal).toBe('It has no output');
  const withOutput = commandOf(aJob({ chunkCount: 3 }), label);
  expect(withOutput.refusal).toBeUndefined();
  withOutput.run();
  await expect.poll(() => calls).toContain(name);
});

test('the log and the console are offered if the connection has links to them, and opened after a question', () => {
  const job = aJob({ jobId: 'job/1', connectionId: 'c1', endpointId: 'ep' });
  const labels = (): string[] => openJobCommands(job, acceptedAtMs).map(({ label }) => label);
  expect(labels()).not.toContain('Open log');
  const links = { consoleUrl: 'https://c.example/{{endpoint_id}}', logUrl: 'https://l.example/{{job_id}}' };
  withLinks(links);
  commandOf(job, 'Open log').run();
  expect(useLinkQuestion.getState().link?.url).toBe('https://l.example/job%2F1');
  commandOf(job, 'Open endpoint in the console').run();
  expect(useLinkQuestion.getState().link?.url).toBe('https://c.example/ep');
  withLinks({ logUrl: 'https://l.example/{{worker_id}}' });
  expect(commandOf(job, 'Open log').refusal).toBe('The service has not named all ids in its address');
  expect(labels()).not.toContain('Open endpoint in the console');
});

test('the lifetime is extended while the job is active', () => {
  expect(commandOf(aJob({ phase: 'finished', status: 'COMPLETED' }), 'Extend lifetime').refusal).not.toBeUndefined();
  const extend = commandOf(aJob(), 'Extend lifetime');
  expect(extend.refusal).toBeUndefined();
  extend.run();
  expect(useExtendDialog.getState().jobKey).toBe('k1');
  useExtendDialog.getState().close();
});

test('the worker of the last attempt is opened, once the service has reported it', async () => {
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
  await expect.poll(() => opened).toEqual([{ connectionId: 'c1', kind: 'pod', id: 'w2' }]);
});
