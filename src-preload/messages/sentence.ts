/** A text that others wrote, as a sentence: with a full stop, unless it ends as one already. An empty text stays so. */
export function asSentence(text: string): string {
  return text === '' || /[.!?…。！？]["”’)]*$/u.test(text) ? text : `${text}.`;
}

/** The text with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a`, `a and b`, `a, b and c`; or with `or` before the last. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  return words.length <= 1 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}
