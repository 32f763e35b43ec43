import { formatCount } from '../../../src-preload/format.ts';

/** What is wrong with the values of a variable, or with the jobs that they make. */
export const variableProblemText = {
  tooManyValues: (most: number): string => `At most ${formatCount(most)} values`,
  needsNumbers: 'Enter numbers such as 20 and 32, or 0.5 and 1',
  zeroStep: 'The step must be a number other than 0',
  notJson: (value: string): string => `${value} is not valid JSON`,
  giveValue: (name: string): string => `Give {{${name}}} a value`,
  ofVariable: (name: string, problem: string): string => `{{${name}}}: ${problem}`,
  tooManyJobs: (jobs: number, most: number): string =>
    `These variables make ${formatCount(jobs)} jobs. A batch has at most ${formatCount(most)}`,
  tooLarge: (inputs: number): string => `${formatCount(inputs)} inputs of this size are over 400 MB together`,
};
