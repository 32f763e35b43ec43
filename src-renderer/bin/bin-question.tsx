import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import { binQuestionText, binText } from '../messages/bin.ts';
import { commonText } from '../messages/common.ts';
import { deleteForGood, useBinQuestion } from './bin-actions.ts';

/** The question before a job, or all of them, is deleted for good. */
export function BinQuestion() {
  const subject = useBinQuestion((state) => state.subject);
  const close = (): void => useBinQuestion.setState({ subject: null });
  const go = async (): Promise<void> => {
    close();
    const problem = subject === null ? null : await deleteForGood(subject);
    if (problem !== null) toast(problem);
  };
  return (
    <Dialog
      title={subject?.kind === 'all' ? binQuestionText.all(subject.use.jobs) : binQuestionText.one}
      isOpen={subject !== null}
      onClose={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {commonText.cancel}
          </Button>
          <Button variant="danger-solid" onClick={() => void go()}>
            {subject?.kind === 'all' ? binQuestionText.empty : binText.deleteForGood}
          </Button>
        </>
      }
    >
      {subject === null
        ? null
        : subject.kind === 'all'
          ? binQuestionText.allHint(subject.use)
          : binQuestionText.oneHint(subject.job.title)}
    </Dialog>
  );
}
