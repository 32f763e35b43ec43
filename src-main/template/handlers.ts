import type { Handlers } from '../../src-preload/contract.ts';
import { failed, type Result } from '../../src-preload/failure.ts';
import { connectionRemoved } from '../service/client.ts';
import type { Templates } from './templates.ts';
import { templateText } from '../messages/resources.ts';

type TemplateCall = Extract<keyof Handlers, `template:${string}`>;

export interface TemplateHandlersParts {
  templates: Templates;
  /** Reads a pod once, with everything that can be included. */
  readPod: (connectionId: string, podId: string) => Promise<Result<unknown>>;
  now: () => number;
  /** Whether a connection still exists. */
  hasConnection: (connectionId: string) => Promise<boolean>;
}

/** Handlers of the calls about templates. */
export function templateHandlers(parts: TemplateHandlersParts): Pick<Handlers, TemplateCall> {
  const { templates, readPod, now, hasConnection } = parts;
  return {
    'template:list': ({ connectionId }) => templates.list(connectionId),
    'template:view': (at) => templates.view(at),
    'template:readFromPod': async ({ connectionId, templateId, podId }) => {
      const requestedAtMs = now();
      const read = await readPod(connectionId, podId);
      if (!read.ok) return read;
      const view = await templates.view({ connectionId, templateId });
      const known = view.ok ? view.value.known : null;
      if (view.ok && (known?.source.kind !== 'pod' || known.source.podId !== podId || known.seenAtMs < requestedAtMs)) {
        return failed({ kind: 'refused', field: 'podId', message: templateText.notOfPod });
      }
      return view;
    },
    'template:reveal': ({ connectionId, templateId, seq, name }) =>
      templates.revealEnv({ connectionId, templateId }, seq, name),
    'template:saveDraft': ({ connectionId, templateId, draft }) =>
      templates.saveDraft({ connectionId, templateId }, draft),
    'template:update': async ({ connectionId, templateId, ...request }) => {
      const sent = await templates.update({ connectionId, templateId }, request);
      if (await hasConnection(connectionId)) return sent;
      // The result was saved after the connection's templates were deleted.
      await templates.forgetConnection(connectionId);
      return failed(connectionRemoved);
    },
    'template:undo': ({ connectionId, templateId, toSeq }) => templates.undo({ connectionId, templateId }, toSeq),
    'template:forget': (at) => templates.forget(at),
  };
}
