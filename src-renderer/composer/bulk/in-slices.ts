import type { ParsedInputs, ParseSteps } from './parsed-inputs.ts';

/** Work done before the window gets its turn: well under a frame. */
const sliceMs = 6;

/** Runs a parse between frames, so that the window stays at hand. Null once `signal` is aborted. */
export async function inSlices(steps: ParseSteps, signal: AbortSignal): Promise<ParsedInputs | null> {
  for (;;) {
    const untilMs = performance.now() + sliceMs;
    do {
      if (signal.aborted) return null;
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
  }
}

/** A turn of the event loop, without the 4 ms that nested timers are made to wait. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
