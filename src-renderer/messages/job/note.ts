/** The note tab. */
export const noteText = {
  note: 'Note',
  write: 'Write',
  read: 'Read',
  placeholder: 'What you want to remember about this job. Markdown works; the search finds it.',
  empty: 'Nothing written yet',
  saving: 'Saving',
  saved: 'Saved on this computer',
  reading: 'Reading the note',
  keepThis: 'Keep this text',
  showOther: 'Show the other note',
  dropped: 'Your text was replaced by the other note',
  notSaved: (why: string): string => `Could not save the note. ${why}`,
};
