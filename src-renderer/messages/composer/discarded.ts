/** What was typed or pasted into the composer and then discarded. */
export const discardedText = {
  edits: 'Discarded the earlier edits.',
  /** `fileName`: null if the text was pasted. */
  inputs: (fileName: string | null): string => `Removed ${fileName ?? 'the pasted text'}.`,
  editedSince: 'Not restored: you have edited it since, and that would be lost.',
};
