type Line = readonly [string, ...(readonly string[])[]];

/** The keys of one part of the app, each line with one or more chords. */
export interface ShortcutGroup {
  title: string;
  lines: readonly Line[];
}

/** Every key that has a function (design language: Keyboard). */
export const shortcutGroups: readonly ShortcutGroup[] = [
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
      ['Zoom in, out, actual size', ['Ctrl', '+'], ['Ctrl', '-'], ['Ctrl', '0']],
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
      ['Find in the input, output or reply', ['Ctrl', 'F']],
      ['Next and previous hit', ['F3'], ['Shift', 'F3']],
      ['Copy the path of a JSON value', ['Ctrl', 'Shift', 'P']],
      ['Save the output', ['Ctrl', 'S']],
      ['An enlarged image: larger, smaller', ['+'], ['-']],
      ['An enlarged image: fit, full size', ['0'], ['1']],
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
  {
    title: 'Composer',
    lines: [
      ['Submit job', ['Ctrl', '↵']],
      ['Submit and keep the sheet open', ['Ctrl', 'Shift', '↵']],
      ['Input', ['Ctrl', '1']],
      ['Policy', ['Ctrl', '2']],
      ['Presets', ['Ctrl', 'P']],
      ['Previous inputs', ['Ctrl', 'H']],
      ['Fill from a pasted cURL', ['Ctrl', 'Shift', 'V']],
      ['Next problem', ['F8']],
      ['Apply suggested fix', ['Ctrl', '.']],
      ['Indent', ['Ctrl', ']']],
      ['Outdent', ['Ctrl', '[']],
      ['Accept, hide a suggested value', ['Tab'], ['Esc']],
      ['Leave the editor', ['Tab']],
    ],
  },
  {
    title: 'Compare and failures',
    lines: [
      ['Next and previous difference', ['F8'], ['Shift', 'F8']],
      ['Next and previous pair of two batches', ['↵'], ['Shift', '↵']],
      ['Retry all of a cause', ['R']],
      ['Mute a cause', ['M']],
    ],
  },
  {
    title: 'Pods and templates',
    lines: [
      ['Read the pod again', ['F5']],
      ['Save the template', ['Ctrl', 'S']],
      ['Next change', ['Ctrl', 'D']],
      ['Undo and redo an edit', ['Ctrl', 'Z'], ['Ctrl', 'Shift', 'Z']],
    ],
  },
];
