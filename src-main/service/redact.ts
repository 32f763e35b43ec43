/**
 * Answers a function that takes the key out of any text, for services that repeat it in their errors
 * (architecture: secrets never leave main). A short key is only taken out where it stands as a word of its own,
 * else a one-letter sandbox key would eat the text.
 */
export function redactor(key: string): (text: string) => string {
  if (key === '') return (text) => text;
  const forms = [...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])].toSorted((a, b) => b.length - a.length);
  const alternatives = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  const pattern = new RegExp(key.length < 8 ? `(?<![\\w-])(?:${alternatives})(?![\\w-])` : alternatives, 'g');
  return (text) => text.replace(pattern, '[key]');
}
