import type { ReactElement } from 'react';
import { unsavedText } from '../messages/unsaved.ts';

/** Says of a form that it is back with what was typed before it was closed. */
export function UnsavedNotice({ className }: { className: string | undefined }): ReactElement {
  return (
    <p className={className} role="status">
      {unsavedText.isBack}
    </p>
  );
}
