import { completionStatus } from '@codemirror/autocomplete';
import { Prec, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, keymap } from '@codemirror/view';
import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { cursorPlace } from './cursor-place.ts';

/** The suggestion after a colon with no value yet. */
export interface GhostValue {
  at: number;
  /** The value of most earlier inputs, as JSON. */
  json: string;
  /** Whether another member follows, so that a comma is needed. */
  hasComma: boolean;
}

/** How many characters after the cursor are searched for the next member. */
const behindChars = 2_000;
const nextMember = /^\s*"(?:[^"\\]|\\.)*"\s*:/;
const noValue = /^\s*(?:[,}]|$)/;

/** The value that most earlier inputs have for the key before the cursor. Null if a value was typed. Pure. */
export function ghostValueAt(text: string, cursor: number, { keys }: Pick<LearnedInputs, 'keys'>): GhostValue | null {
  // A colon must precede it. This excludes most positions without reading the text.
  if (!/:\s?$/.test(text.slice(Math.max(0, cursor - 2), cursor))) return null;
  const place = cursorPlace(text, cursor);
  if (place === null || place.kind !== 'value' || place.isQuoted || place.from !== cursor || place.to !== cursor)
    return null;
  const { path } = place;
  const key = keys.find((each) => each.path.length === path.length && path.every((name, at) => each.path[at] === name));
  const json = key?.values[0]?.json;
  const behind = text.slice(cursor, cursor + behindChars);
  const hasComma = nextMember.test(behind);
  return json === undefined || !(hasComma || noValue.test(behind)) ? null : { at: cursor, json, hasComma };
}

/** Hides the suggestion until something is typed. */
const hideGhost = StateEffect.define();

class GhostWidget extends WidgetType {
  readonly #json: string;

  constructor(json: string) {
    super();
    this.#json = json;
  }

  override eq(other: GhostWidget): boolean {
    return other.#json === this.#json;
  }

  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.className = 'cm-ghost';
    // The style sheet draws it, so it is not part of the text that is copied or read out.
    span.dataset['ghost'] = this.#json;
    return span;
  }
}

/**
 * Shows the value of most earlier inputs after the colon of a key. Tab accepts it, Escape hides it. `learned` is called
 * at each change and returns null while nothing is known.
 */
export function ghostValues(learned: () => LearnedInputs | null): Extension {
  const find = (state: EditorState): GhostValue | null => {
    const inputs = learned();
    const { main } = state.selection;
    // The list of completions uses the same keys.
    if (inputs === null || !main.empty || completionStatus(state) !== null) return null;
    return ghostValueAt(state.doc.toString(), main.head, inputs);
  };
  const field = StateField.define<{ ghost: GhostValue | null; isHidden: boolean }>({
    create: () => ({ ghost: null, isHidden: false }),
    update: (value, transaction) => {
      const isHidden = (value.isHidden && !transaction.docChanged) || transaction.effects.some((e) => e.is(hideGhost));
      return { ghost: isHidden ? null : find(transaction.state), isHidden };
    },
    provide: (self) =>
      EditorView.decorations.from(self, ({ ghost }) =>
        ghost === null
          ? Decoration.none
          : Decoration.set(Decoration.widget({ widget: new GhostWidget(ghost.json), side: 1 }).range(ghost.at)),
      ),
  });
  const ghostOf = (view: EditorView): GhostValue | null => view.state.field(field).ghost;
  const accept = (view: EditorView): boolean => {
    const ghost = ghostOf(view);
    if (ghost === null) return false;
    const { at, json, hasComma } = ghost;
    view.dispatch({
      changes: { from: at, insert: `${json}${hasComma ? ',' : ''}` },
      selection: { anchor: at + json.length },
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    return true;
  };
  const hide = (view: EditorView): boolean => {
    if (ghostOf(view) === null) return false;
    view.dispatch({ effects: hideGhost.of(null) });
    return true;
  };
  return [
    field,
    Prec.high(
      keymap.of([
        { key: 'Tab', run: accept },
        // The same key would close the sheet around the editor.
        { key: 'Escape', run: hide, stopPropagation: true },
      ]),
    ),
    ghostTheme,
  ];
}

const ghostTheme = EditorView.theme({
  '.cm-ghost::after': {
    content: 'attr(data-ghost)',
    color: 'var(--text-3)',
    pointerEvents: 'none',
  },
});
