/** The longest input in a preset, in characters. Presets are sent to every window. */
export const longestPresetInput = 100_000;
export const mostPresets = 200;
