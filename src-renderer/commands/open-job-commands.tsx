import { Download, Hourglass, Server } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { answerOf } from '../data/calls.ts';
import { saveOutput } from '../job/actions.ts';
import { useExtendRequest } from '../job/extend-request.ts';
import { attemptInView } from '../job/pane-state.ts';
import { workerOf } from '../job/worker-link.ts';
import { jobRefusalText } from '../messages/commands/job.ts';
import { openJobCommandText } from '../messages/commands/palette.ts';
import { openPod } from '../navigation/go.ts';
import { always, refusalOf, type Command } from './command.ts';

/** Commands for the job in view, beyond those of every row. */
export function openJobCommands(job: Job, nowMs: number): Command[] {
  const hasOutput = job.outputBytes > 0 || job.chunkCount > 0;
  const attempts = answerOf('job:get', { key: job.key })?.attempts ?? [];
  const shown = attemptInView(job.key);
  const workerId = workerOf(attempts.find(({ number }) => number === (shown ?? job.attempt)) ?? null);
  return [
    {
      id: 'job.save-output',
      group: 'job',
      ...openJobCommandText.saveOutput,
      icon: <Download />,
      keys: ['Ctrl', 'S'],
      areKeysOfPart: true,
      ...refusalOf(hasOutput ? always : { isAllowed: false, reason: jobRefusalText.noOutput }),
      run: () => void saveOutput(job, shown),
    },
    {
      id: 'job.extend',
      group: 'job',
      ...openJobCommandText.extend,
      icon: <Hourglass />,
      ...refusalOf(allowedNow(job, nowMs).extendTtl),
      run: () => useExtendRequest.getState().open(job.key),
    },
    {
      id: 'job.worker',
      group: 'job',
      ...openJobCommandText.openWorker,
      hint: workerId ?? '',
      icon: <Server />,
      ...(workerId === null && { refusal: openJobCommandText.noWorker }),
      run: () => workerId !== null && openPod(job.connectionId, workerId),
    },
  ];
}
