/** Limits of what the user enters. Those of jobs are in `job-bounds.ts`, of the sandbox in `sandbox-bounds.ts`. */

/** How many tags a job has at most, and how long one is, in characters. */
export const tagBounds = { max: 20, maxChars: 40 } as const;

/** The longest text that is copied to the clipboard, in characters. */
export const maxCopiedChars = 50_000_000;

/** The longest reason for a mute, in characters. It is one line. */
export const maxMuteReasonChars = 200;

/** The longest input in a preset, in characters. Presets are sent to every window. */
export const maxPresetInputChars = 100_000;
export const maxPresets = 200;

/** The most jobs whose cells are read in one call, for the table of a batch. */
export const maxCellsRead = 100;
/** How many views of batches are remembered, one for an endpoint, and how many choices of columns. */
export const batchTableBounds = { maxEndpoints: 100, maxColumns: 500 } as const;

/** How many widths of columns in JSON tables are remembered, and between which pixels. */
export const jsonColumnWidthBounds = { max: 300, minPx: 60, maxPx: 800, maxColumnChars: 200 } as const;

/** A higher rate is a typing error. */
export const maxCreditsPerHour = 100_000;
/** A higher limit for a job or a day would have no effect, in credits. */
export const maxLimitCredits = 10_000_000;

/** Characters of one field of a template, and of a pasted .env file. */
export const maxTemplateTextChars = 2_000_000;
