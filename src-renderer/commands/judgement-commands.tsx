import { Copy, FileJson2, Gauge, SquarePen, StickyNote, TextCursorInput, ThumbsDown, ThumbsUp } from 'lucide-react';
import type { Job } from '../../src-preload/job.ts';
import { badMark, goodMark } from '../../src-preload/judgement.ts';
import { exportJobs } from '../data/export-jobs.ts';
import { useJobs } from '../data/jobs-store.ts';
import { markJobs } from '../data/own-changes.ts';
import { copyDataset } from '../job/actions.ts';
import { askJudgement } from '../navigation/judgement-request.ts';
import { useRenaming } from '../job/job-title.tsx';
import { usePaneState } from '../job/pane-state.ts';
import type { Command } from './command.ts';

/** Commands that mark, label or note a job's result, or remove that. */
export function judgementCommands(job: Job): Command[] {
  return [
    {
      id: 'job.good',
      group: 'job',
      label: job.mark === goodMark ? 'Remove the mark good' : 'Mark good',
      icon: <ThumbsUp />,
      keys: ['+'],
      run: () => void markJobs([job], goodMark),
    },
    {
      id: 'job.bad',
      group: 'job',
      label: job.mark === badMark ? 'Remove the mark bad' : 'Mark bad',
      icon: <ThumbsDown />,
      keys: ['-'],
      run: () => void markJobs([job], badMark),
    },
    {
      id: 'job.judge',
      group: 'job',
      label: 'Mark 1 to 5',
      hint: 'and label',
      icon: <Gauge />,
      keys: ['M'],
      run: () => askJudgement([job], 'mark'),
    },
    {
      id: 'job.label',
      group: 'job',
      label: 'Label',
      icon: <TextCursorInput />,
      keys: ['L'],
      run: () => askJudgement([job], 'label'),
    },
    {
      id: 'job.rename',
      group: 'job',
      label: 'Rename',
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
      label: job.noteLine !== undefined ? 'Read the note' : 'Write a note',
      hint: 'in markdown, found by the search',
      icon: <StickyNote />,
      run: () => {
        usePaneState.getState().setTab('note');
        useJobs.getState().select(job.key);
      },
    },
    {
      id: 'job.copy-dataset',
      group: 'job',
      label: 'Copy as dataset',
      hint: 'input, output, mark, label and note',
      icon: <Copy />,
      run: () => void copyDataset([job.key]),
    },
    {
      id: 'job.export-dataset',
      group: 'job',
      label: 'Export as dataset',
      hint: 'input, output, mark, label and note',
      icon: <FileJson2 />,
      run: () => void exportJobs({ kind: 'jobs', keys: [job.key] }, 'dataset'),
    },
  ];
}
