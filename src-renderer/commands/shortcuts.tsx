import { Search, X } from 'lucide-react';
import { Fragment, useRef, useState, type KeyboardEvent } from 'react';
import type { GlobalShortcuts } from '../../src-preload/settings.ts';
import { useSession } from '../data/session-store.ts';
import { Dialog } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { keyName, keysOfAccelerator } from '../design/keyboard/platform.ts';
import { TextField } from '../design/form/text-field.tsx';
import { shortcutText } from '../messages/commands/shortcuts.ts';
import { commonText } from '../messages/common.ts';
import { windowKind } from '../navigation/route.ts';
import { useShell } from '../navigation/shell-store.ts';
import { keyLine, matchingShortcuts, shortcutsOf, type ShortcutGroup, type ShortcutLine } from './shortcut-list.ts';
import styles from './shortcuts.module.css';

/** How far a key scrolls the sheet, in parts of its height. */
const scrolls: Readonly<Record<string, number>> = { ArrowDown: 0.1, ArrowUp: -0.1, PageDown: 0.9, PageUp: -0.9 };

/** The sheet of all keys that this window has, opened with `?`. Typing searches it. */
export function Shortcuts() {
  const isOpen = useShell((state) => state.areShortcutsOpen);
  const globalShortcuts = useSession((state) => state.settings.globalShortcuts);
  const [text, setText] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const close = (): void => {
    useShell.getState().set({ areShortcutsOpen: false });
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const part = scrolls[event.key];
    if (part !== undefined) body.current?.scrollBy({ top: body.current.clientHeight * part });
    else if (event.key === 'Escape' && text !== '') setText('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const groups = matchingShortcuts([...shortcutsOf(windowKind()), ...globalGroup(globalShortcuts)], text);
  return (
    <Dialog
      title={shortcutText.title}
      isOpen={isOpen}
      onClose={close}
      width={1040}
      isText
      bodyRef={body}
      tools={
        <>
          <TextField
            className={styles.search}
            size="sm"
            aria-label={shortcutText.search}
            placeholder={shortcutText.search}
            icon={<Search size={14} strokeWidth={1.75} />}
            value={text}
            onChange={setText}
            onKeyDown={onKeyDown}
          />
          <IconButton label={commonText.close} icon={<X size={16} strokeWidth={1.75} />} onClick={close} />
        </>
      }
    >
      {groups.length === 0 && (
        <p className={styles.none} role="status">
          {shortcutText.noMatch(text.trim())}
        </p>
      )}
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{group.title}</h3>
            <dl className={styles.lines}>
              {group.lines.map((line) => (
                <div key={line.label} className={styles.line}>
                  <dt>{line.label}</dt>
                  <dd>
                    <Chords line={line} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The keys of a line, with "then" or "to" between them. For a range, only its ends are shown. */
function Chords({ line: { chords, join } }: { line: ShortcutLine }) {
  const shown = join === 'row' ? [chords.at(0) ?? [], chords.at(-1) ?? []] : chords;
  const word = join === 'each' ? null : join === 'next' ? shortcutText.thenNext : shortcutText.upTo;
  return (
    <>
      {shown.map((keys, at) => (
        <Fragment key={keys.join('+')}>
          {at > 0 && word !== null && (
            <span className={styles.join} aria-hidden>
              {word}
            </span>
          )}
          <Kbd keys={keys} />
        </Fragment>
      ))}
      <span className="visually-hidden">
        {shown.map((keys) => keys.map((key) => keyName(key)).join(' ')).join(word === null ? ', ' : ` ${word} `)}
      </span>
    </>
  );
}

/** The global shortcuts, as the user set them. None while they are off. */
function globalGroup({ isOn, open, newJob }: GlobalShortcuts): ShortcutGroup[] {
  if (!isOn) return [];
  return [
    {
      title: shortcutText.global.title,
      lines: [
        keyLine(shortcutText.global.open, keysOfAccelerator(open)),
        keyLine(shortcutText.global.newJob, keysOfAccelerator(newJob)),
      ],
    },
  ];
}
