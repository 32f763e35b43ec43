import type { BodyText } from '../../src-preload/history.ts';
import { Button } from '../design/button.tsx';
import { cutText } from '../messages/job/output.ts';
import type { Body } from './use-body.ts';
import styles from './output-tab.module.css';

/** How much of a body is shown, with a button that shows all of it. Nothing if that is the whole body. */
export function CutNote({
  text,
  body: { isLoadingRest, loadWhole },
}: {
  text: BodyText;
  body: Pick<Body, 'isLoadingRest' | 'loadWhole'>;
}) {
  if (!text.isCut) return null;
  return (
    <div className={styles.cut}>
      <span>{cutText.first(text.text.length, text.bytes)}</span>
      <Button size="sm" disabled={isLoadingRest} onClick={loadWhole}>
        {isLoadingRest ? cutText.reading : cutText.showAll}
      </Button>
    </div>
  );
}
