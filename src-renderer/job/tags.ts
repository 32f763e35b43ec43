const mostTags = 20;
const longestTag = 40;

/**
 * Reads tags typed with commas between them: trimmed, without doubles, in order. `problem` says why they cannot be
 * kept.
 */
export function readTags(text: string): { tags: string[]; problem: string | null } {
  const tags = [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ];
  const long = tags.find((tag) => tag.length > longestTag);
  if (long !== undefined) {
    return { tags, problem: `A tag has at most ${longestTag} characters: ${long.slice(0, 20)}…` };
  }
  if (tags.length > mostTags) return { tags, problem: `A job has at most ${mostTags} tags; these are ${tags.length}` };
  return { tags, problem: null };
}
