/** What was typed or pasted into the composer and then discarded or replaced. */
export const discardedText = {
  edits: 'Discarded the earlier edits.',
  /** `fileName`: null if the text was pasted. */
  inputs: (fileName: string | null): string => `Removed ${fileName ?? 'the pasted text'}.`,
  replacedByEarlier: 'Replaced the input with an earlier one.',
  editedSince: 'Not restored: you have edited it since, and that would be lost.',
};
