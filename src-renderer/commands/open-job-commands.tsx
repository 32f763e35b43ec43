import { Download, Hourglass, Server } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { answerOf } from '../data/calls.ts';
import { saveOutput } from '../job/actions.ts';
import { useExtendDialog } from '../job/extend-dialog.tsx';
import { workerOf } from '../job/worker-link.ts';
import { openPod } from '../navigation/go.ts';
import { always, refusalOf, type Command } from './command.ts';

/** Commands for the job in the pane, beyond those of every row. Their keys, if any, belong to the pane. */
export function openJobCommands(job: Job, nowMs: number): Command[] {
  const hasOutput = job.outputBytes > 0 || job.chunkCount > 0;
  const attempts = answerOf('job:get', { key: job.key })?.attempts ?? [];
  const workerId = workerOf(attempts.find(({ number }) => number === job.attempt) ?? null);
  return [
    {
      id: 'job.save-output',
      group: 'job',
      label: 'Save output',
      hint: 'as a file',
      keywords: ['result', 'download'],
      icon: <Download />,
      keys: ['Ctrl', 'S'],
      ...refusalOf(hasOutput ? always : { isAllowed: false, reason: 'It has no output' }),
      run: () => void saveOutput(job),
    },
    {
      id: 'job.extend',
      group: 'job',
      label: 'Extend lifetime',
      hint: 'the ttl restarts',
      icon: <Hourglass />,
      ...refusalOf(allowedNow(job, nowMs).extendTtl),
      run: () => useExtendDialog.getState().open(job.key),
    },
    {
      id: 'job.worker',
      group: 'job',
      label: 'Open worker',
      hint: workerId ?? '',
      keywords: ['pod', 'machine'],
      icon: <Server />,
      ...(workerId === null && { refusal: 'The service named no worker' }),
      run: () => workerId !== null && openPod(job.connectionId, workerId),
    },
  ];
}
