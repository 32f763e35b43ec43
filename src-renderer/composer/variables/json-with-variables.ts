import { jsonLanguage } from '@codemirror/lang-json';
import { LanguageSupport } from '@codemirror/language';
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
