import { shortcutText } from '../messages/commands/shortcuts.ts';

type Line = readonly [string, ...(readonly string[])[]];

/** The keys of one part of the app, each line with one or more chords. */
export interface ShortcutGroup {
  title: string;
  lines: readonly Line[];
}

/** Every key that has a function (design language: Keyboard). */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: shortcutText.anywhere.title,
    lines: [
      [shortcutText.anywhere.search, ['Ctrl', 'K']],
      [shortcutText.anywhere.newJob, ['N']],
      [shortcutText.anywhere.filter, ['/']],
      [shortcutText.anywhere.sidebar, ['Ctrl', 'B']],
      [shortcutText.anywhere.refreshHealth, ['Ctrl', 'R']],
      [shortcutText.anywhere.latestMessage, ['F6']],
      [shortcutText.anywhere.preferences, ['Ctrl', ',']],
      [shortcutText.anywhere.zoom, ['Ctrl', '+'], ['Ctrl', '-'], ['Ctrl', '0']],
      [shortcutText.anywhere.escape, ['Esc']],
      [shortcutText.anywhere.shortcuts, ['?']],
    ],
  },
  {
    title: shortcutText.list.title,
    lines: [
      [shortcutText.list.move, ['J'], ['K']],
      [shortcutText.list.open, ['↵']],
      [shortcutText.list.openInOwnWindow, ['Shift', '↵']],
      [shortcutText.list.select, ['X']],
      [shortcutText.list.selectAll, ['Ctrl', 'A']],
      [shortcutText.list.extend, ['Shift', '↓'], ['Shift', '↑']],
      [shortcutText.list.compare, ['C']],
      [shortcutText.list.star, ['S']],
      [shortcutText.list.markGoodOrBad, ['+'], ['-']],
      [shortcutText.list.mark, ['Alt', '1'], ['Alt', '5']],
      [shortcutText.list.judge, ['M']],
      [shortcutText.list.label, ['L']],
      [shortcutText.list.tag, ['T']],
      [shortcutText.list.rename, ['F2']],
      [shortcutText.list.delete, ['Del']],
    ],
  },
  {
    title: shortcutText.job.title,
    lines: [
      [shortcutText.job.retry, ['R']],
      [shortcutText.job.edit, ['E']],
      [shortcutText.job.resubmit, ['Shift', 'E']],
      [shortcutText.job.cancel, ['.']],
      [shortcutText.job.copyOutput, ['Ctrl', 'C']],
      [shortcutText.job.copyCurl, ['Ctrl', 'Shift', 'C']],
      [shortcutText.job.tabs, ['1'], ['2'], ['3'], ['4'], ['5']],
      [shortcutText.job.followStream, ['F']],
      [shortcutText.job.find, ['Ctrl', 'F']],
      [shortcutText.job.nextHit, ['F3'], ['Shift', 'F3']],
      [shortcutText.job.copyPath, ['Ctrl', 'Shift', 'P']],
      [shortcutText.job.saveOutput, ['Ctrl', 'S']],
      [shortcutText.job.imageSize, ['+'], ['-']],
      [shortcutText.job.imageFit, ['0'], ['1']],
    ],
  },
  {
    title: shortcutText.goTo.title,
    lines: [
      [shortcutText.goTo.all, ['G'], ['A']],
      [shortcutText.goTo.active, ['G'], ['C']],
      [shortcutText.goTo.finishedToday, ['G'], ['D']],
      [shortcutText.goTo.failed, ['G'], ['F']],
      [shortcutText.goTo.starred, ['G'], ['S']],
      [shortcutText.goTo.savedView, ['G'], ['1']],
      [shortcutText.goTo.health, ['G'], ['H']],
      [shortcutText.goTo.failures, ['G'], ['E']],
      [shortcutText.goTo.pods, ['G'], ['P']],
      [shortcutText.goTo.templates, ['G'], ['T']],
      [shortcutText.goTo.sandbox, ['G'], ['B']],
    ],
  },
  {
    title: shortcutText.composer.title,
    lines: [
      [shortcutText.composer.submit, ['Ctrl', '↵']],
      [shortcutText.composer.submitAndStay, ['Ctrl', 'Shift', '↵']],
      [shortcutText.composer.input, ['Ctrl', '1']],
      [shortcutText.composer.policy, ['Ctrl', '2']],
      [shortcutText.composer.presets, ['Ctrl', 'P']],
      [shortcutText.composer.previousInputs, ['Ctrl', 'H']],
      [shortcutText.composer.fillFromCurl, ['Ctrl', 'Shift', 'V']],
      [shortcutText.composer.nextProblem, ['F8']],
      [shortcutText.composer.applyFix, ['Ctrl', '.']],
      [shortcutText.composer.indent, ['Ctrl', ']']],
      [shortcutText.composer.outdent, ['Ctrl', '[']],
      [shortcutText.composer.suggestedValue, ['Tab'], ['Esc']],
      [shortcutText.composer.leaveEditor, ['Tab']],
    ],
  },
  {
    title: shortcutText.compare.title,
    lines: [
      [shortcutText.compare.nextDifference, ['F8'], ['Shift', 'F8']],
      [shortcutText.compare.nextPair, ['↵'], ['Shift', '↵']],
      [shortcutText.compare.retryCause, ['R']],
      [shortcutText.compare.muteCause, ['M']],
    ],
  },
  {
    title: shortcutText.pods.title,
    lines: [
      [shortcutText.pods.readPod, ['F5']],
      [shortcutText.pods.saveTemplate, ['Ctrl', 'S']],
      [shortcutText.pods.nextChange, ['Ctrl', 'D']],
      [shortcutText.pods.undo, ['Ctrl', 'Z'], ['Ctrl', 'Shift', 'Z']],
    ],
  },
];
