/** What an image is shown at: as large as fits and no larger than it is, or a share of its own size. */
export type ImageScale = 'fit' | number;

const smallest = 0.05;
const largest = 16;
/** One press of + or -. */
const stepFactor = 1.25;
/** A notch of a wheel, 100 pixels, is about one step. */
const factorPerPx = 1.0022;

/** The scale so many steps larger (below zero: smaller), within what is of use. */
export function scaledBySteps(scale: number, steps: number): number {
  return within(scale * stepFactor ** steps);
}

/** The scale after a wheel turned by so many pixels; towards the user makes it smaller. */
export function scaledByWheel(scale: number, deltaPx: number): number {
  return within(scale * factorPerPx ** -deltaPx);
}

function within(scale: number): number {
  return Math.min(largest, Math.max(smallest, scale));
}
