import type { Batch } from '../../src-preload/batch.ts';
import type { Job } from '../../src-preload/job.ts';
import { useJobs } from '../data/jobs-store.ts';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { submittedText } from '../messages/composer/sheet.ts';
import { goToJob, goToPlace } from '../navigation/go.ts';
import { openNewJob } from '../navigation/pane-tab.ts';
import { isMainWindow } from '../navigation/route.ts';
import { useComposerNotice } from './composer-notice.ts';
import { useComposer } from './composer-store.ts';

/** Shows the job that was just submitted. A window without the list says so, with the way to it. */
export function showJob({ key, title }: Job): void {
  if (isMainWindow()) openNewJob(key);
  else offer(submittedText.job(title), () => goToJob(key));
}

/** Shows the rows of the batch that was just submitted, with no job open. */
export function showBatch(batch: Batch): void {
  const place = { view: 'all', endpointId: null, batchId: batch.id } as const;
  if (isMainWindow()) {
    useJobs.getState().closeDetail();
    useJobs.getState().setPlace(place);
  } else offer(submittedText.jobs(batch.total, batch.name), () => goToPlace(place));
}

/** Shows a message about a draft that is no longer in the sheet: in the sheet, which hides toasts, or as a toast. */
export function reportBesideDraft(message: string): void {
  if (useComposer.getState().isOpen) useComposerNotice.getState().show({ title: message, actions: [] });
  else toast(message);
}

function offer(title: string, show: () => void): void {
  toast(title, { action: { label: commonText.show, onSelect: show } });
}
