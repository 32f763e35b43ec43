/** Pods as Jobdeck read them. */
export const podText = {
  notReadYet: 'This pod has not been read yet. Read it first.',
  valuesLost: 'These values were only kept for an earlier session. Read the pod again to reveal them.',
  noVariable: (name: string): string => `The pod has no variable ${name}.`,
  noAddress: (port: number): string =>
    `When the pod was last read, port ${port} had no public http address that Jobdeck can open.`,
  couldNotReadAll: 'Could not read the saved pods.',
  couldNotSave: 'Could not save what was read of the pod. Check that the disk is not full.',
  forgottenMeanwhile: 'The pod was forgotten while it was read, so nothing of it was saved.',
  couldNotForget: 'Could not forget the pod. Try again.',
};
