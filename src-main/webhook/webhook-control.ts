import type { UnknownJob, WebhookReceiverState } from '../../src-preload/webhook.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { newPaths } from './callback-path.ts';
import { createWebhookReceiver } from './receiver.ts';
import type { ReceiverPlace } from './receiver.ts';
import type { WebhookHint } from './webhook-call.ts';

/** The webhook receiver as the settings want it. */
export interface WebhookControl {
  /** Starts or stops it; answers when that is done. */
  apply(isWanted: boolean): Promise<void>;
  state(): WebhookReceiverState;
  /** Takes the jobs that calls told of and nobody here knows. */
  noteUnknownJobs(unknownJobs: UnknownJob[]): void;
  /** The address to send with this submission; see receiver.ts. */
  callbackFor(webhook: string, jobKey: string): string;
  close(): Promise<void>;
}

export interface WebhookControlParts {
  documents: Pick<History, 'readDocument' | 'putDocument'>;
  now: () => number;
  onHint: (hint: WebhookHint) => void;
  onChange: (state: WebhookReceiverState) => void;
  log: Log;
}

const kind = 'webhook';
const id = 'receiver';

export function createWebhookControl({ documents, now, onHint, onChange, log }: WebhookControlParts): WebhookControl {
  let state: WebhookReceiverState = {
    isOn: false,
    url: null,
    calls: 0,
    lastCallAtMs: null,
    problem: null,
    unknownJobs: [],
  };

  function setState(changes: Partial<WebhookReceiverState>): void {
    state = { ...state, ...changes };
    onChange(state);
  }

  const receiver = createWebhookReceiver({
    place: async () => placeIn(await documents.readDocument(kind, id)),
    keepPlace: (place) => documents.putDocument(kind, id, JSON.stringify(place)),
    onHint(hint) {
      setState({ calls: state.calls + 1, lastCallAtMs: now() });
      onHint(hint);
    },
    log,
  });

  return {
    async apply(isWanted) {
      if (isWanted === state.isOn && (state.url !== null) === isWanted) return;
      if (!isWanted) {
        await receiver.stop();
        return setState({ isOn: false, url: null, problem: null });
      }
      const started = await receiver.start();
      setState(
        started.ok
          ? { isOn: true, url: started.value, problem: null }
          : { isOn: true, url: null, problem: started.failure.message },
      );
    },
    state: () => state,
    noteUnknownJobs: (unknownJobs) => setState({ unknownJobs }),
    callbackFor: receiver.callbackFor,
    close: receiver.stop,
  };
}

/** The place in a kept document; null where it holds none. */
function placeIn(json: string | null): ReceiverPlace | null {
  if (json === null) return null;
  try {
    const kept: unknown = JSON.parse(json);
    if (typeof kept !== 'object' || kept === null || !('port' in kept) || !('token' in kept)) return null;
    const { port, token } = kept;
    const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
    if (!isPort || typeof token !== 'string' || !/^[\w-]{16,64}$/.test(token)) return null;
    // A former version kept none.
    const secret =
      'secret' in kept && typeof kept.secret === 'string' && kept.secret.length >= 32 ? kept.secret : newPaths().secret;
    return { port, token, secret };
  } catch {
    return null;
  }
}
