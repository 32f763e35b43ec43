import { Copy, Gauge, SquarePen, StickyNote, TextCursorInput, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { badMark, goodMark } from '../../src-preload/judgement.ts';
import { useJobs } from '../data/jobs-store.ts';
import { markJobs } from '../data/own-changes.ts';
import { copyDataset } from '../job/actions.ts';
import { judgementCommandText } from '../messages/commands/job.ts';
import { askJudgement } from '../navigation/open-requests.ts';
import { usePaneTab } from '../navigation/pane-tab.ts';
import { useRenaming } from '../job/job-title.tsx';
import type { Command } from './command.ts';

/** Commands that mark, label or note a job's result, or remove that. */
export function judgementCommands(job: Job): Command[] {
  return [
    {
      id: 'job.good',
      group: 'job',
      ...(job.mark === goodMark ? judgementCommandText.removeGood : judgementCommandText.markGood),
      icon: <ThumbsUp />,
      keys: ['+'],
      run: () => void markJobs([job], goodMark),
    },
    {
      id: 'job.bad',
      group: 'job',
      ...(job.mark === badMark ? judgementCommandText.removeBad : judgementCommandText.markBad),
      icon: <ThumbsDown />,
      keys: ['-'],
      run: () => void markJobs([job], badMark),
    },
    {
      id: 'job.judge',
      group: 'job',
      ...judgementCommandText.mark,
      icon: <Gauge />,
      keys: ['M'],
      run: () => askJudgement([job], 'mark'),
    },
    {
      id: 'job.label',
      group: 'job',
      ...judgementCommandText.label,
      icon: <TextCursorInput />,
      keys: ['L'],
      run: () => askJudgement([job], 'label'),
    },
    {
      id: 'job.rename',
      group: 'job',
      ...judgementCommandText.rename,
      icon: <SquarePen />,
      keys: ['F2'],
      run: () => {
        useJobs.getState().select(job.key);
        useRenaming.getState().start(job.key);
      },
    },
    {
      id: 'job.note',
      group: 'job',
      ...(job.noteLine !== undefined ? judgementCommandText.readNote : judgementCommandText.writeNote),
      icon: <StickyNote />,
      run: () => {
        usePaneTab.getState().setTab('note');
        useJobs.getState().select(job.key);
      },
    },
    {
      id: 'job.copy-dataset',
      group: 'job',
      ...judgementCommandText.copyDataset,
      icon: <Copy />,
      run: () => void copyDataset([job.key]),
    },
  ];
}
