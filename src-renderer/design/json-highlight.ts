import { HighlightStyle } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** JSON in an editor: three low-chroma tints, so that syntax never reads as status (design tokens: Code). */
export const jsonHighlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--code-punct)' },
]);
