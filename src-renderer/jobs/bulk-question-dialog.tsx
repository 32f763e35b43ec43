import { endpointName } from '../../src-preload/connection.ts';
import { useJobsEstimate } from '../composer/variables/use-jobs-estimate.ts';
import { jobsIn, useBulkQuestion, type AskedEndpoint } from '../data/bulk-question.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { commonText } from '../messages/common.ts';
import { basisText, estimateText } from '../messages/composer/variables.ts';
import { bulkQuestionText } from '../messages/jobs/dialogs.ts';
import styles from './bulk-question-dialog.module.css';

/** The question before many jobs are sent again: how many, at which endpoints, and about what they take and cost. */
export function BulkQuestionDialog() {
  const question = useBulkQuestion((state) => state.question);
  const words = bulkQuestionText[question?.action ?? 'retry'];
  const count = question === null ? 0 : jobsIn(question.endpoints);
  return (
    <Dialog
      title={words.title(count)}
      isOpen={question !== null}
      onClose={() => question?.answer(false)}
      width={480}
      actions={
        <>
          {/* The key that asked may be pressed by mistake, and another after it. */}
          <Button autoFocus onClick={() => question?.answer(false)}>
            {commonText.cancel}
          </Button>
          <Button variant="primary" onClick={() => question?.answer(true)}>
            {words.send(count)}
          </Button>
        </>
      }
    >
      <ul className={styles.endpoints}>
        {question?.endpoints.map((endpoint) => (
          <EndpointLine
            key={`${endpoint.connectionId} ${endpoint.endpointId} ${endpoint.operation}`}
            endpoint={endpoint}
          />
        ))}
      </ul>
      <p className={styles.hint}>{words.hint}</p>
    </Dialog>
  );
}

function EndpointLine({ endpoint: { jobs, ...of } }: { endpoint: AskedEndpoint }) {
  const connections = useSession((state) => state.connections);
  const estimate = useJobsEstimate({ ...of, maxLive: null }, jobs);
  const endpoint = findEndpoint(connections, of.connectionId, of.endpointId);
  return (
    <li className={styles.endpoint}>
      <EndpointIcon endpoint={endpoint} />
      <span className={styles.words}>
        <span className={styles.name}>{endpointName(endpoint)}</span>
        <span>{estimateText(jobs, estimate)}</span>
        <span className={styles.hint}>{basisText(estimate)}</span>
      </span>
    </li>
  );
}
