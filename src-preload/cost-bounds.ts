/** More than this in an hour is a slip of the hand. */
export const mostCreditsPerHour = 100_000;
/** And more than this is no limit for a job or a day. */
export const mostLimitCredits = 10_000_000;
