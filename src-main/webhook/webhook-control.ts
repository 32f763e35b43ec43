import { z } from 'zod';
import type { UnknownJob, WebhookReceiverState } from '../../src-preload/webhook.ts';
import { byName, openCollection } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';
import type { Log } from '../log.ts';
import { newPaths } from './webhook-call.ts';
import { createWebhookReceiver } from './receiver.ts';
import type { ReceiverPlace } from './receiver.ts';
import type { WebhookHint } from './webhook-call.ts';

/** The webhook receiver as the settings want it. */
export interface WebhookControl {
  /** Starts or stops it; answers when that is done. */
  apply(isWanted: boolean): Promise<void>;
  state(): WebhookReceiverState;
  /** Takes the jobs that calls named and nobody here knows. */
  noteUnknownJobs(unknownJobs: UnknownJob[]): void;
  /** The address to send with this submission; see receiver.ts. */
  callbackFor(webhook: string, jobKey: string): string;
  close(): Promise<void>;
}

export interface WebhookControlParts {
  documents: Documents;
  now: () => number;
  onHint: (hint: WebhookHint) => void;
  onChange: (state: WebhookReceiverState) => void;
  log: Log;
}

/** Secrets of former versions, which kept none, are made when they are read. */
const placeKind: DocumentKind<ReceiverPlace, string> = {
  kind: 'webhook',
  schema: z.object({
    port: z.number().int().min(1).max(65_535),
    token: z.string().regex(/^[\w-]{16,64}$/),
    secret: z
      .string()
      .min(32)
      .catch(() => newPaths().secret),
  }),
  id: byName,
};
const receiverName = 'receiver';

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

  const places = openCollection(documents, placeKind);
  const receiver = createWebhookReceiver({
    place: () => places.read(receiverName),
    keepPlace: (place) => places.put(receiverName, place),
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
