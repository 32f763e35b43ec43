import { Plus, X } from 'lucide-react';
import type { SandboxHandler, SandboxState, SandboxWorkers } from '../../src-preload/sandbox.ts';
import { formatCount } from '../../src-preload/format.ts';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { handlersText } from '../messages/printed.ts';
import { sandboxEndpointsText } from '../messages/sandbox/pane.ts';
import { addHandler, removeHandler, useSandbox } from './sandbox-store.ts';
import card from './card.module.css';
import styles from './endpoints-card.module.css';

/** The sandbox's endpoints with their current workers, and the files of the user's own handlers. */
export function EndpointsCard({ sandbox }: { sandbox: SandboxState }) {
  const workers = useSandbox((state) => state.workers);
  const isSwitching = useSandbox((state) => state.isSwitching);
  const { handlers } = sandbox;
  const shown = sandbox.isRunning ? sandbox.endpoints : handlers.map(({ endpointId }) => endpointId);
  return (
    <section className={card.card} aria-label={sandboxEndpointsText.title}>
      <div className={card.head}>
        <h3>{sandboxEndpointsText.title}</h3>
        <span className="grow" />
        <Button
          size="sm"
          variant="ghost"
          icon={<Plus />}
          disabledReason={isSwitching ? handlersText.adding : undefined}
          onClick={() => void addHandler()}
        >
          {handlersText.add}
        </Button>
      </div>
      <ul>
        {shown.map((id) => (
          <EndpointLine
            key={id}
            id={id}
            workers={workers.find((one) => one.endpointId === id)}
            handler={handlers.find(({ endpointId }) => endpointId === id)}
          />
        ))}
      </ul>
      <p className={styles.hint}>
        {handlers.length === 0 ? handlersText.none : handlersText.restarts} {handlersText.trusted}
      </p>
    </section>
  );
}

interface EndpointLineProps {
  id: string;
  workers: SandboxWorkers | undefined;
  /** Of the user's own. */
  handler: SandboxHandler | undefined;
}

function EndpointLine({ id, workers, handler }: EndpointLineProps) {
  const waiting = workers?.inQueue ?? 0;
  return (
    <li className={styles.line}>
      <span className="mono trunc" title={handler?.path}>
        {id}
      </span>
      {waiting > 0 && (
        <span className={styles.waiting}>
          <StatusGlyph kind="queue" size={10} label={sandboxEndpointsText.inQueue} />
          {formatCount(waiting)}
        </span>
      )}
      <span className={styles.workers}>{workers === undefined ? '' : sandboxEndpointsText.workers(workers)}</span>
      {handler !== undefined && (
        <IconButton
          label={handlersText.remove(id)}
          size="sm"
          hasSmallGlyph
          icon={<X />}
          onClick={() => void removeHandler(id)}
        />
      )}
    </li>
  );
}
