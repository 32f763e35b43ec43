/** Node and browsers have it, but the types of this room know neither. */
declare const URL: { canParse: (text: string) => boolean };

/**
 * Whether a text, without spaces around it, is an address of http or https. `http:host`, without slashes, is not one,
 * although a browser accepts it.
 */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}
