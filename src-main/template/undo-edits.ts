import { updatableFields } from '../../src-preload/template.ts';
import type { EnvEntry, Template, TemplateUndo } from '../../src-preload/template.ts';

/** A copy with its variables; null: their values can no longer be read. */
export interface WholeCopy {
  seq: number;
  /** Which service it was seen at; absent where that is not known. */
  service?: string;
  template: Template;
  env: Record<string, string> | null;
}

/**
 * The edits that turn `current` into what `former` was, as far as an update can: each still to be reviewed and sent.
 */
export function undoEdits(former: WholeCopy, current: WholeCopy): TemplateUndo {
  const undo: TemplateUndo = { edits: {}, notRestorable: [] };
  const { edits } = undo;
  for (const field of updatableFields) {
    if (field === 'env') {
      undoEnv(undo, former, current);
      continue;
    }
    const was = former.template[field];
    if (JSON.stringify(was) === JSON.stringify(current.template[field])) continue;
    if (was === undefined || was === null) undo.notRestorable.push(field);
    else if (field === 'containerDiskInGb' || field === 'volumeInGb') edits[field] = JSON.stringify(was);
    else Object.assign(edits, { [field]: was });
  }
  return undo;
}

function undoEnv({ edits, notRestorable }: TemplateUndo, former: WholeCopy, current: WholeCopy): void {
  const was = former.template.env;
  const is = current.template.env;
  if (was === undefined || was === null) {
    if (is !== undefined && is !== null) notRestorable.push('env');
    return;
  }
  if (former.env === null) {
    notRestorable.push('env');
    return;
  }
  const entries = Object.entries(former.env).map(([name, value]): EnvEntry =>
    current.env?.[name] === value ? { name, value: null } : { name, value: null, from: former.seq },
  );
  const isSame = entries.every(({ from }) => from === undefined) && Object.keys(is ?? {}).length === entries.length;
  if (!isSame) edits.env = entries;
}
