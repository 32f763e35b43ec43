import { useEffect, useMemo, useReducer, useCallback, useLayoutEffect, useRef, type RefObject } from 'react';
import { createMarkdownSections, type MarkdownSections } from './markdown-sections.ts';
import type { TextSource } from './text-source.ts';
import { hideFound, rangesIn, showFound } from './found-ranges.ts';
import { createSectionSearch, numberInSection } from './section-search.ts';
import type { TextSearch } from './text-search.ts';
import { useTextSearch, type ShownSearch } from './use-text-search.ts';

/** How many characters are cut into sections in one frame: a few milliseconds of work. */
const cutPerFrame = 160_000;

/** The sections of a growing text. A long one is cut over several frames. */
export function useSections(source: TextSource): MarkdownSections {
  const sections = useMemo(() => createMarkdownSections(source), [source]);
  const isAll = sections.take(cutPerFrame);
  useNextFrame(!isAll);
  return sections;
}

/** Draws again in the next frame while something is waiting. */
export function useNextFrame(isWaiting: boolean): void {
  const [frame, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const next = requestAnimationFrame(redraw);
    return () => cancelAnimationFrame(next);
  }, [isWaiting, frame]);
}

interface Options {
  sections: MarkdownSections;
  /** Changes whenever more of the text was cut. */
  version: unknown;
  isFinding: boolean;
  scroller: RefObject<HTMLElement | null>;
  /** The view stays at the end of the text, and no match is kept in it. */
  isFollowing: boolean;
  /** The first section that is partly in view. */
  sectionInView: () => number;
  /** Scrolls to a section, which is drawn in the next frame. */
  showSection: (section: number) => void;
  /** True if the section is drawn and parsed. */
  isDrawn: (section: number) => boolean;
  /** Scrolls to a place in px, and cancels what `showSection` has not finished. */
  scrollTo: (topPx: number) => void;
  onGo: () => void;
}

/**
 * A search through formatted text. Matches are highlighted where they are drawn. The current one is scrolled into view
 * when its section is drawn. It is kept there until the user scrolls, because sections around it change their height
 * when they are parsed and measured.
 */
export function useSectionFind(options: Options): ShownSearch<TextSearch> {
  const { sections, version, isFinding, scroller, isFollowing, sectionInView, showSection, isDrawn, scrollTo, onGo } =
    options;
  /** The match to keep in view, and whether it has been scrolled there. */
  const goingTo = useRef<{ match: number; hasArrived: boolean } | null>(null);
  const createSearch = useCallback((wanted: string) => createSectionSearch(sections, wanted), [sections]);
  const find = useTextSearch(
    createSearch,
    version,
    () => sections.startOf(sectionInView()),
    ({ matches }, at) => {
      goingTo.current = { match: matches[at] ?? 0, hasArrived: false };
      onGo();
    },
  );
  // After every drawing: what is in view may have been drawn again, and ranges end with their nodes.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isFinding || find.wanted === '' || element === null) return;
    const current = find.search.matches[find.at];
    const at = current === undefined ? null : numberInSection(sections, current);
    let currentRange: Range | null = null;
    const ranges = [...element.querySelectorAll('[data-index]')].flatMap((drawn) => {
      const own = [...drawn.children].flatMap((block) => rangesIn(block, find.wanted));
      const section = Number(drawn.getAttribute('data-index')) + sections.firstShown;
      if (section === at?.section) currentRange = own[Math.min(at.number, own.length - 1)] ?? null;
      return own;
    });
    showFound(ranges, currentRange);
    const going = goingTo.current;
    if (going === null || going.match !== current || at === null) return;
    if (!isDrawn(at.section)) {
      showSection(at.section);
    } else if (currentRange !== null) {
      const isInView = scrollIntoView(element, currentRange, scrollTo);
      // Cancels what `showSection` has not finished.
      if (isInView && !going.hasArrived) scrollTo(element.scrollTop);
      going.hasArrived = true;
    }
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const letGo = (): void => {
      goingTo.current = null;
    };
    const events = ['wheel', 'pointerdown', 'keydown'] as const;
    for (const name of events) element.addEventListener(name, letGo, { passive: true });
    return () => {
      for (const name of events) element.removeEventListener(name, letGo);
    };
  }, [scroller]);
  useEffect(() => {
    if (isFollowing) goingTo.current = null;
  }, [isFollowing]);
  useEffect(() => {
    if (isFinding && find.wanted !== '') return hideFound;
    return undefined;
  }, [isFinding, find.wanted]);
  return find;
}

/** Scrolls a range to a third of the view, unless it is in view. Returns whether it was. */
function scrollIntoView(scroller: HTMLElement, range: Range, scrollTo: (topPx: number) => void): boolean {
  const [view, found] = [scroller.getBoundingClientRect(), range.getBoundingClientRect()];
  if (found.top >= view.top + 20 && found.bottom <= view.bottom - 40) return true;
  scrollTo(scroller.scrollTop + found.top - view.top - view.height / 3);
  return false;
}
