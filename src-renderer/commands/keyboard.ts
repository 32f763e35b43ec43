import { on } from '../bridge.ts';
import { undoLast } from '../design/toast.tsx';
import { isCovered, isPaletteSheetOnTop, isTyping } from '../design/keyboard/key-target.ts';
import { endSelectionOutside, selectPartAround } from '../design/keyboard/page-selection.ts';
import { useShell } from '../navigation/shell-store.ts';
import { hasChord, type Command } from './command.ts';
import { goCommands } from './go-commands.tsx';
import { marks, type Mark } from '../../src-preload/judgement.ts';
import { hasCommandKey } from '../design/keyboard/platform.ts';

/** The chord of a key press, as commands write it: `Ctrl+K`, `Shift+E`, `?`, `.`. */
export function chordOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const name = event.key === 'Enter' ? '↵' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isLetter = /^[A-Z]$/.test(name);
  // Shift is part of the chord of a letter and of a named key. In `?` it is implied.
  const hasShift = event.shiftKey && (isLetter || event.key.length > 1);
  return [hasCommandKey(event) && 'Ctrl', event.altKey && 'Alt', hasShift && 'Shift', name]
    .filter((part) => part !== false)
    .join('+');
}

/** What `markOfKey` reads of a key press. */
export type PressedKey = Pick<KeyboardEvent, 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** The mark for Alt and a digit, or null. By the key's position, because Alt changes the character on macOS. */
export function markOfKey(event: PressedKey): Mark | null {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  return marks.find((mark) => event.code === `Digit${mark}`) ?? null;
}

const sequenceMs = 1_200;
/** Keys that repeat while they are held: they move. A command runs once, however long its key is held. */
const mayBeHeld = /^(?:J|K|(?:Shift\+)?(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End))$/;

/** Where text is edited these are the field's own. */
const textChords: ReadonlySet<string> = new Set(['Ctrl+C', 'Ctrl+Z', 'Ctrl+Shift+Z']);

/** Handles a key press that is no text, with its chord as of `chordOf`. Returns whether it means something here. */
type KeyHandler = (chord: string, event: KeyboardEvent) => boolean;

/**
 * A window's keyboard (design language: Keyboard): the palette and the ways to other places in every window, the rest
 * by `handle`. Returns the function that stops listening.
 */
export function listenToKeys(handle: KeyHandler): () => void {
  let isAfterG = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** Whether the key that is held meant something when it was pressed. */
  let wasHandled = false;
  const endSequence = (): void => {
    isAfterG = false;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const chord = chordOf(event);
    if (event.repeat && !mayBeHeld.test(chord)) {
      // Enter would press a button again, also one that got the focus when a dialog closed.
      if (wasHandled || (chord === '↵' && !isTyping(event))) event.preventDefault();
      return;
    }
    press(chord, event);
    if (chord === 'Ctrl+A' && !event.defaultPrevented && !isTyping(event)) {
      selectPartAround(event.composedPath()[0]);
      event.preventDefault();
    }
    wasHandled = event.defaultPrevented;
  };
  const press = (chord: string, event: KeyboardEvent): void => {
    if (chord === 'Ctrl+K') {
      event.preventDefault();
      const shell = useShell.getState();
      if (shell.isPaletteOpen || !isCovered() || isPaletteSheetOnTop())
        shell.set({ isPaletteOpen: !shell.isPaletteOpen });
      return;
    }
    if (isCovered()) return;
    const isChordWithCommand = chord.startsWith('Ctrl+');
    const isText = textChords.has(chord) || !(isChordWithCommand || chord === 'F5');
    if (isTyping(event) && isText) return;

    if (isAfterG) {
      endSequence();
      const command = goCommands().find((one) => one.isSequence === true && one.keys?.[1] === chord);
      if (command !== undefined) {
        event.preventDefault();
        command.run();
        return;
      }
      // A slip of the finger: alone, the key might run the job again or cancel it.
      if (/^[^ G↵]$/.test(chord)) {
        event.preventDefault();
        return;
      }
    }
    if (chord === 'G') {
      isAfterG = true;
      timer = setTimeout(endSequence, sequenceMs);
      return;
    }
    if (handle(chord, event)) event.preventDefault();
  };
  const onPress = ({ target }: PointerEvent): void => endSelectionOutside(target);
  window.addEventListener('keydown', onKey);
  window.addEventListener('pointerdown', onPress);
  const endMenu = on('app:undo', () => void undoLast());
  return () => {
    endSequence();
    endMenu();
    window.removeEventListener('keydown', onKey);
    window.removeEventListener('pointerdown', onPress);
  };
}

/** Runs the command with this chord, unless it is not available now. Returns whether it ran. */
export function runByKeys(commands: readonly Command[], chord: string): boolean {
  const command = commands.find((one) => hasChord(one, chord) && one.refusal === undefined);
  if (command === undefined) return false;
  // If text is selected on the page, Ctrl C copies that.
  if (command.id === 'job.copy-output' && window.getSelection()?.isCollapsed === false) return false;
  command.run();
  return true;
}
