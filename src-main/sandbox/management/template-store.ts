import type { Checked } from '../checked.ts';
import { readObject } from '../documents.ts';
import type { Documents } from '../documents.ts';
import { checkTemplateUpdate, updateTemplate } from './template.ts';
import type { OmittedSettings, Template, TemplateUpdate } from './template.ts';

export interface TemplateStore {
  ids(): string[];
  find(templateId: string): Template | undefined;
  /** Changes a template and keeps the change. Refused with a sentence when another one has the name. */
  update(template: Template, update: TemplateUpdate): Checked<{ former: Template; updated: Template }>;
}

function documentName(templateId: string): string {
  return `template/${templateId}`;
}

/** What an update can change, as the body of an update that would set it again. */
function settingsText({ containerRegistryAuthId, ...template }: Template): string {
  const {
    containerDiskInGb,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    isPublic,
    name,
    ports,
    readme,
    volumeInGb,
    volumeMountPath,
  } = template;
  const update: TemplateUpdate = {
    containerDiskInGb,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    isPublic,
    name,
    ports,
    readme,
    volumeInGb,
    volumeMountPath,
  };
  if (containerRegistryAuthId !== null) update.containerRegistryAuthId = containerRegistryAuthId;
  return JSON.stringify(update);
}

/** The template as it was left; the catalogue's own when nothing readable was kept of it. */
function restore(template: Template, documents: Documents): Template {
  const kept = readObject(documents, documentName(template.id));
  const checked = kept === null ? null : checkTemplateUpdate(kept);
  return checked?.ok === true ? updateTemplate(template, checked.value, 'keep') : template;
}

/** The templates of the catalogue with what was changed about them since. */
export function createTemplateStore({
  catalogue,
  omitted,
  documents,
}: {
  catalogue: readonly Template[];
  omitted: OmittedSettings;
  documents: Documents;
}): TemplateStore {
  const templates = new Map(catalogue.map((template) => [template.id, restore(template, documents)]));

  function isNameTaken({ id }: Template, name: string): boolean {
    return [...templates.values()].some((other) => other.id !== id && other.name === name);
  }

  return {
    ids: () => [...templates.keys()],
    find: (templateId) => templates.get(templateId),
    update: (template, update) => {
      // Another update may have come between the caller's look and this call.
      const former = templates.get(template.id) ?? template;
      // A name it already has is fine even if a new endpoint's template has come to share it.
      if (update.name !== undefined && update.name !== former.name && isNameTaken(former, update.name)) {
        return { ok: false, message: 'name must be unique: another template has it.' };
      }
      const updated = updateTemplate(former, update, omitted);
      documents.write(documentName(updated.id), settingsText(updated));
      templates.set(updated.id, updated);
      return { ok: true, value: { former, updated } };
    },
  };
}
