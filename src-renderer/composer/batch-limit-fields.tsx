import type { ReactElement } from 'react';
import { maxBatchRows, type BatchLimits } from '../../src-preload/batch.ts';
import { classes } from '../design/class-names.ts';
import { TextField } from '../design/form/text-field.tsx';
import { batchLimitText } from '../messages/composer/options.ts';
import type { ComposerDraft } from './composer-draft.ts';
import styles from './options.module.css';

type LimitTexts = Pick<ComposerDraft, 'maxLiveText' | 'stopAfterFailuresText'>;

/** The limits at which a batch holds its own rows back. Both fields accept only a count, so they are always valid. */
export function BatchLimitFields({
  draft,
  onChange,
}: {
  draft: LimitTexts;
  onChange: (patch: Partial<LimitTexts>) => void;
}): ReactElement {
  return (
    <div className={classes(styles.two, styles.limits)} role="group" aria-label={batchLimitText.label}>
      <TextField
        size="sm"
        inputMode="numeric"
        label={batchLimitText.stopAfter}
        placeholder={batchLimitText.never}
        value={draft.stopAfterFailuresText}
        trailing={
          draft.stopAfterFailuresText !== '' && (
            <span className={styles.unit}>
              {draft.stopAfterFailuresText === '1' ? batchLimitText.failure : batchLimitText.failures}
            </span>
          )
        }
        onChange={(text) => onChange({ stopAfterFailuresText: countIn(text) })}
      />
      <TextField
        size="sm"
        inputMode="numeric"
        label={batchLimitText.atMost}
        placeholder={batchLimitText.all}
        value={draft.maxLiveText}
        trailing={<span className={styles.unit}>{batchLimitText.atOnce}</span>}
        onChange={(text) => onChange({ maxLiveText: countIn(text) })}
      />
    </div>
  );
}

/** The entered count, from 1. Empty if there is none. */
function countIn(text: string): string {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits === '' ? '' : String(Math.min(maxBatchRows, Number(digits)));
}

/** The limits in the two fields. */
export function limitsOf({ maxLiveText, stopAfterFailuresText }: LimitTexts): BatchLimits {
  const count = (text: string): number | null => (text === '' ? null : Number(text));
  return { maxLive: count(maxLiveText), stopAfterFailures: count(stopAfterFailuresText) };
}
