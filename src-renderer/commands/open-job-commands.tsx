import { Download, ExternalLink, Hourglass, ScrollText, Server, SquareTerminal } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { allowedNow } from '../data/allowed-here.ts';
import { keptAnswer } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { openOutputInEditor, saveOutput } from '../job/output/whole-output.ts';
import { useExtendDialog } from '../job/dialogs/dialog-stores.ts';
import { attemptInView } from '../job/pane-state.ts';
import { workerOf } from '../job/worker-link.ts';
import { jobRefusalText } from '../messages/commands/job.ts';
import { openJobCommandText } from '../messages/commands/palette.ts';
import { serviceLinkText } from '../messages/navigation.tsx';
import { openPod } from '../navigation/go.ts';
import { askServiceLink, consoleLink, logLink } from '../navigation/service-links.ts';
import { always, refusalOf, type Command } from './command.ts';

/** Commands for the job in view, beyond those of every row. */
export function openJobCommands(job: Job, nowMs: number): Command[] {
  const hasOutput = job.outputBytes > 0 || job.chunkCount > 0;
  const attempts = keptAnswer('job:get', { key: job.key })?.attempts ?? [];
  const shown = attemptInView(job.key);
  const attempt = attempts.find(({ number }) => number === (shown ?? job.attempt)) ?? null;
  const workerId = workerOf(attempt);
  const connection = useSession.getState().connections.find(({ id }) => id === job.connectionId);
  const log = logLink(connection, job, attempt);
  const console = consoleLink(connection, job.endpointId);
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
      id: 'job.open-in-editor',
      group: 'job',
      ...openJobCommandText.openInEditor,
      icon: <ExternalLink />,
      ...refusalOf(hasOutput ? always : { isAllowed: false, reason: jobRefusalText.noOutput }),
      run: () => void openOutputInEditor(job, shown),
    },
    {
      id: 'job.extend',
      group: 'job',
      ...openJobCommandText.extend,
      icon: <Hourglass />,
      ...refusalOf(allowedNow(job, nowMs).extendTtl),
      run: () => useExtendDialog.getState().open(job.key),
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
    ...(log === undefined
      ? []
      : [
          {
            id: 'job.log',
            group: 'job' as const,
            ...openJobCommandText.openLog,
            icon: <ScrollText />,
            ...(log === null && { refusal: serviceLinkText.idsNotKnown }),
            run: () => log !== null && askServiceLink(log),
          },
        ]),
    ...(console === null
      ? []
      : [
          {
            id: 'job.console',
            group: 'job' as const,
            ...openJobCommandText.openConsole,
            icon: <SquareTerminal />,
            run: () => askServiceLink(console),
          },
        ]),
  ];
}
