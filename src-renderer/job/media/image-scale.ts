/** The size of an image: fitted into the window but not enlarged, or a share of its own size. */
export type ImageScale = 'fit' | number;

const smallest = 0.05;
const largest = 16;
/** The factor of one press of + or -. */
const stepFactor = 1.25;
/** A notch of a wheel, 100 pixels, is about one step. */
const factorPerPx = 1.0022;

/** The scale after some steps (negative ones make it smaller), within useful limits. */
export function scaledBySteps(scale: number, steps: number): number {
  return within(scale * stepFactor ** steps);
}

/** The scale after a wheel has turned by some pixels. Turning it towards the user makes the image smaller. */
export function scaledByWheel(scale: number, deltaPx: number): number {
  return within(scale * factorPerPx ** -deltaPx);
}

function within(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale));
}
