/** A form that was closed with something in it, and is open again. */
export const unsavedText = {
  isBack: 'Unsaved changes restored. Cancel discards them.',
};
