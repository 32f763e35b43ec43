/** An endpoint's health is read at most once in this time (ruling 20). A younger reading is used again. */
export const healthGapMs = 1_000;

/** How an endpoint's health is read. */
export interface HealthReadOptions {
  /** No user asked for it, so it is not read while the service asks for a pause (ruling 10). */
  isAutomatic?: boolean;
}
