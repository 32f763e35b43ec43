/** Removing a template from the list. */
export const forgetTemplateText = {
  forgot: (name: string, hasDraft: boolean): string => `Forgot ${name}${hasDraft ? ' and its draft' : ''}`,
  couldNot: (problem: string): string => `Could not forget the template. ${problem}`,
  kept: (name: string): string => `${name} changed meanwhile, so Jobdeck did not forget it.`,
};

/** Removing a pod from the list. */
export const forgetPodText = {
  forgot: (name: string): string => `Forgot ${name}`,
  couldNot: (problem: string): string => `Could not forget the pod. ${problem}`,
};
