import type { ReactNode, ReactElement } from 'react';
import { Button } from '../button.tsx';
import { commonText } from '../../messages/common.ts';
import { unsavedText } from '../../messages/unsaved.ts';
import styles from './form-parts.module.css';

/** The buttons at the end of a form in a dialog: Cancel, and the one that submits the form. */
export function FormActions({ submit, onCancel }: { submit: ReactNode; onCancel: () => void }) {
  return (
    <div className={styles.actions}>
      <Button onClick={onCancel}>{commonText.cancel}</Button>
      <Button variant="primary" type="submit">
        {submit}
      </Button>
    </div>
  );
}

/** Says of a form that it is back with what was typed before it was closed. */
export function UnsavedNotice({ className }: { className: string | undefined }): ReactElement {
  return (
    <p className={className} role="status">
      {unsavedText.isBack}
    </p>
  );
}
