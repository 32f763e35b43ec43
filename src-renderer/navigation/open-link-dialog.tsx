import { useState } from 'react';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import { commonText } from '../messages/common.ts';
import { openLinkText } from '../messages/navigation.tsx';
import { useLinkQuestion } from './open-requests.ts';
import styles from './open-link-dialog.module.css';

export interface OpenLinkDialogProps {
  /** The address to ask about. Null while the dialog is closed. */
  url: string | null;
  /** Where the address comes from: "the job's output". */
  owner: string;
  onClose: () => void;
}

/** Whether the browser is handed an address: main refuses any but https (docs/security.md). */
function isOpened(url: string | null): boolean {
  return url === null || /^https:/i.test(url);
}

/**
 * The question before an address that Jobdeck does not know is opened in the browser. One that is never opened from
 * here, such as s3, is offered to copy.
 */
export function OpenLinkDialog({ url, owner, onClose }: OpenLinkDialogProps) {
  const open = async (address: string): Promise<void> => {
    onClose();
    const result = await call('app:openExternal', { url: address });
    if (!result.ok) toast(result.failure.message);
  };
  const copy = async (address: string): Promise<void> => {
    onClose();
    const { ok } = orReport(await call('app:copyText', { text: address }));
    if (ok) toast(openLinkText.copied);
  };
  // The address stays visible while the dialog closes.
  const [shown, setShown] = useState(url);
  if (url !== null && url !== shown) setShown(url);
  const opens = isOpened(shown);
  return (
    <Dialog
      title={opens ? openLinkText.openTitle : openLinkText.copyTitle}
      isOpen={url !== null}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{commonText.cancel}</Button>
          <Button
            variant="primary"
            onClick={() => {
              if (url !== null) void (opens ? open(url) : copy(url));
            }}
          >
            {opens ? openLinkText.open : openLinkText.copy}
          </Button>
        </>
      }
    >
      <p>
        {openLinkText.origin(owner)}
        {!opens && ` ${openLinkText.httpsOnly}`}
      </p>
      <p className={`mono ${styles.link ?? ''}`}>{shown}</p>
    </Dialog>
  );
}

/** The dialog of `askToOpen`. Mounted once in a window. */
export function LinkQuestionDialog() {
  const { link, close } = useLinkQuestion();
  return <OpenLinkDialog url={link?.url ?? null} owner={link?.owner ?? ''} onClose={close} />;
}
