import { completionStatus } from '@codemirror/autocomplete';
import { Prec, StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, keymap } from '@codemirror/view';
import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { cursorPlace } from './cursor-place.ts';

/** What is offered behind a colon where nothing is typed yet. */
export interface GhostValue {
  at: number;
  /** The value that most earlier inputs had, as JSON. */
  json: string;
  /** Another member follows: it wants a comma before it. */
  hasComma: boolean;
}

/** How far behind the cursor is looked for what follows. */
const behindChars = 2_000;
const nextMember = /^\s*"(?:[^"\\]|\\.)*"\s*:/;
const noValue = /^\s*(?:[,}]|$)/;

/** The value that earlier inputs mostly had under the key at the cursor, where none is typed; else null. Pure. */
export function ghostValueAt(text: string, cursor: number, { keys }: Pick<LearnedInputs, 'keys'>): GhostValue | null {
  // Only the key's colon is before it, so most positions are ruled out without reading the text.
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

/** Takes the ghost away until something is typed. */
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
    // Drawn by the style sheet: it is no text of the document, to copy or to read out.
    span.dataset['ghost'] = this.#json;
    return span;
  }
}

/**
 * Shows the value that most earlier inputs had behind the colon of a key: Tab accepts it, Escape hides it. `learned` is
 * asked at each change; null: nothing yet.
 */
export function ghostValues(learned: () => LearnedInputs | null): Extension {
  const find = (state: EditorState): GhostValue | null => {
    const inputs = learned();
    const { main } = state.selection;
    // The list of completions takes the same keys.
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
        // The sheet around the editor closes by the same key.
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
