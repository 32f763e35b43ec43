/** Longest input that is kept in a preset, in characters: presets are sent to every window. */
export const longestPresetInput = 100_000;
export const mostPresets = 200;
