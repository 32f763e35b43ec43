import type { ReactElement, RefObject } from 'react';
import { Button } from '../../design/button.tsx';
import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { manyInputsText } from '../../messages/composer/batch.ts';
import { learnedText } from '../../messages/composer/input.ts';
import { useBulk } from './bulk-store.ts';
import { helpAt, type CellOffer } from './cell-help.ts';
import frame from '../composer.module.css';
import styles from './many-inputs.module.css';

interface CellHelpRowProps {
  learned: LearnedInputs;
  /** The position of the cursor in the field. */
  cursor: number;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Values of earlier inputs for the place of the cursor. A press inserts one. */
export function CellHelpRow({ learned, cursor, field }: CellHelpRowProps): ReactElement {
  const text = useBulk((state) => state.text);
  const setText = useBulk((state) => state.setText);
  const isTable = useBulk((state) => (state.wanted ?? state.detected?.format) === 'csv');
  const help = helpAt(text, Math.min(cursor, text.length), isTable, learned);
  const take = ({ from, to, insert }: CellOffer): void => {
    const element = field.current;
    if (element === null) return;
    element.focus();
    element.setRangeText(insert, from, to, 'end');
    setText(element.value);
  };
  return (
    <div className={styles.help} role="group" aria-label={manyInputsText.suggestions}>
      <span className={frame.quiet}>{help === null ? learnedText.learnedFrom(learned.jobs) : help.title}</span>
      {help?.offers.map((offer) => (
        <Button key={offer.label} size="sm" className={styles.offer} onClick={() => take(offer)}>
          <span className="trunc">{offer.label}</span>
        </Button>
      ))}
    </div>
  );
}
