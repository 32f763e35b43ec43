import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import type { Pods } from './pods.ts';

type PodCall = Exclude<Extract<keyof Handlers, `pod:${string}`>, 'pod:copyEnv' | 'pod:openPort'>;

/** The contract's calls about pods, but for those that need the clipboard or the browser. */
export function podHandlers(pods: Pods): Pick<Handlers, PodCall> {
  return {
    'pod:list': ({ connectionId }) => pods.list(connectionId),
    'pod:open': ({ connectionId, podId }) => pods.open(connectionId, podId),
    'pod:read': ({ connectionId, podId, include }) => pods.read(connectionId, podId, include),
    'pod:pin': ({ connectionId, podId, isPinned }) => pods.pin(connectionId, podId, isPinned),
    'pod:forget': ({ connectionId, podId }) => pods.forget(connectionId, podId),
    'pod:reveal': async ({ connectionId, podId, name }) => {
      const value = await pods.envValue(connectionId, podId, name);
      return value.ok ? ok({ value: value.value }) : value;
    },
    'pod:curl': ({ connectionId, podId, include }) => pods.curl(connectionId, podId, include),
  };
}
