/**
 * A name from the service in the form the desktop may show: on one line, without control characters and without those
 * that change the writing direction, by which a title could pretend to be something else.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .trim();
}

/** Escapes a text for the body of a notification on Linux, which is markup (Desktop Notifications Specification). */
export function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** How many UTF-16 units Windows has room for in the tooltip of a tray icon. */
const longestWindowsTip = 127;

/**
 * A text for the tooltip of a tray icon. Windows takes single and double ampersands away, and draws one for three
 * (electron/electron#14373). It also cuts off a long text, which then ends with "…". Pure.
 */
export function asTrayTooltip(text: string, platform: string): string {
  if (platform !== 'win32') return text;
  const escaped = text.replaceAll('&', '&&&');
  if (escaped.length <= longestWindowsTip) return escaped;
  let kept = '';
  for (const sign of text) {
    const drawn = sign === '&' ? '&&&' : sign;
    if (kept.length + drawn.length >= longestWindowsTip) break;
    kept += drawn;
  }
  return `${kept}…`;
}

/** Escapes a text for the label of a menu item, where `&` marks the letter after it (Electron: Menu, escaping). */
export function asMenuLabel(text: string): string {
  return text.replaceAll('&', '&&');
}
