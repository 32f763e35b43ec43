import type { TemplateSummary } from '../../src-preload/template.ts';
import { call } from '../bridge.ts';
import { createDelayedRemoval } from '../data/delayed-removal.ts';
import { forgetTemplateText } from '../messages/forget.ts';

const templates = createDelayedRemoval<TemplateSummary>({
  idOf: ({ connectionId, templateId }) => `${connectionId}\n${templateId}`,
  remove: async (template) => {
    const { connectionId, templateId } = template;
    const known = await call('template:list', { connectionId });
    if (!known.ok) return forgetTemplateText.couldNot(known.failure.message);
    const now = known.value.find((each) => each.templateId === templateId);
    // Opened by its id and edited, read or updated meanwhile: the user wants it.
    if (now !== undefined && JSON.stringify(now) !== JSON.stringify(template))
      return forgetTemplateText.kept(nameOf(template));
    const result = await call('template:forget', { connectionId, templateId });
    return result.ok ? null : forgetTemplateText.couldNot(result.failure.message);
  },
});

const nameOf = ({ name, templateId }: TemplateSummary): string => name ?? templateId;

/** `templates` without those that the user removed and can still bring back. */
export const useKnownTemplates = templates.useShown;
/** The same for now, outside of components. */
export const knownTemplatesNow = templates.shownNow;

/**
 * Removes a template from the list. Its saved copies and its draft are deleted when the time to undo has passed, unless
 * it was changed in between.
 */
export function forgetTemplate(template: TemplateSummary): void {
  templates.remove(template, forgetTemplateText.forgot(nameOf(template), template.hasDraft));
}
