/** Pods as Jobdeck read them. */
export const podText = {
  notReadYet: 'This pod has not been read yet. Read it first.',
  valuesLost: 'These values were only kept for an earlier session. Read the pod again to reveal them.',
  noVariable: (name: string): string => `The pod has no variable ${name}.`,
  noAddress: (port: number): string =>
    `Port ${port} has no public http address in the pod as last read that Jobdeck opens.`,
  couldNotReadAll: 'Could not read the saved pods.',
  couldNotSave: 'Could not save what was read of the pod. Check that the disk is not full.',
  couldNotForget: 'Could not forget the pod. Try again.',
};
