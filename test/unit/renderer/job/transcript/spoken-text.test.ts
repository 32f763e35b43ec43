import { describe, expect, test } from 'vitest';
import { segmentWith, spokenTextOf } from '../../../../../src-renderer/job/transcript/spoken-text.ts';
import { createTextSearch, partsOfRow } from '../../../../../src-renderer/stream/text-search.ts';

const said = (...texts: string[]) => ({ parts: texts.map((text) => ({ text, isUnsure: false })) });

describe('the text of a transcript', () => {
  const spoken = spokenTextOf([said('The queue ', 'grew.'), said('No worker.'), said('A queue again.')]);

  test('has a line for each segment, with all of its parts', () => {
    expect(spoken.segments).toEqual(['The queue grew.\n', 'No worker.\n', 'A queue again.\n']);
    expect(spoken.starts).toEqual([0, 16, 27]);
  });

  test('leads from a match to its segment, even one over two parts, and from none over two segments', () => {
    const find = (wanted: string) => {
      const search = createTextSearch(spoken, wanted);
      while (!search.isDone) search.step();
      return search;
    };
    expect(find('QUEUE').matches.map((place) => segmentWith(spoken, place))).toEqual([0, 2]);
    expect(find('queue grew').matches.map((place) => segmentWith(spoken, place))).toEqual([0]);
    expect(find('grew. No').matches).toEqual([]);
    // Each part is marked from its own place.
    expect(partsOfRow('grew.', 10, find('queue grew'))).toEqual([
      { text: 'grew', match: 0 },
      { text: '.', match: null },
    ]);
  });
});
