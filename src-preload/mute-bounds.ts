/** A reason for a mute is one line. */
export const longestReason = 200;
