import type { Page } from '@playwright/test';
import { holdTimersOfPages } from './held-timers.ts';

/** A place in the window, in whole pixels. */
interface Place {
  left: number;
  right: number;
  top: number;
}

/** A text or image as one frame shows it. */
interface Drawn {
  /** Empty for an image or a field. */
  text: string;
  inWindow: Place;
  /** As if nothing around it were scrolled. */
  inContent: Place;
}

/** What must be on screen: a match of `pattern` in the text of an element of `selector`, or of the page. */
export interface WantedResult {
  selector?: string;
  pattern: string;
}

/** What Chromium reports of a frame in which something moved. */
interface LayoutShift extends PerformanceEntry {
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Something that a person does, or that happens to them. */
export interface Action {
  name: string;
  wanted: WantedResult;
  /** Where the news that the action brings may move what is there: rows of a list in which a job changes its state. */
  besides?: string;
  /** Where nothing may move, not even once. */
  still?: string;
}

interface Stillness {
  /** What is done from now on. Null: nothing that is judged. */
  begin: (action: Action | null) => void;
  /** As `begin`, for what began with the window itself. */
  name: (action: Action) => void;
  /** Resolves when the wanted result was painted and nothing changed for some frames. */
  settled: () => Promise<void>;
  faults: string[];
  frames: number;
}

/** What the frames since the last press showed of a text or image. */
interface Track {
  drawn: Drawn | null;
  /** Where it was last, also while it is not drawn. */
  last: Drawn;
  /** How often it got another place, its first one included if it was not there before. */
  changes: number;
}

declare global {
  interface Window {
    /** What is drawn, except in `besides`. */
    readDrawn?: (onShadow: (root: ShadowRoot) => void, besides: string) => Map<Node, Drawn>;
    nameDrawn?: (node: Node, text: string) => string;
    followDrawn?: (hooks: StillnessHooks) => { read: (frame: number) => boolean; press: () => void };
    stillness?: Stillness;
  }
}

interface StillnessHooks {
  /** The frame in which the wanted result was painted; null before. */
  wantedAt: () => number | null;
  besides: () => string;
  /** Whether it may not get another place, not even once. */
  isStill: (node: Node) => boolean;
  report: (frame: number, what: string) => void;
  /** Called for each shadow root that is read. */
  onShadow: (root: ShadowRoot) => void;
}

/**
 * How long a window waits for an answer before it draws what stands in for it (design language: Loading). In these
 * specs it waits until the answer is there.
 */
const loadingPauseMs = 120;

/**
 * Watches every frame of the window, which is loaded again for it: nothing may move or blink unless the user does
 * something. A text, image or field may get another place once after each press, and none after the wanted result is
 * painted. A text may not vanish and come back. Resolves when `opened` is painted and nothing changes.
 */
export async function watchStillness(page: Page, opened: WantedResult): Promise<void> {
  for (const script of [addReading, addFollowing, watch]) await page.addInitScript(script);
  await holdTimersOfPages(page, loadingPauseMs);
  await page.reload();
  await page.evaluate((wanted) => window.stillness?.name({ name: 'the window opens', wanted }), opened);
  await page.evaluate(() => window.stillness?.settled());
}

/** Does what `act` does and waits until its result is painted and nothing changes. */
export async function during(page: Page, action: Action, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate((begun) => window.stillness?.begin(begun), action);
  await act();
  await page.evaluate(() => window.stillness?.settled());
}

/** Does what may move anything, such as jobs that a test needs and that change their states. */
export async function unjudged(page: Page, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => window.stillness?.begin(null));
  await act();
}

/** What moved or blinked since the watch began, a line for each time. */
export function unrest(page: Page): Promise<string[]> {
  return page.evaluate(() => window.stillness?.faults ?? ['The window is not watched.']);
}

/** In the window: what is drawn in a frame, and where. */
function addReading(): void {
  interface Frame {
    left: number;
    top: number;
    right: number;
    bottom: number;
    scrolledX: number;
    scrolledY: number;
  }
  const clips = new WeakMap<Element, boolean>();
  const images = new Set(['svg', 'img', 'canvas', 'input', 'textarea', 'video', 'audio']);
  const range = document.createRange();

  function parentOf(element: Element): Element | null {
    const root = element.parentNode;
    return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }

  function isClipping(element: Element): boolean {
    const known = clips.get(element);
    if (known !== undefined) return known;
    const isOne = getComputedStyle(element).overflowX !== 'visible';
    clips.set(element, isOne);
    return isOne;
  }

  /** The part of the window in which an element is seen, and how far it is scrolled. */
  function frameOf(element: Element | null, known: Map<Element, Frame>): Frame {
    if (element === null)
      return { left: 0, top: 0, right: innerWidth, bottom: innerHeight, scrolledX: 0, scrolledY: 0 };
    const before = known.get(element);
    if (before !== undefined) return before;
    let frame = frameOf(parentOf(element), known);
    if (isClipping(element)) {
      const box = element.getBoundingClientRect();
      frame = {
        left: Math.max(frame.left, box.left),
        top: Math.max(frame.top, box.top),
        right: Math.min(frame.right, box.right),
        bottom: Math.min(frame.bottom, box.bottom),
        scrolledX: frame.scrolledX + element.scrollLeft,
        scrolledY: frame.scrolledY + element.scrollTop,
      };
    }
    known.set(element, frame);
    return frame;
  }

  window.readDrawn = (onShadow, besides) => {
    const drawn = new Map<Node, Drawn>();
    const frames = new Map<Element, Frame>();
    const left = new Set(besides === '' ? [] : document.querySelectorAll(besides));
    const add = (node: Node, element: Element, around: Element | null, text: string): void => {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
      if (node === element) range.selectNode(node);
      else range.selectNodeContents(node);
      const box = node === element ? element.getBoundingClientRect() : range.getBoundingClientRect();
      const frame = frameOf(around, frames);
      // What is only there for a screen reader, or scrolled out of sight.
      if (box.width <= 1 || box.height <= 1) return;
      if (box.right <= frame.left || box.left >= frame.right || box.bottom <= frame.top || box.top >= frame.bottom)
        return;
      const place = (x: number, y: number): Place => ({
        left: Math.round(x),
        right: Math.round(x + box.width),
        top: Math.round(y),
      });
      drawn.set(node, {
        text,
        inWindow: place(box.left, box.top),
        inContent: place(box.left + frame.scrolledX, box.top + frame.scrolledY),
      });
    };
    const readIn = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
        if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
        if (left.has(node) || node.localName === 'style') return NodeFilter.FILTER_REJECT;
        // An editor uses the marks of one line again for another.
        if (node.classList.contains('cm-gutters')) return NodeFilter.FILTER_REJECT;
        if (!images.has(node.localName)) return NodeFilter.FILTER_ACCEPT;
        add(node, node, parentOf(node), '');
        return NodeFilter.FILTER_REJECT;
      });
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node instanceof Element) {
          if (node.shadowRoot !== null) {
            onShadow(node.shadowRoot);
            readIn(node.shadowRoot);
          }
          continue;
        }
        const text = node.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
        const parent = node.parentElement;
        if (text !== '' && parent !== null) add(node, parent, parent, text);
      }
    };
    readIn(document.body);
    return drawn;
  };

  window.nameDrawn = (node, text) => {
    const element = node instanceof Element ? node : node.parentElement;
    const label = element?.getAttribute('aria-label') ?? element?.closest('button')?.getAttribute('aria-label') ?? '';
    const shown = text !== '' ? `“${text.slice(0, 50)}”` : `${element?.localName} “${label}”`;
    const root = element?.getRootNode();
    const outside = root instanceof ShadowRoot ? root.host : element;
    const part = outside?.closest('section[aria-label], aside[aria-label], nav, header, footer, [role="dialog"]');
    return `${shown} in ${part?.getAttribute('aria-label') ?? part?.localName ?? 'the window'}`;
  };
}

/** In the window: what moved or came back between one frame and the next. */
function addFollowing(): void {
  /** Half a character's rounding is no movement. */
  const maxPx = 2;
  const maxNamed = 3;
  /** As far as this from where it was, a text that comes back is the same. */
  const besidePx = 40;
  const inPlacePx = 8;
  const isApart = (one: Place, other: Place, px: number): boolean =>
    Math.abs(one.left - other.left) > px || Math.abs(one.top - other.top) > px;
  const atText = ({ left, top }: Place): string => `${left},${top}`;
  const named = (names: readonly string[]): string => names.slice(0, maxNamed).join('; ');

  window.followDrawn = ({ wantedAt, besides, isStill, report, onShadow }) => {
    const tracks = new Map<Node, Track>();
    /** Texts that were drawn since the last press and are not drawn now, with their first frame without them. */
    const gone = new Map<string, { frame: number; place: Place }>();
    let texts = new Map<string, Place>();
    const nameOf = (node: Node, text: string): string => window.nameDrawn?.(node, text) ?? text;

    /** What changes a track. Returns the movement, or null if it is none or one that is allowed. */
    function step(frame: number, node: Node, track: Track, drawn: Drawn): string | null {
      const { last } = track;
      const isMoved =
        last.text === drawn.text &&
        isApart(last.inWindow, drawn.inWindow, maxPx) &&
        isApart(last.inContent, drawn.inContent, maxPx);
      track.drawn = drawn;
      if (!isMoved && last.text === drawn.text) return null;
      track.last = drawn;
      if (!isMoved) return null;
      track.changes += 1;
      const at = wantedAt();
      const isLate = at !== null && frame > at;
      if (!isLate && track.changes < (isStill(node) ? 1 : 2)) return '';
      const times = track.changes === 1 ? 'once' : 'for the second time';
      const when = isLate ? `${frame - at} frames after its result` : times;
      return `${nameOf(node, drawn.text)} moved ${when} from ${atText(last.inWindow)} to ${atText(drawn.inWindow)}`;
    }

    /** Placeholders are drawn, because something takes longer than usual (design language: Loading). */
    const isLoading = (): boolean =>
      document.querySelector('[role="status"][aria-label="Loading"]')?.checkVisibility({ visibilityProperty: true }) ===
      true;

    /** A text that is drawn in another place is another one. */
    function blinked(frame: number, now: ReadonlyMap<string, Place>): string[] {
      const lines: string[] = [];
      for (const [text, place] of now) {
        const before = gone.get(text);
        if (before === undefined) continue;
        gone.delete(text);
        if (isApart(before.place, place, besidePx)) continue;
        lines.push(`“${text.slice(0, 50)}” at ${atText(place)} was not drawn for ${frame - before.frame} frames`);
      }
      if (isLoading()) return lines;
      const places = [...now.values()];
      for (const [text, place] of texts) {
        // A text in its place is what it changed to.
        const isReplaced = places.some(
          ({ left, right, top }) => Math.abs(top - place.top) <= inPlacePx && left < place.right && place.left < right,
        );
        if (!now.has(text) && !isReplaced) gone.set(text, { frame, place });
      }
      return lines;
    }

    return {
      read: (frame) => {
        const now = window.readDrawn?.(onShadow, besides()) ?? new Map<Node, Drawn>();
        const moved: string[] = [];
        const came: string[] = [];
        const went: string[] = [];
        let isChanged = false;
        for (const [node, drawn] of now) {
          const track = tracks.get(node);
          if (track === undefined) {
            tracks.set(node, { drawn, last: drawn, changes: 1 });
            came.push(nameOf(node, drawn.text));
            continue;
          }
          if (track.drawn === null) came.push(nameOf(node, drawn.text));
          const line = step(frame, node, track, drawn);
          isChanged ||= line !== null;
          if (line !== null && line !== '') moved.push(line);
        }
        for (const [node, track] of tracks) {
          if (track.drawn === null || now.has(node)) continue;
          track.drawn = null;
          went.push(nameOf(node, track.last.text));
        }
        const shown = new Map<string, Place>();
        for (const { text, inWindow } of now.values()) if (/\p{L}{2}/u.test(text)) shown.set(text, inWindow);
        for (const line of blinked(frame, shown)) report(frame, line);
        texts = shown;
        if (moved.length > 0)
          report(frame, `${named(moved)} (${moved.length} in all). Came: ${named(came)}. Went: ${named(went)}`);
        return isChanged || came.length > 0 || went.length > 0;
      },
      press: () => {
        gone.clear();
        for (const [node, track] of tracks) {
          if (track.drawn === null) tracks.delete(node);
          else track.changes = 0;
        }
      },
    };
  };
}

/**
 * In the window: reads each frame that may differ from the one before, as it is painted (`window-watcher.ts` says how),
 * and the layout shifts that Chromium itself reports.
 */
function watch(): void {
  const quietFrames = 12;
  const maxFaults = 40;
  const maxMs = 20_000;
  let action: Action | null = { name: 'the window opens', wanted: { pattern: '(?!)' } };
  let wantedAt: number | null = null;
  let wantedAtMs = Infinity;
  let isDirty = true;
  let changedAt = 0;
  let pressedAt = 0;
  const stillness: Stillness = {
    frames: 0,
    faults: [],
    begin: (begun) => {
      action = begun;
      press();
    },
    name: (begun) => {
      action = begun;
      isDirty = true;
    },
    settled: () =>
      new Promise((resolve, reject) => {
        const untilMs = performance.now() + maxMs;
        const look = (): void => {
          const isLoading =
            document.querySelector('[aria-busy="true"], [role="status"][aria-label="Loading"]') !== null;
          if (wantedAt !== null && !isLoading && stillness.frames - changedAt > quietFrames) resolve();
          else if (performance.now() > untilMs)
            reject(
              new Error(
                `${action?.name}: ${wantedAt === null ? `not painted: ${action?.wanted.pattern}` : 'never quiet'}`,
              ),
            );
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
  };
  window.stillness = stillness;
  const report = (frame: number, what: string): void => {
    if (action !== null && stillness.faults.length < maxFaults)
      stillness.faults.push(`${action.name}, frame ${frame - pressedAt}: ${what}`);
  };
  const mark = (): void => {
    isDirty = true;
  };
  const changes = new MutationObserver(mark);
  const observed = new WeakSet<Node>();
  const observe = (root: Node): void => {
    if (observed.has(root)) return;
    observed.add(root);
    changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  const following = window.followDrawn?.({
    wantedAt: () => wantedAt,
    besides: () => action?.besides ?? '',
    isStill: (node) =>
      action?.still !== undefined &&
      (node instanceof Element ? node : node.parentElement)?.closest(action.still) != null,
    report,
    onShadow: observe,
  });

  function press(): void {
    wantedAt = null;
    wantedAtMs = Infinity;
    pressedAt = stillness.frames;
    changedAt = stillness.frames;
    isDirty = true;
    following?.press();
  }
  const isPainted = ({ selector = 'body', pattern }: WantedResult): boolean =>
    [...document.querySelectorAll(selector)].some(
      (element) => element.checkVisibility() && new RegExp(pattern).test(element.textContent),
    );

  function eachFrame(): void {
    stillness.frames += 1;
    if (!isDirty || document.body === null) return;
    isDirty = false;
    if (following?.read(stillness.frames) === true) changedAt = stillness.frames;
    if (wantedAt !== null || action === null || !isPainted(action.wanted)) return;
    wantedAt = stillness.frames;
    wantedAtMs = performance.now();
  }

  /** Chromium reports a shift after the frame was painted. The tracks say more about those before the result. */
  function reportShifts(entries: PerformanceEntryList): void {
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => 'sources' in entry;
    for (const entry of entries.filter(isShift)) {
      if (entry.startTime <= wantedAtMs) continue;
      for (const { node, previousRect: from, currentRect: to } of entry.sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (node === null || element == null || (from.x === to.x && from.y === to.y)) continue;
        if (action?.besides !== undefined && element.closest(action.besides) !== null) continue;
        // It came or went.
        if (from.width === 0 || to.width === 0) continue;
        // At the right edge, a text that gets shorter begins later.
        if (from.y === to.y && Math.abs(from.right - to.right) <= 2) continue;
        const name = window.nameDrawn?.(node, node.textContent?.slice(0, 50) ?? '') ?? '';
        report(stillness.frames, `layout shift: ${name} from ${from.x},${from.y} to ${to.x},${to.y}`);
      }
    }
  }

  function start(): void {
    new PerformanceObserver((list) => reportShifts(list.getEntries())).observe({ type: 'layout-shift' });
    observe(document);
    for (const kind of ['scroll', 'resize', 'load'] as const) window.addEventListener(kind, mark, true);
    document.fonts.addEventListener('loadingdone', mark);
    for (const kind of ['pointerdown', 'pointerup', 'pointermove', 'keydown', 'beforeinput', 'wheel'] as const)
      window.addEventListener(kind, press, true);
    const beforeFrame = (): void => {
      const observer = new ResizeObserver(() => {
        observer.disconnect();
        eachFrame();
      });
      observer.observe(document.body);
      requestAnimationFrame(beforeFrame);
    };
    requestAnimationFrame(beforeFrame);
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
}
