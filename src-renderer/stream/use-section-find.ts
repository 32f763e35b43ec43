import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { hideFound, rangesIn, showFound } from './found-ranges.ts';
import type { MarkdownSections } from './markdown-sections.ts';
import { createSectionSearch, numberInSection } from './section-search.ts';
import type { TextSearch } from './text-search.ts';
import { useFinding, type Finding } from './use-finding.ts';

interface Options {
  sections: MarkdownSections;
  /** Changes whenever more of the text was cut. */
  version: unknown;
  isFinding: boolean;
  scroller: RefObject<HTMLElement | null>;
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
 * A search through formatted text. Matches are highlighted where they are drawn, and the current one is scrolled into
 * view when its section is drawn.
 */
export function useSectionFind(options: Options): Finding<TextSearch> {
  const { sections, version, isFinding, scroller, sectionInView, showSection, isDrawn, scrollTo, onGo } = options;
  const goingTo = useRef<number | null>(null);
  const createSearch = useCallback((wanted: string) => createSectionSearch(sections, wanted), [sections]);
  const find = useFinding(
    createSearch,
    version,
    () => sections.startOf(sectionInView()),
    ({ matches }, at) => {
      goingTo.current = matches[at] ?? 0;
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
    if (goingTo.current === null || goingTo.current !== current || at === null) return;
    if (!isDrawn(at.section)) {
      showSection(at.section);
      return;
    }
    goingTo.current = null;
    if (currentRange !== null) scrollIntoView(element, currentRange, scrollTo);
  });
  useEffect(() => {
    if (isFinding && find.wanted !== '') return hideFound;
    return undefined;
  }, [isFinding, find.wanted]);
  return find;
}

/** Scrolls a range to a third of the view, unless it is in view. */
function scrollIntoView(scroller: HTMLElement, range: Range, scrollTo: (topPx: number) => void): void {
  const [view, found] = [scroller.getBoundingClientRect(), range.getBoundingClientRect()];
  if (found.top < view.top + 20 || found.bottom > view.bottom - 40)
    scrollTo(scroller.scrollTop + found.top - view.top - view.height / 3);
  else scrollTo(scroller.scrollTop);
}
