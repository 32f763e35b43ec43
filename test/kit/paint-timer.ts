import type { Page } from '@playwright/test';

/** What the page records while it is measured; see `installPaintTimer`. */
interface PaintTimer {
  /** When the last press of a button or key began, on the page's own clock. */
  pressedAtMs: number;
}

declare global {
  interface Window {
    paintTimer?: PaintTimer;
  }
}

/** Records in the page when each press begins, so that the way through the test's process is not counted. */
export async function installPaintTimer(page: Page): Promise<void> {
  await page.evaluate(() => {
    const timer: PaintTimer = { pressedAtMs: 0 };
    window.paintTimer = timer;
    for (const kind of ['pointerdown', 'keydown'] as const)
      window.addEventListener(
        kind,
        ({ timeStamp }) => {
          timer.pressedAtMs = timeStamp;
        },
        true,
      );
  });
}

/** What must be on screen: the first element of a selector and, if given, a match of this pattern in it. */
export interface Wanted {
  selector: string;
  pattern?: string;
}

/**
 * Milliseconds from the press that `press` makes to the first frame after `wanted` was in the page. Errors: rejects if
 * it is not there after 10 s.
 */
export async function timeToPaint(page: Page, wanted: Wanted, press: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    if (window.paintTimer !== undefined) window.paintTimer.pressedAtMs = 0;
  });
  const painted = page.evaluate(
    ({ selector, pattern }) =>
      new Promise<number>((resolve, reject) => {
        const startedAtMs = performance.now();
        const timer = window.paintTimer;
        if (timer === undefined) return reject(new Error('The page is not measured'));
        const look = (): void => {
          const element = timer.pressedAtMs > 0 ? document.querySelector(selector) : null;
          const isShown =
            element !== null && (pattern === undefined || new RegExp(pattern).test(element.textContent ?? ''));
          // The next frame begins after this one was painted.
          if (isShown) requestAnimationFrame((atMs) => resolve(atMs - timer.pressedAtMs));
          else if (performance.now() - startedAtMs > 10_000)
            reject(new Error(`Not shown: ${selector} ${pattern ?? ''}`));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    wanted,
  );
  // Both would reject if the page ended.
  const [ms] = await Promise.all([painted, press()]);
  return ms;
}

/** Times between frames while a script scrolls. */
export interface ScrolledFrames {
  frames: number;
  /** The fraction of frames that came later than 32 ms. */
  lateShare: number;
  longestMs: number;
  /** Rows that were scrolled past. */
  rows: number;
}

/** Scrolls the list, the table or the images of jobs by `pixelsPerFrame` in each frame for `forMs`. */
export async function scrollList(page: Page, pixelsPerFrame: number, forMs: number): Promise<ScrolledFrames> {
  return await page.evaluate(
    ({ step, during }) =>
      new Promise<ScrolledFrames>((resolve, reject) => {
        let scroller = document.querySelector('[data-job-list]');
        while (scroller !== null && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
          scroller = scroller.parentElement;
        if (scroller === null) return reject(new Error('No list that scrolls'));
        const box = scroller;
        const rowHeight = box.querySelector('[data-key]')?.getBoundingClientRect().height ?? 1;
        const gaps: number[] = [];
        let lastMs = 0;
        let untilMs = 0;
        let passed = 0;
        const frame = (atMs: number): void => {
          if (lastMs === 0) untilMs = atMs + during;
          else gaps.push(atMs - lastMs);
          lastMs = atMs;
          if (atMs >= untilMs)
            return resolve({
              frames: gaps.length,
              lateShare: gaps.filter((gap) => gap > 32).length / gaps.length,
              longestMs: Math.max(...gaps),
              rows: Math.round(passed / rowHeight),
            });
          const before = box.scrollTop;
          box.scrollTop += step;
          passed += box.scrollTop - before;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    { step: pixelsPerFrame, during: forMs },
  );
}
