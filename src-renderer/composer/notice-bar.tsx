import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { commonText } from '../messages/common.ts';
import { useComposerNotice } from './composer-notice.ts';
import styles from './notice-bar.module.css';

/**
 * The bar above the input with the last change and a button to undo it. `onDone`: the button is gone, and the focus
 * needs another place.
 */
export function NoticeBar({ onDone }: { onDone: () => void }): ReactElement {
  const notice = useComposerNotice((state) => state.notice);
  const show = useComposerNotice((state) => state.show);
  return (
    <div role="status" aria-live="polite">
      {notice !== null && (
        <div className={styles.bar}>
          <span className={styles.words}>
            <span className={styles.title}>{notice.title}</span>{' '}
            {notice.detail !== undefined && <span className={styles.detail}>{notice.detail}</span>}
          </span>
          {notice.actions.map(({ label, onSelect }) => (
            <Button
              key={label}
              size="sm"
              onClick={() => {
                show(null);
                onSelect();
                onDone();
              }}
            >
              {label}
            </Button>
          ))}
          <IconButton
            size="sm"
            label={commonText.dismiss}
            icon={<X size={14} strokeWidth={1.75} />}
            onClick={() => {
              show(null);
              onDone();
            }}
          />
        </div>
      )}
    </div>
  );
}
