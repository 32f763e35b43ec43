import type { WindowOptions } from './window-options.ts';

/** In CSS pixels. Window and content have the same bounds here, because there is no frame. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowBounds {
  minimumSize: [number, number];
  /** A copy of the window's bounds. */
  current(): Rectangle;
  /** Moves and resizes, never below the minimum size. Returns what changed. */
  change(wanted: Partial<Rectangle>): { isResized: boolean; isMoved: boolean };
  /** Takes the size that the page already has, even below the minimum. False if it is not new. */
  follow(width: number, height: number): boolean;
}

/** A window's position and size: 800 × 600 at 0, 0 unless the options say otherwise. Emits no event. */
export function createWindowBounds(options: WindowOptions): WindowBounds {
  let bounds: Rectangle = {
    x: options.x ?? 0,
    y: options.y ?? 0,
    width: options.width ?? 800,
    height: options.height ?? 600,
  };
  const compare = (before: Rectangle): { isResized: boolean; isMoved: boolean } => ({
    isResized: bounds.width !== before.width || bounds.height !== before.height,
    isMoved: bounds.x !== before.x || bounds.y !== before.y,
  });
  const own: WindowBounds = {
    minimumSize: [options.minWidth ?? 0, options.minHeight ?? 0],
    current: () => ({ ...bounds }),
    change(wanted) {
      const before = bounds;
      const [minWidth, minHeight] = own.minimumSize;
      const next = { ...before, ...wanted };
      bounds = { ...next, width: Math.max(next.width, minWidth), height: Math.max(next.height, minHeight) };
      return compare(before);
    },
    follow(width, height) {
      const before = bounds;
      bounds = { ...before, width, height };
      return compare(before).isResized;
    },
  };
  return own;
}
