export interface Toast {
  /** The notification's id, which Windows returns with a click. */
  id: string;
  title: string;
  body: string;
  isSilent: boolean;
  /** The labels of its buttons. */
  actions: string[];
}

/** Escapes a text for XML, which has no place for half a pair of surrogates and two other codes. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * A notification as Windows draws it (Toast schema). It is what Electron would write, with one addition: `launch`.
 * Without it a click in a later run would not say which notification it was on. A button's arguments are in the form
 * that Electron reads: by `tag` it finds the object in the same run.
 */
export function toastXml({ id, title, body, isSilent, actions }: Toast): string {
  const lines = [title, body].filter((line) => line !== '').map((line) => `<text>${escaped(line)}</text>`);
  const buttons = actions.map((label, index) => {
    const given = escaped(`type=action&action=${index}&tag=${id}`);
    return `<action activationType="foreground" arguments="${given}" content="${escaped(label)}"/>`;
  });
  return [
    `<toast launch="${escaped(`type=click&tag=${id}`)}">`,
    `<visual><binding template="ToastGeneric">${lines.join('')}</binding></visual>`,
    buttons.length === 0 ? '' : `<actions>${buttons.join('')}</actions>`,
    isSilent ? '<audio silent="true"/>' : '',
    '</toast>',
  ].join('');
}
