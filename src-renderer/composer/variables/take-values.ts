import { valuesFileText } from '../../messages/composer/variables.ts';
import { useComposerNotice } from '../composer-notice.ts';
import { useComposer } from '../composer-store.ts';
import { plainTextOf } from '../drop/file-text.ts';
import { undoDraft } from '../replace-input.ts';
import type { UsedVariable } from './variable-plan.ts';
import { valuesFromFile } from './values-from-file.ts';

/** The values are kept in the draft, and each one is drawn or counted. */
const maxBytes = 5_000_000;

/** Gives variables the values in a file, as lists. Their former values can be restored. */
export async function takeValues(file: File, used: readonly UsedVariable[]): Promise<void> {
  const { show } = useComposerNotice.getState();
  const names = used.map(({ variable }) => variable.name);
  const unchanged = (detail: string): void => show({ title: valuesFileText.unchanged, detail, actions: [] });
  if (file.size > maxBytes) {
    unchanged(valuesFileText.tooLarge(file.name, file.size, maxBytes));
    return;
  }
  const bytes = await file.arrayBuffer().catch(() => null);
  const text = bytes === null ? null : plainTextOf(new Uint8Array(bytes));
  if (text === null) {
    unchanged(bytes === null ? valuesFileText.couldNotRead(file.name) : valuesFileText.notText(file.name));
    return;
  }
  const lists = valuesFromFile(text, names);
  const { draft, change } = useComposer.getState();
  if (draft === null) return;
  if (lists.size === 0) {
    unchanged(valuesFileText.noColumn(file.name, names));
    return;
  }
  const former = draft.variables;
  const given = used
    .map(({ variable }) => ({ ...variable, kind: 'list' as const, list: lists.get(variable.name) ?? [] }))
    .filter(({ list }) => list.length > 0);
  change({ variables: [...former.filter(({ name }) => !lists.has(name)), ...given] });
  show({
    title: valuesFileText.read(file.name),
    detail: valuesFileText.counts(given),
    actions: undoDraft({ variables: former }),
  });
}
