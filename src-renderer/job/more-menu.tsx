import { Copy, Ellipsis, Hourglass, Hash, RefreshCw, Repeat2, Tag, Terminal } from 'lucide-react';
import { useState } from 'react';
import { allowedActions, type Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { toast } from '../design/toast.tsx';
import { useNow } from '../data/session-store.ts';
import { checkNow, copyCurl, copyOutput, resubmitUnchanged } from './actions.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { TagsDialog } from './tags-dialog.tsx';

/** What can be done with a job beyond its buttons. `attempt` is the attempt in view, null for the newest. */
export function MoreMenu({ job, attempt }: { job: Job; attempt: number | null }) {
  const [asks, setAsks] = useState<'nothing' | 'ttl' | 'tags'>('nothing');
  const allowed = allowedActions(job, useNow(15_000));
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
            disabledReason: hasOutput ? undefined : 'Nothing of the output is here yet',
          },
          {
            kind: 'item',
            label: 'Copy id',
            icon: <Hash />,
            onSelect: () => void copyId(),
            disabledReason: job.jobId === null ? 'The service has given no id' : undefined,
          },
          {
            kind: 'item',
            label: 'Copy as cURL',
            icon: <Terminal />,
            keys: ['Ctrl', 'Shift', 'C'],
            onSelect: () => void copyCurl(job.key),
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
          { kind: 'item', label: 'Tags', icon: <Tag />, keys: ['T'], onSelect: () => setAsks('tags') },
        ]}
      />
      <ExtendDialog job={job} isOpen={asks === 'ttl'} onClose={() => setAsks('nothing')} />
      <TagsDialog job={job} isOpen={asks === 'tags'} onClose={() => setAsks('nothing')} />
    </>
  );
}
