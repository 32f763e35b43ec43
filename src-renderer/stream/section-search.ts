import type { MarkdownSections } from './markdown-sections.ts';
import { readableText } from './readable-text.ts';
import { laidOutPattern, maxMatches, type TextSearch } from './text-search.ts';

/**
 * Searches for `wanted` in the visible text of markdown, section by section. The place of a match is that of its
 * section plus the number of matches before it there, so that places ascend and `sectionAt` finds the section.
 */
export function createSectionSearch(sections: MarkdownSections, wanted: string): TextSearch {
  const matches: number[] = [];
  const pattern = laidOutPattern(wanted);
  let next = 0;
  let searchedChars = 0;
  return {
    wantedChars: wanted.length,
    matches,
    get isDone() {
      return wanted.trim() === '' || searchedChars === sections.length || matches.length >= maxMatches;
    },
    step() {
      const start = sections.startOf(next);
      // The last section was searched before it was full.
      while ((matches.at(-1) ?? -1) >= start) matches.pop();
      let count = 0;
      for (const block of sections.blocksOf(next))
        for (const _match of readableText(block).matchAll(pattern)) {
          matches.push(start + count);
          count += 1;
        }
      searchedChars = sections.startOf(next + 1);
      if (next < sections.count - 1) next += 1;
    },
  };
}

/** The index of a match within its section, from 0. */
export function numberInSection(sections: MarkdownSections, place: number): { section: number; number: number } {
  const section = sections.sectionAt(place);
  return { section, number: place - sections.startOf(section) };
}
