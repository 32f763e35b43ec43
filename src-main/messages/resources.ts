/** Templates as Jobdeck saw them. */
export const templateText = {
  notOfPod: 'The pod was read, but it does not use this template, so there was nothing to learn.',
  valueLost: (name: string): string => `The value of ${name} can no longer be read here.`,
  /** A variable in a reply of the service. */
  variable: (name: string, isSet: boolean): string => `${name} ${isSet ? 'set' : 'absent'}`,
  otherValueOf: (names: readonly string[]): string => `another value of ${names.join(', ')}`,
  storage: 'Could not read or write the saved templates. Your edits stay in this window.',
};

/** Why an update is not sent. */
export const templateUpdateText = {
  inProgress: 'An update of this template is in progress. Nothing else was sent.',
  newerCopy:
    'A newer copy of the template arrived, and it differs from what this window shows. Review the ' +
    'changes again; nothing was sent.',
  otherService: (former: string, current: string): string =>
    `This template was loaded from ${former}. Its connection now points to ${current}. Load ` +
    'it from a pod there, or point the connection back. Nothing was sent.',
  fieldProblem: (field: string, problem: string): string => `${field}: ${problem}. Nothing was sent.`,
  unchanged: 'Nothing was changed, so nothing was sent.',
  /** `kind`: what of the template is typed. */
  confirm: (kind: string): string =>
    `Type the template’s ${kind} to confirm: its endpoints will replace their workers. Nothing was sent.`,
  valueLost: (name: string): string =>
    `The value of ${name} can no longer be read here, so nothing was sent. Enter it again.`,
};

/** Why an update cannot be undone. */
export const templateUndoText = {
  noUpdate: 'There is no update of this template to undo.',
  unknownState: 'The state of the template before its last update is unknown, so it cannot be restored.',
  copyGone: 'The previous copy of the template is no longer saved here.',
  otherService: (service: string): string =>
    `That copy came from another service, ${service}, so it cannot be restored here.`,
};

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
