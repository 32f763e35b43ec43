import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { CodeDialog } from '../job/dialogs/code-dialog.tsx';
import { ExtendDialog } from '../job/dialogs/extend-dialog.tsx';
import { JudgeDialog } from '../job/dialogs/judge-dialog.tsx';
import { TagsDialog } from '../job/dialogs/tags-dialog.tsx';
import { deleteJobs, useRefusedByBin } from '../data/delete-jobs.ts';
import { useJobs } from '../data/jobs-store.ts';
import { LinkQuestionDialog } from '../navigation/open-link-dialog.tsx';
import { useShell } from '../navigation/shell-store.ts';
import { BulkQuestionDialog } from './bulk-question-dialog.tsx';
import { cancelMany, jobsOf } from './row-actions.ts';
import { commonText } from '../messages/common.ts';
import { cancelJobsText, deleteForGoodText } from '../messages/jobs/dialogs.ts';

/** Dialogs that several places open: cancel, tag, mark and label; extend the lifetime; a request as code; a link. */
export function BulkDialogs() {
  return (
    <>
      <CancelDialog />
      <DeleteForGoodDialog />
      <BulkQuestionDialog />
      <TagDialog />
      <JudgeDialog />
      <CodeDialog />
      <ExtendDialog />
      <LinkQuestionDialog />
    </>
  );
}

function CancelDialog() {
  const keys = useShell((state) => state.cancelDialogKeys);
  const close = (): void => useShell.getState().set({ cancelDialogKeys: null });
  const count = keys?.length ?? 0;
  return (
    <Dialog
      title={cancelJobsText.cancel(count)}
      isOpen={keys !== null}
      onClose={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {commonText.dontCancel}
          </Button>
          <Button
            variant="danger-solid"
            onClick={() => {
              void cancelMany(jobsOf(useJobs.getState().list, keys ?? []));
              close();
            }}
          >
            {cancelJobsText.cancel(count)}
          </Button>
        </>
      }
    >
      {cancelJobsText.hint}
    </Dialog>
  );
}

/** What the bin could not take: deleting it for good is the way to free space. */
function DeleteForGoodDialog() {
  const jobs = useRefusedByBin((state) => state.jobs);
  const close = (): void => useRefusedByBin.setState({ jobs: null });
  const count = jobs?.length ?? 0;
  return (
    <Dialog
      title={deleteForGoodText.title(count)}
      isOpen={jobs !== null}
      onClose={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {commonText.cancel}
          </Button>
          <Button
            variant="danger-solid"
            onClick={() => {
              void deleteJobs(jobs ?? [], true);
              close();
            }}
          >
            {deleteForGoodText.delete(count)}
          </Button>
        </>
      }
    >
      {deleteForGoodText.hint}
    </Dialog>
  );
}

function TagDialog() {
  const keys = useShell((state) => state.tagDialogKeys);
  return keys === null ? null : <TagDialogOf keys={keys} />;
}

function TagDialogOf({ keys }: { keys: readonly string[] }) {
  const close = (): void => useShell.getState().set({ tagDialogKeys: null });
  const jobs = jobsOf(
    useJobs((state) => state.list),
    keys,
  );
  return jobs.length === 0 ? null : <TagsDialog jobs={jobs} isOpen onClose={close} />;
}
