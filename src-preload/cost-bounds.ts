/** A higher rate is a typing error. */
export const mostCreditsPerHour = 100_000;
/** A higher limit for a job or a day would have no effect. */
export const mostLimitCredits = 10_000_000;
