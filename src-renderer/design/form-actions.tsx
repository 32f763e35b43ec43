import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './form-actions.module.css';

/** The buttons at the end of a form in a dialog: Cancel, and the one that submits the form. */
export function FormActions({ submit, onCancel }: { submit: ReactNode; onCancel: () => void }) {
  return (
    <div className={styles.actions}>
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="primary" type="submit">
        {submit}
      </Button>
    </div>
  );
}
