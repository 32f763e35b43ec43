import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import { fromHistory, type History } from '../history/history.ts';

/** The calls that save unfinished input. */
export function draftHandlers(
  history: Pick<History, 'readDocument' | 'putDocument'>,
): Pick<Handlers, 'draft:load' | 'draft:save'> {
  return {
    'draft:load': async ({ slot }) => {
      const kept = await fromHistory(history.readDocument('draft', slot));
      return kept.ok ? ok(kept.value === null || kept.value === '' ? null : { text: kept.value }) : kept;
    },
    'draft:save': async ({ slot, text }) => {
      const kept = await fromHistory(history.putDocument('draft', slot, text));
      return kept.ok ? ok(null) : kept;
    },
  };
}
