import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { commonText } from '../messages/common.ts';
import styles from './form-actions.module.css';

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
