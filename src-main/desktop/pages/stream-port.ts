import { MessageChannelMain, type BrowserWindow } from 'electron';
import type { StreamMessage } from '../../../src-preload/contract.ts';
import { createStreamFlow, type SubscribeToStream } from '../../job/stream/stream-flow.ts';

/**
 * Opens one MessagePort for one subscription of one window. The flow joins messages and stops at the window's credit,
 * so that a slow window delays only its own stream. False if the window is closed.
 */
export function openStreamPort(
  window: BrowserWindow | null,
  subscriptionId: string,
  subscribe: SubscribeToStream,
): boolean {
  if (window === null || window.isDestroyed()) return false;
  const { port1, port2 } = new MessageChannelMain();
  const flow = createStreamFlow({
    subscribe,
    send: (message: StreamMessage) => port1.postMessage(message),
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  });
  port1.on('message', (event: { data: unknown }) => {
    const data = event.data;
    if (typeof data === 'object' && data !== null && 'credit' in data && typeof data.credit === 'number')
      flow.grant(data.credit);
  });
  const end = (): void => {
    window.off('closed', end);
    flow.close();
  };
  port1.on('close', end);
  window.once('closed', end);
  port1.start();
  window.webContents.postMessage('port', { jobdeckPort: subscriptionId }, [port2]);
  return true;
}
