/** Why a text is not a pod id. */
export const podIdText = {
  missing: 'Enter a pod’s id.',
  space: 'A pod id has no spaces.',
  address: 'A pod id has no / \\ ? #. Enter the id alone, not an address.',
  dots: (id: string): string => `"${id}" is not a pod id.`,
  tooLong: (most: number, length: number): string => `A pod id has at most ${most} characters; this has ${length}.`,
  controlCharacter: 'A pod id has no control characters.',
};
