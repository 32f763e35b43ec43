import { json } from '@codemirror/lang-json';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonWithVariables } from '../../../../../src-renderer/composer/variables/json-with-variables.ts';

/** Each leaf of the tree and its text, such as `PropertyName "steps"`. */
function leaves(state: EditorState): string[] {
  const found: string[] = [];
  ensureSyntaxTree(state, state.doc.length, 5_000)?.iterate({
    enter: ({ name, from, to, node }) => {
      if (node.firstChild === null) found.push(`${name} ${state.sliceDoc(from, to)}`);
    },
  });
  return found;
}

const opened = (doc: string): EditorState => EditorState.create({ doc, extensions: jsonWithVariables });

test('a key after an unquoted variable is a key', () => {
  const found = leaves(opened('{\n  "seed": {{seed}},\n  "steps": "20",\n  "list": [{{one}}, true]\n}'));
  expect(found).toContain('PropertyName "steps"');
  expect(found).toContain('String "20"');
  expect(found).toContain('PropertyName "list"');
  expect(found).toContain('True true');
  expect(found.filter((leaf) => leaf.startsWith('⚠'))).toEqual([]);
});

test('a variable within a string is part of it', () => {
  expect(leaves(opened('{"a": "x {{seed}} y"}'))).toContain('String "x {{seed}} y"');
});

test('JSON without variables is read as always', () => {
  const doc = '{"a": {"b": [1, 2, {"c": null}]}, "d": tru';
  expect(leaves(opened(doc))).toEqual(leaves(EditorState.create({ doc, extensions: json() })));
});

test('after any edits the tree matches the text', () => {
  const part = fc.constantFrom('{', '}', '"', '{{seed}}', '"key": ', ', ', '[1]', '\n', 'true', ' ');
  const edit = fc.record({ at: fc.nat(1_000), removed: fc.nat(6), insert: part });
  const line = '  "title": "A {{object}}, 35 mm", "seed": {{seed}}, "steps": [20, {"b": false}], ';
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      let state = opened(`{\n${line.repeat(10)}}`);
      for (const { at, removed, insert } of edits) {
        const from = Math.min(at, state.doc.length);
        const to = Math.min(from + removed, state.doc.length);
        state = state.update({ changes: { from, to, insert } }).state;
        expect(leaves(state)).toEqual(leaves(opened(state.doc.toString())));
      }
    }),
    { numRuns: 40 },
  );
});
