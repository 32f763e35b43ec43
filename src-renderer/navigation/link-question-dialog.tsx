import { OpenLinkDialog } from './open-link-dialog.tsx';
import { useLinkQuestion } from './link-question.ts';

/** The dialog of `useLinkQuestion`. Mounted once in a window. */
export function LinkQuestionDialog() {
  const { asked, close } = useLinkQuestion();
  return <OpenLinkDialog url={asked?.url ?? null} owner={asked?.owner ?? ''} onClose={close} />;
}
