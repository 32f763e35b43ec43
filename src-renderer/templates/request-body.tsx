import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { formatBytes } from '../design/format.ts';
import { useSession } from '../data/session-store.ts';
import { useTemplate } from './template-store.ts';
import { dots } from './template-messages.ts';
import styles from './review.module.css';

/** The request as it will leave, values of variables as dots. */
export function RequestBody({ plan }: { plan: UpdatePlan }) {
  const at = useTemplate((state) => state.at);
  const restUrl = useSession(({ connections }) => connections.find(({ id }) => id === at?.connectionId)?.restUrl ?? '');
  const { env, ...rest } = plan.body;
  const body =
    env === undefined ? rest : { ...rest, env: Object.fromEntries(Object.keys(env).map((name) => [name, dots])) };
  const text = JSON.stringify(body, null, 2);
  return (
    <section aria-label="Request body">
      <p className={styles.request}>
        POST {restUrl === '' ? '{rest_url}' : restUrl}/v1/templates/{at?.templateId}/update
      </p>
      <pre className={styles.body} tabIndex={0}>
        {text}
      </pre>
      <p className={styles.about}>
        {env === undefined
          ? `${formatBytes(new TextEncoder().encode(JSON.stringify(body)).length)} of JSON.`
          : 'Values of variables are filled in as the request leaves, and shown nowhere.'}{' '}
        Sent once; never repeated by itself.
      </p>
    </section>
  );
}
