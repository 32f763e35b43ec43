import {
  CodeXml,
  Copy,
  Ellipsis,
  Gauge,
  Hash,
  Hourglass,
  RefreshCw,
  Repeat2,
  Tag,
  Terminal,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { toast } from '../design/toast.tsx';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { exportItems } from '../data/export-items.tsx';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow } from '../data/session-store.ts';
import { checkNow, copyCurl, copyDataset, copyOutput, resubmitUnchanged } from './actions.ts';
import { useRequestCode } from './code-dialog.tsx';
import { ExtendDialog } from './extend-dialog.tsx';
import { useRenaming } from './job-title.tsx';
import { askJudgement } from '../navigation/judgement-request.ts';
import { TagsDialog } from './tags-dialog.tsx';

/**
 * The actions on a job that have no button. `attempt` is the shown attempt, null for the newest; `hasTitle`: whether
 * its title is shown here and can be edited.
 */
export function MoreMenu({ job, attempt, hasTitle }: { job: Job; attempt: number | null; hasTitle: boolean }) {
  const [asks, setAsks] = useState<'nothing' | 'ttl' | 'tags'>('nothing');
  const allowed = allowedNow(job, useNow(15_000));
  const hasOutput = job.chunkCount > 0 || job.outputBytes > 0;
  const copyId = async (): Promise<void> => {
    const result = await call('app:copyText', { text: job.jobId ?? '' });
    toast(result.ok ? 'Job id copied' : result.failure.message, { glyph: <Copy size={16} /> });
  };
  return (
    <>
      <Menu
        align="end"
        minWidth={248}
        trigger={<IconButton label="More" icon={<Ellipsis />} />}
        items={[
          {
            kind: 'item',
            label: 'Copy output',
            icon: <Copy />,
            keys: ['Ctrl', 'C'],
            onSelect: () => void copyOutput(job.key, attempt),
            disabledReason: hasOutput ? undefined : 'No output yet',
          },
          {
            kind: 'item',
            label: 'Copy id',
            icon: <Hash />,
            onSelect: () => void copyId(),
            disabledReason: job.jobId === null ? 'No job id yet' : undefined,
          },
          {
            kind: 'item',
            label: 'Copy as cURL',
            icon: <Terminal />,
            keys: ['Ctrl', 'Shift', 'C'],
            onSelect: () => void copyCurl(job.key),
            disabledReason: allowed.resubmit.reason,
          },
          {
            kind: 'item',
            label: 'Request as code',
            icon: <CodeXml />,
            onSelect: () => useRequestCode.getState().open(job.key),
            disabledReason: allowed.resubmit.reason,
          },
          { kind: 'separator' },
          {
            kind: 'item',
            label: 'Resubmit unchanged',
            icon: <Repeat2 />,
            keys: ['Shift', 'E'],
            onSelect: () => void resubmitUnchanged(job.key),
            disabledReason: allowed.resubmit.reason,
          },
          {
            kind: 'item',
            label: 'Check now',
            icon: <RefreshCw />,
            onSelect: () => void checkNow(job),
            disabledReason: allowed.check.reason,
          },
          {
            kind: 'item',
            label: 'Extend lifetime',
            icon: <Hourglass />,
            onSelect: () => setAsks('ttl'),
            disabledReason: allowed.extendTtl.reason,
          },
          { kind: 'separator' },
          ...(hasTitle
            ? [
                {
                  kind: 'item' as const,
                  label: 'Rename',
                  icon: <TextCursorInput />,
                  keys: ['F2'],
                  onSelect: () => useRenaming.getState().start(job.key),
                },
              ]
            : []),
          {
            kind: 'item',
            label: 'Mark and label',
            icon: <Gauge />,
            keys: ['M'],
            onSelect: () => askJudgement([job], 'mark'),
          },
          { kind: 'item', label: 'Tags', icon: <Tag />, keys: ['T'], onSelect: () => setAsks('tags') },
          { kind: 'separator' },
          {
            kind: 'item',
            label: 'Copy as dataset',
            icon: <Copy />,
            onSelect: () => void copyDataset([job.key]),
          },
          ...exportItems({ kind: 'jobs', keys: [job.key] }),
          { kind: 'separator' },
          {
            kind: 'item',
            label: 'Delete job',
            icon: <Trash2 />,
            keys: ['Del'],
            isDanger: true,
            onSelect: () => deleteJobs([job]),
            disabledReason: canDelete(job).reason,
          },
        ]}
      />
      <ExtendDialog job={job} isOpen={asks === 'ttl'} onClose={() => setAsks('nothing')} />
      <TagsDialog jobs={[job]} isOpen={asks === 'tags'} onClose={() => setAsks('nothing')} />
    </>
  );
}
