import { HighlightStyle, StreamLanguage } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** What a line before opened and has not closed. */
interface MarkdownState {
  isInFence: boolean;
}

/**
 * Markdown as an editor shows it, line by line: headings, quotes, list marks, code, emphasis and links. The preview has
 * a full parser; this one only distinguishes text from marks.
 */
export const markdownMode = StreamLanguage.define<MarkdownState>({
  name: 'markdown',
  startState: () => ({ isInFence: false }),
  token(stream, state) {
    if (stream.sol()) {
      if (stream.match(/^\s*(?:```|~~~)/)) {
        state.isInFence = !state.isInFence;
        stream.skipToEnd();
        return 'monospace';
      }
      if (state.isInFence) {
        stream.skipToEnd();
        return 'monospace';
      }
      if (stream.match(/^#{1,6}\s/)) {
        stream.skipToEnd();
        return 'heading';
      }
      if (stream.match(/^\s*(?:>+|[-*+]|\d+[.)])\s/)) return 'punctuation';
    }
    if (stream.match(/^`[^`]+`/)) return 'monospace';
    if (stream.match(/^(\*\*|__)(?=\S).+?\1/)) return 'strong';
    if (stream.match(/^!?\[[^\]]*\]\([^)]*\)/)) return 'link';
    if (stream.eat('|')) return 'punctuation';
    stream.next();
    stream.eatWhile(/[^`*_![|]/);
    return null;
  },
});

/** Marks by weight and the three colours of code, so that nothing looks like a status (design tokens: Code). */
export const markdownHighlight = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--text-1)', fontWeight: '600' },
  { tag: tags.strong, color: 'var(--text-1)', fontWeight: '600' },
  { tag: tags.monospace, color: 'var(--code-string)' },
  { tag: tags.link, color: 'var(--code-number)' },
  { tag: tags.punctuation, color: 'var(--code-punct)' },
]);
