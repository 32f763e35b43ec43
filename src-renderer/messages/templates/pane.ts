import { formatAge, formatCount, formatDay, formatMinute } from '../../../src-preload/format.ts';
import type { TemplateSource } from '../../../src-preload/template.ts';

/** A moment: `today, 09:12`, `18 Nov, 09:12`. */
export function momentText(atMs: number, nowMs: number): string {
  return `${formatDay(atMs, nowMs)}, ${formatMinute(atMs)}`;
}

/** Where a copy of a template came from, as a phrase. */
export function sourceText(source: TemplateSource): string {
  return source.kind === 'update-reply' ? 'from an update' : `from pod ${source.podId}`;
}

/** The list of templates. */
export const templatesPaneText = {
  title: 'Templates',
  openSettings: 'Open its settings',
  noRestUrl:
    'Templates are changed through the management interface, which has its own address. You can still open ' +
    'templates known here.',
  couldNotRead: 'Could not read the templates known here',
  emptyTitle: 'No templates yet',
  emptyHint:
    'The service does not list templates. Open one by its id; those of pods that you read are added automatically.',
};

/** The field that opens a template by its id. */
export const openTemplateText = {
  id: 'Template id',
  open: 'Open template',
  sandbox: 'Templates of the sandbox',
  idMissing: 'Enter a template id.',
  idTooLong: (max: number, length: number): string =>
    `An id has at most ${formatCount(max)} characters; this one has ${formatCount(length)}.`,
  idIsAddress: 'An id has no spaces and no slashes. It is the last part of the template’s address.',
};

/** A template in the list. */
export const templateRowText = {
  open: 'Open template',
  serverless: 'Serverless',
  onlyId: 'only its id is known',
  noEndpoint: 'no known endpoint',
  neverLoaded: 'never loaded',
  seen: (ageMs: number, source: TemplateSource): string =>
    `seen ${ageMs < 60_000 ? 'just now' : `${formatAge(ageMs)} ago`}, ${sourceText(source)}`,
  more: (name: string): string => `More for ${name}`,
  openItem: 'Open',
  forget: 'Forget',
  forgetNote: 'here only',
  unknownOutcome: 'outcome unknown',
  rejected: 'rejected',
  draft: 'draft',
};
