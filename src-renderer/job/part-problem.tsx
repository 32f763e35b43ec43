import { FileWarning } from 'lucide-react';
import type { Failure } from '../../src-preload/failure.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { commonText } from '../messages/common.ts';
import styles from './job-pane.module.css';

interface PartProblemProps {
  title: string;
  failure?: Failure;
  text?: string;
  onRetry: () => void;
}

/**
 * Shown instead of a part of the job that could not be read, with a button to try again. The rest of the pane stays.
 */
export function PartProblem({ title, failure, text, onRetry }: PartProblemProps) {
  return (
    <div className={styles['part-problem']}>
      <Callout
        tone="warning"
        icon={<FileWarning size={16} />}
        title={title}
        actions={
          <Button size="sm" onClick={onRetry}>
            {commonText.tryAgain}
          </Button>
        }
      >
        {failure?.message ?? text}
      </Callout>
    </div>
  );
}
