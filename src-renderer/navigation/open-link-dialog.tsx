import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toast } from '../design/toast.tsx';
import styles from './open-link-dialog.module.css';

export interface OpenLinkDialogProps {
  /** The address to ask about. Null while the dialog is closed. */
  url: string | null;
  /** Where the address comes from: "the job's output". */
  owner: string;
  onClose: () => void;
}

/** Asks before an address that Jobdeck does not know is opened in the browser. */
export function OpenLinkDialog({ url, owner, onClose }: OpenLinkDialogProps) {
  const open = async (address: string): Promise<void> => {
    onClose();
    const result = await call('app:openExternal', { url: address });
    if (!result.ok) toast(result.failure.message);
  };
  return (
    <Dialog
      title="Open this address in the browser?"
      isOpen={url !== null}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              if (url !== null) void open(url);
            }}
          >
            Open in browser
          </Button>
        </>
      }
    >
      <p>This link comes from {owner}; Jobdeck has not checked it.</p>
      <p className={`mono ${styles.link ?? ''}`}>{url}</p>
    </Dialog>
  );
}
