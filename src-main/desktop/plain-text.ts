/**
 * What a service named, as the desktop may show it: in one line, without control characters and without those that turn
 * the direction of writing, which would let a title pretend to be something else.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .trim();
}

/** The body of a notification on Linux is markup (Desktop Notifications Specification), so every text is escaped. */
export function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
