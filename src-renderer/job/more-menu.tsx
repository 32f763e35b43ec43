import {
  CodeXml,
  Copy,
  CopyCheck,
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
import { isFromElsewhere, type Attempt, type Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, type MenuEntry } from '../design/menu.tsx';
import { toast } from '../design/toast.tsx';
import { canDelete, deleteJobs } from '../data/delete-jobs.ts';
import { exportItems } from '../data/export-items.tsx';
import { allowedNow } from '../data/allowed-here.ts';
import { useNow, useSession } from '../data/session-store.ts';
import { commonText } from '../messages/common.ts';
import { extendText, judgeText, requestCodeText, tagsText } from '../messages/job/dialogs.ts';
import { moreMenuText } from '../messages/job/pane.ts';
import { checkNow, copyCurl, copyDataset, copyOutput, resubmitUnchanged } from './actions.ts';
import { useRequestCode } from './request-code.ts';
import { useExtendDialog } from './extend-dialog.tsx';
import { useRenaming } from './job-title.tsx';
import { askJudgement } from '../navigation/judgement-request.ts';
import { goToSameInput } from '../navigation/go.ts';
import { consoleItems, logItems } from '../navigation/service-links.ts';
import { workerItem } from './worker-link.ts';
import { TagsDialog } from './tags-dialog.tsx';

/** What can be done with a job beyond its buttons. `attempt` is the attempt in view, null before it
 * was read; `hasTitle`: whether its title stands where it can be typed. */
export function MoreMenu({ job, attempt, hasTitle }: { job: Job; attempt: Attempt | null; hasTitle: boolean }) {
  const [asksTags, setAsksTags] = useState(false);
  const allowed = allowedNow(job, useNow(15_000));
  const connection = useSession(({ connections }) => connections.find(({ id }) => id === job.connectionId));
  const hasOutput = job.chunkCount > 0 || job.outputBytes > 0;
  const copyId = async (): Promise<void> => {
    const result = await call('app:copyText', { text: job.jobId ?? '' });
    toast(result.ok ? moreMenuText.idCopied : result.failure.message, { glyph: <Copy size={16} /> });
  };
  return (
    <>
      <Menu
        align="end"
        minWidth={248}
        trigger={<IconButton label={moreMenuText.more} icon={<Ellipsis />} />}
        items={[
          {
            kind: 'item',
            label: commonText.copyOutput,
            icon: <Copy />,
            keys: ['Ctrl', 'C'],
            onSelect: () => void copyOutput(job.key, attempt?.number ?? null),
            disabledReason: hasOutput ? undefined : moreMenuText.noOutputYet,
          },
          {
            kind: 'item',
            label: moreMenuText.copyId,
            icon: <Hash />,
            onSelect: () => void copyId(),
            disabledReason: job.jobId === null ? moreMenuText.noIdYet : undefined,
          },
          {
            kind: 'item',
            label: moreMenuText.curl,
            icon: <Terminal />,
            keys: ['Ctrl', 'Shift', 'C'],
            onSelect: () => void copyCurl(job.key),
            disabledReason: allowed.resubmit.reason,
          },
          {
            kind: 'item',
            label: requestCodeText.title,
            icon: <CodeXml />,
            onSelect: () => useRequestCode.getState().open(job.key),
            disabledReason: allowed.resubmit.reason,
          },
          ...serviceItems(job, allowed),
          ...(hasTitle
            ? [
                {
                  kind: 'item' as const,
                  label: moreMenuText.sameInput,
                  icon: <CopyCheck />,
                  onSelect: () => goToSameInput(job),
                  disabledReason: isFromElsewhere(job) ? moreMenuText.inputNotKnown : undefined,
                },
              ]
            : []),
          workerItem(job, attempt),
          ...logItems(connection, job, attempt),
          ...consoleItems(connection, job.endpointId),
          { kind: 'separator' },
          ...(hasTitle
            ? [
                {
                  kind: 'item' as const,
                  label: moreMenuText.rename,
                  icon: <TextCursorInput />,
                  keys: ['F2'],
                  onSelect: () => useRenaming.getState().start(job.key),
                },
              ]
            : []),
          {
            kind: 'item',
            label: judgeText.title(1),
            icon: <Gauge />,
            keys: ['M'],
            onSelect: () => askJudgement([job], 'mark'),
          },
          { kind: 'item', label: tagsText.tags, icon: <Tag />, keys: ['T'], onSelect: () => setAsksTags(true) },
          { kind: 'separator' },
          {
            kind: 'item',
            label: moreMenuText.dataset,
            icon: <Copy />,
            onSelect: () => void copyDataset([job.key]),
          },
          ...exportItems({ kind: 'jobs', keys: [job.key] }),
          { kind: 'separator' },
          {
            kind: 'item',
            label: moreMenuText.delete,
            icon: <Trash2 />,
            keys: ['Del'],
            isDanger: true,
            onSelect: () => deleteJobs([job]),
            disabledReason: canDelete(job).reason,
          },
        ]}
      />
      <TagsDialog jobs={[job]} isOpen={asksTags} onClose={() => setAsksTags(false)} />
    </>
  );
}

/** What is asked of the service. */
function serviceItems(job: Job, allowed: ReturnType<typeof allowedNow>): MenuEntry[] {
  return [
    { kind: 'separator' },
    {
      kind: 'item',
      label: moreMenuText.resubmit,
      icon: <Repeat2 />,
      keys: ['Shift', 'E'],
      onSelect: () => void resubmitUnchanged(job.key),
      disabledReason: allowed.resubmit.reason,
    },
    {
      kind: 'item',
      label: commonText.checkNow,
      icon: <RefreshCw />,
      onSelect: () => void checkNow(job),
      disabledReason: allowed.check.reason,
    },
    {
      kind: 'item',
      label: extendText.title,
      icon: <Hourglass />,
      onSelect: () => useExtendDialog.getState().open(job.key),
      disabledReason: allowed.extendTtl.reason,
    },
  ];
}
