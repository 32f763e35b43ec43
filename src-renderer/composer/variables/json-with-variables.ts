import { jsonLanguage } from '@codemirror/lang-json';
import { LanguageSupport } from '@codemirror/language';
import {
  Decoration,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { checkableText, placeholdersIn } from './placeholders.ts';

/**
 * JSON in which a `{{name}}` outside a string is a value, so that what follows keeps its colours, brackets and folds.
 */
export const jsonWithVariables = new LanguageSupport(
  jsonLanguage.configure({
    wrap: (plain, input, fragments, ranges) => {
      const text = input.read(0, input.length);
      if (!text.includes('{{')) return plain;
      return jsonLanguage.parser.startParse(checkableText(text, placeholdersIn(text)), fragments, ranges);
    },
  }),
);

const matcher = new MatchDecorator({
  regexp: /\{\{\s{0,8}[A-Za-z_][\w-]{0,59}\s{0,8}\}\}/g,
  decoration: Decoration.mark({ class: 'cm-placeholder-mark' }),
});

class Marks {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = matcher.createDeco(view);
  }

  update(update: ViewUpdate): void {
    this.decorations = matcher.updateDeco(update, this.decorations);
  }
}

/** Draws a frame around each `{{name}}` in view. */
export const placeholderMarks = [
  ViewPlugin.fromClass(Marks, { decorations: (marks) => marks.decorations }),
  EditorView.theme({
    '.cm-placeholder-mark, .cm-placeholder-mark *': { color: 'var(--text-1)' },
    '.cm-placeholder-mark': {
      padding: '1px 3px',
      margin: '0 1px',
      borderRadius: '4px',
      background: 'var(--fill-3)',
      boxShadow: 'inset 0 0 0 1px var(--line-2)',
    },
  }),
];
