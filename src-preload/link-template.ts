/** What a link of a connection can name of a job. */
export type LinkField = 'endpoint_id' | 'job_id' | 'worker_id';

/** The fields of the link to an endpoint's page, and of the link to a job's log. */
export const consoleFields: readonly LinkField[] = ['endpoint_id'];
export const logFields: readonly LinkField[] = ['endpoint_id', 'job_id', 'worker_id'];

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Its host has nothing to fill in and no credentials, so that no id leads to another place. */
const httpsAddress = /^https:\/\/[\p{L}\p{N}.-]+(?::\d{1,5})?(?:[/?#]\S*)?$/iu;

/** Whether a text can be a link: empty, or an https address that names only these fields, behind its host. Pure. */
export function isLinkTemplate(template: string, fields: readonly LinkField[]): boolean {
  if (template === '') return true;
  const names = [...template.matchAll(placeholder)].map(([, name = '']) => name);
  if (!names.every((name) => fields.some((field) => field === name))) return false;
  return httpsAddress.test(template.replaceAll(placeholder, '{}'));
}

/** Such an id would be no part of an address of its own: a browser leaves it out, with the part before it. */
const noPart = /^\.{0,2}$/;

/** The link with its fields filled in. Null if there is none, or a field that it names cannot be filled in. Pure. */
export function filledLink(
  template: string | undefined,
  values: Readonly<Partial<Record<LinkField, string | null>>>,
): string | null {
  if (template === undefined || template === '') return null;
  let isComplete = true;
  const link = template.replaceAll(placeholder, (_whole, name: string) => {
    const value = Object.entries(values).find(([field]) => field === name)?.[1] ?? null;
    if (value === null || noPart.test(value)) isComplete = false;
    // An id is any string of a reply, also half a character, which cannot be encoded.
    return encodeURIComponent((value ?? '').toWellFormed());
  });
  return isComplete ? link : null;
}
