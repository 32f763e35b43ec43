/** Shown instead of a hidden value. Always the same number of dots, so that they do not reveal its length. */
export const dots = '••••••••••••';
