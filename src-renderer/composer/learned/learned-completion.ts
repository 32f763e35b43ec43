import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  selectedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { Prec, type Extension } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';
import type { LearnedInputs, LearnedKey } from '../../../src-preload/learned.ts';
import { learnedText, keyText } from '../../messages/composer/input.ts';
import { cursorPlace, type CursorPlace } from './cursor-place.ts';
import { learnedTheme } from './learned-theme.ts';

/** The panel about a key, beside the list of keys. CodeMirror needs a DOM node, not a component. */
function keyPanel(key: LearnedKey, jobs: number): HTMLElement {
  const panel = element('div', 'learned');
  panel.append(element('div', 'learned-name', key.path.join('.')), element('p', 'learned-kind', keyText(key)));
  const max = key.values[0]?.count ?? 1;
  for (const { json, count } of key.values) {
    const row = element('div', 'learned-value');
    const bar = element('i', 'learned-bar');
    bar.style.width = `${Math.max(3, (count / max) * 100)}%`;
    const track = element('span', 'learned-track');
    track.append(bar);
    row.append(element('code', 'learned-json', json), track, element('span', 'learned-count', String(count)));
    panel.append(row);
  }
  panel.append(element('p', 'learned-foot', `${learnedText.learnedFrom(jobs)}. ${learnedText.howToInsert}`));
  return panel;
}

function element(tag: 'div' | 'p' | 'i' | 'span' | 'code', name: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The key of each completion. Tab inserts it with its most frequent value. */
const offeredKeys = new WeakMap<Completion, LearnedKey>();
const maxOffered = 40;

/**
 * Offers keys and values of earlier inputs while an input is typed. `learned` is called at each key press; null:
 * nothing is known yet.
 */
export function learnedCompletion(learned: () => LearnedInputs | null): Extension {
  return [
    autocompletion({
      override: [(context) => offersAt(context, learned())],
      icons: false,
      defaultKeymap: true,
      closeOnBlur: true,
      maxRenderedOptions: maxOffered,
    }),
    Prec.highest(
      keymap.of([
        { key: 'Tab', run: takeWithValue },
        // The same key closes the sheet around the editor.
        { key: 'Escape', run: closeCompletion, stopPropagation: true },
      ]),
    ),
    learnedTheme,
  ];
}

function offersAt({ state, pos, explicit }: CompletionContext, learned: LearnedInputs | null): CompletionResult | null {
  if (learned === null || learned.keys.length === 0) return null;
  const place = cursorPlace(state.doc.toString(), pos);
  if (place === null || pos < place.from || (!explicit && pos === place.from && !place.isQuoted)) return null;
  const options = place.kind === 'key' ? keysAt(place, learned) : valuesAt(place, learned);
  return options.length === 0 ? null : { from: place.from, options, validFor: /^[^",:{}[\]\n]*$/ };
}

function keysAt({ path, taken }: CursorPlace, { keys, jobs }: LearnedInputs): Completion[] {
  return keys
    .filter((key) => isUnder(key.path, path) && !taken.has(key.path.at(-1) ?? ''))
    .map((key, at) => {
      const option: Completion = {
        label: key.path.at(-1) ?? '',
        detail: key.types[0] ?? '',
        boost: -at,
        info: () => keyPanel(key, jobs),
        apply: (view) => takeKey(view, key, false),
      };
      offeredKeys.set(option, key);
      return option;
    });
}

function isUnder(path: readonly string[], parent: readonly string[]): boolean {
  return path.length === parent.length + 1 && parent.every((name, at) => path[at] === name);
}

function valuesAt({ path }: CursorPlace, { keys, jobs }: LearnedInputs): Completion[] {
  const key = keys.find((each) => each.path.length === path.length && path.every((name, at) => each.path[at] === name));
  return (key?.values ?? []).map(({ json, count }, at) => ({
    label: json.startsWith('"') ? String(JSON.parse(json)) : json,
    detail: learnedText.countOf(count, jobs),
    boost: -at,
    apply: (view: EditorView) => takeValue(view, json),
  }));
}

function takeWithValue(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false;
  const selected = selectedCompletion(view.state);
  const key = selected === null ? undefined : offeredKeys.get(selected);
  if (key === undefined) return acceptCompletion(view);
  takeKey(view, key, true);
  return true;
}

/** Inserts a key with its colon instead of the typed part and, if wanted, its most frequent value. */
function takeKey(view: EditorView, key: LearnedKey, isWithValue: boolean): void {
  const text = view.state.doc.toString();
  const place = cursorPlace(text, view.state.selection.main.head);
  if (place === null) return;
  const from = place.isQuoted ? place.from - 1 : place.from;
  const behind = text.slice(place.to);
  const name = JSON.stringify(key.path.at(-1) ?? '');
  const hasColon = /^\s*:/.test(behind);
  const value = isWithValue && !hasColon ? (key.values[0]?.json ?? emptyValue(key)) : '';
  // Another member follows and needs a comma before it.
  const comma = value !== '' && /^\s*"/.test(behind) ? ',' : '';
  const insert = hasColon ? name : `${name}: ${value}${comma}`;
  view.dispatch({
    changes: { from, to: place.to, insert },
    selection: { anchor: from + insert.length - comma.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
  closeCompletion(view);
  if (!hasColon && !isWithValue) startCompletion(view);
}

function emptyValue({ types }: LearnedKey): string {
  return { string: '""', number: '0', boolean: 'true', null: 'null', list: '[]', object: '{}' }[types[0] ?? 'null'];
}

function takeValue(view: EditorView, json: string): void {
  const place = cursorPlace(view.state.doc.toString(), view.state.selection.main.head);
  if (place === null) return;
  const from = place.isQuoted ? place.from - 1 : place.from;
  view.dispatch({
    changes: { from, to: place.to, insert: json },
    selection: { anchor: from + json.length },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
  closeCompletion(view);
}
