/** How many widths of columns in JSON tables are remembered, and between which pixels. */
export const jsonColumnWidthBounds = { most: 300, leastPx: 60, mostPx: 800, mostColumnChars: 200 } as const;
