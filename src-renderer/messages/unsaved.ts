/** A form that was closed with something in it, and is open again. */
export const unsavedText = {
  isBack: 'What you entered before is back. It is not saved yet; Cancel discards it.',
};
