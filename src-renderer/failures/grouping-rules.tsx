import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { commonText } from '../messages/common.ts';
import { groupingRulesText, ignoredParts, keptParts } from '../messages/failures/list.ts';
import styles from './grouping-rules.module.css';

/** A button that says by which rules failures are grouped. They are fixed, so there is nothing to change. */
export function GroupingRules() {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button size="sm" variant="ghost" className={styles.rulesButton} onClick={() => setOpen(true)}>
        {groupingRulesText.open}
      </Button>
      <Dialog
        title={groupingRulesText.title}
        isOpen={isOpen}
        onClose={close}
        width={660}
        isText
        actions={<Button onClick={close}>{commonText.close}</Button>}
      >
        <p>{groupingRulesText.intro}</p>
        <dl className={styles.rulesList}>
          {ignoredParts.map(({ part, message, becomes }) => (
            <div key={part}>
              <dt>{part}</dt>
              <dd className="mono">{message}</dd>
              <dd className="mono">{becomes}</dd>
            </div>
          ))}
        </dl>
        <p>{groupingRulesText.kept}</p>
        <dl className={styles.rulesList}>
          {keptParts.map(({ part, message }) => (
            <div key={part}>
              <dt>{part}</dt>
              <dd className="mono">{message}</dd>
            </div>
          ))}
        </dl>
        <p>{`${groupingRulesText.limits} ${groupingRulesText.fixed}`}</p>
      </Dialog>
    </>
  );
}
