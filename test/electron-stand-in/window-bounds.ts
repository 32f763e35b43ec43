import type { WindowOptions } from './window-options.ts';

/** In CSS pixels; window and content are the same size here, for there is no frame. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowBounds {
  /** A copy of where the window is. */
  current(): Rectangle;
  /** Moves and resizes, never below the minimum size, and tells what that changed. */
  change(wanted: Partial<Rectangle>): { isResized: boolean; isMoved: boolean };
  minimumSize: [number, number];
}

/** Where a window is and how large; pure, 800 × 600 at 0, 0 unless the options say otherwise. */
export function createWindowBounds(options: WindowOptions): WindowBounds {
  let bounds: Rectangle = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
  const own: WindowBounds = {
    current: () => ({ ...bounds }),
    change(wanted) {
      const before = bounds;
      const [minWidth, minHeight] = own.minimumSize;
      const next = { ...before, ...wanted };
      bounds = { ...next, width: Math.max(next.width, minWidth), height: Math.max(next.height, minHeight) };
      return { isResized: bounds.width !== before.width || bounds.height !== before.height, isMoved: bounds.x !== before.x || bounds.y !== before.y };
    },
    minimumSize: [options.minWidth ?? 0, options.minHeight ?? 0],
  };
  return own;
}
