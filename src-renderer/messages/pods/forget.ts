/** Removing a pod from the list. */
export const forgetPodText = {
  forgot: (name: string): string => `Forgot ${name}`,
  couldNot: (problem: string): string => `Could not forget the pod. ${problem}`,
};
