/** Whether a text is one of these words. */
export function isOneOf<T extends string>(words: readonly T[], text: string): text is T {
  return words.some((word) => word === text);
}
