import { Dialog } from '../design/dialog.tsx';
import { Kbd } from '../design/kbd.tsx';
import { useShell } from '../navigation/shell-store.ts';
import styles from './shortcuts.module.css';

type Line = readonly [string, ...(readonly string[])[]];

/** Every key that does something (design language: Keyboard). */
const groups: readonly { title: string; lines: readonly Line[] }[] = [
  {
    title: 'Anywhere',
    lines: [
      ['Search or run', ['Ctrl', 'K']],
      ['New job', ['N']],
      ['Filter the list', ['/']],
      ['Hide or show the sidebar', ['Ctrl', 'B']],
      ['Refresh health', ['Ctrl', 'R']],
      ['To the latest message, and back', ['F6']],
      ['Preferences', ['Ctrl', ',']],
      ['Clear, close, back', ['Esc']],
      ['All shortcuts', ['?']],
    ],
  },
  {
    title: 'List',
    lines: [
      ['Move', ['J'], ['K']],
      ['Open', ['↵']],
      ['Open in its own window', ['Shift', '↵']],
      ['Select', ['X']],
      ['Select all', ['Ctrl', 'A']],
      ['Extend the selection', ['Shift', '↓'], ['Shift', '↑']],
      ['Compare the selected', ['C']],
      ['Star', ['S']],
      ['Mark good, mark bad', ['+'], ['-']],
      ['Mark 1 to 5', ['Alt', '1'], ['Alt', '5']],
      ['Mark and label', ['M']],
      ['Label', ['L']],
      ['Tag', ['T']],
      ['Rename', ['F2']],
      ['Delete', ['Del']],
    ],
  },
  {
    title: 'Job',
    lines: [
      ['Retry or run again', ['R']],
      ['Resubmit with edits', ['E']],
      ['Resubmit unchanged', ['Shift', 'E']],
      ['Cancel job', ['.']],
      ['Copy output', ['Ctrl', 'C']],
      ['Copy as cURL', ['Ctrl', 'Shift', 'C']],
      ['Detail tabs', ['1'], ['2'], ['3'], ['4'], ['5']],
      ['Follow the stream', ['F']],
    ],
  },
  {
    title: 'Composer',
    lines: [
      ['Submit job', ['Ctrl', '↵']],
      ['Input', ['Ctrl', '1']],
      ['Policy', ['Ctrl', '2']],
      ['Presets', ['Ctrl', 'P']],
      ['Previous inputs', ['Ctrl', 'H']],
      ['Fill from a pasted cURL', ['Ctrl', 'Shift', 'V']],
      ['Next problem', ['F8']],
      ['Apply suggested fix', ['Ctrl', '.']],
      ['Indent', ['Ctrl', ']']],
      ['Outdent', ['Ctrl', '[']],
      ['Leave the editor', ['Tab']],
    ],
  },
  {
    title: 'Go to',
    lines: [
      ['All jobs', ['G'], ['A']],
      ['Active', ['G'], ['C']],
      ['Finished today', ['G'], ['D']],
      ['Failed', ['G'], ['F']],
      ['Starred', ['G'], ['S']],
      ['A saved view, by its place', ['G'], ['1']],
      ['Health', ['G'], ['H']],
      ['Failures by cause', ['G'], ['E']],
      ['Pods', ['G'], ['P']],
      ['Templates', ['G'], ['T']],
      ['Sandbox', ['G'], ['B']],
    ],
  },
];

/** The map of all keys, under `?`. */
export function Shortcuts() {
  const isOpen = useShell((state) => state.areShortcutsOpen);
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      onClose={() => useShell.getState().set({ areShortcutsOpen: false })}
      width={680}
      isText
    >
      <div className={styles.groups}>
        {groups.map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{group.title}</h3>
            <dl className={styles.lines}>
              {group.lines.map(([label, ...chords]) => (
                <div key={label} className={styles.line}>
                  <dt>{label}</dt>
                  <dd>
                    {chords.map((keys) => (
                      <Kbd key={keys.join('+')} keys={keys} />
                    ))}
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
