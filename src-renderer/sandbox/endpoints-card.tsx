import type { SandboxState, SandboxWorkers } from '../../src-preload/sandbox.ts';
import { formatCount } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { sandboxEndpointsText } from '../messages/sandbox/pane.ts';
import { useSandbox } from './sandbox-store.ts';
import card from './card.module.css';
import styles from './endpoints-card.module.css';

/** The sandbox's endpoints with their current workers. */
export function EndpointsCard({ sandbox }: { sandbox: SandboxState }) {
  const workers = useSandbox((state) => state.workers);
  if (!sandbox.isRunning || sandbox.endpoints.length === 0) return null;
  return (
    <section className={card.card} aria-label={sandboxEndpointsText.title}>
      <div className={card.head}>
        <h3>{sandboxEndpointsText.title}</h3>
      </div>
      <ul>
        {sandbox.endpoints.map((id) => (
          <EndpointLine key={id} id={id} workers={workers.find((one) => one.endpointId === id)} />
        ))}
      </ul>
    </section>
  );
}

function EndpointLine({ id, workers }: { id: string; workers: SandboxWorkers | undefined }) {
  const waiting = workers?.inQueue ?? 0;
  return (
    <li className={styles.line}>
      <span className="mono trunc">{id}</span>
      {waiting > 0 && (
        <span className={styles.waiting}>
          <StatusGlyph kind="queue" size={10} label={sandboxEndpointsText.inQueue} />
          {formatCount(waiting)}
        </span>
      )}
      <span className={styles.workers}>{workers === undefined ? '' : sandboxEndpointsText.workers(workers)}</span>
    </li>
  );
}
