import { shortcutText } from '../messages/commands/shortcuts.ts';
import type { WindowKind } from '../navigation/route.ts';

type Line = readonly [string, ...(readonly string[])[]];

/** The keys of one part of a window, each line with one or more chords. */
export interface ShortcutGroup {
  title: string;
  lines: readonly Line[];
}

/** Every key that has a function in a window of this kind (design language: Keyboard). */
export function shortcutsOf(kind: WindowKind['kind']): readonly ShortcutGroup[] {
  switch (kind) {
    case 'job':
      return [job, ownFields, anywhere, goToInMain, composer];
    case 'pod':
      return [pod, anywhere, goToInMain, composer];
    case 'template':
      return [template, anywhere, goToInMain, composer];
    case 'health':
    case 'sandbox':
    case 'tray':
      return [anywhere, goToInMain, composer];
    case 'main':
    case 'onboarding':
      return [anywhereInMain, list, job, goTo, composer, compare];
  }
}

const toSearch: Line = [shortcutText.anywhere.search, ['Ctrl', 'K']];
const toCompose: Line = [shortcutText.anywhere.newJob, ['N']];
const general: readonly Line[] = [
  [shortcutText.anywhere.refreshHealth, ['Ctrl', 'R']],
  [shortcutText.anywhere.latestMessage, ['F6']],
  [shortcutText.anywhere.preferences, ['Ctrl', ',']],
  [shortcutText.anywhere.zoom, ['Ctrl', '+'], ['Ctrl', '-'], ['Ctrl', '0']],
  [shortcutText.anywhere.escape, ['Esc']],
  [shortcutText.anywhere.shortcuts, ['?']],
];

const anywhere: ShortcutGroup = { title: shortcutText.anywhere.title, lines: [toSearch, toCompose, ...general] };

const anywhereInMain: ShortcutGroup = {
  title: shortcutText.anywhere.title,
  lines: [
    toSearch,
    toCompose,
    [shortcutText.anywhere.filter, ['/']],
    [shortcutText.anywhere.sidebar, ['Ctrl', 'B']],
    ...general,
  ],
};

/** What the user says of a job, and its deletion. */
const ownFields: ShortcutGroup = {
  title: shortcutText.ownFields.title,
  lines: [
    [shortcutText.ownFields.star, ['S']],
    [shortcutText.ownFields.markGoodOrBad, ['+'], ['-']],
    [shortcutText.ownFields.mark, ['Alt', '1'], ['Alt', '5']],
    [shortcutText.ownFields.judge, ['M']],
    [shortcutText.ownFields.label, ['L']],
    [shortcutText.ownFields.tag, ['T']],
    [shortcutText.ownFields.rename, ['F2']],
    [shortcutText.ownFields.delete, ['Del']],
  ],
};

const list: ShortcutGroup = {
  title: shortcutText.list.title,
  lines: [
    [shortcutText.list.move, ['J'], ['K']],
    [shortcutText.list.open, ['↵']],
    [shortcutText.list.openInOwnWindow, ['Shift', '↵']],
    [shortcutText.list.select, ['X']],
    [shortcutText.list.selectAll, ['Ctrl', 'A']],
    [shortcutText.list.extend, ['Shift', '↓'], ['Shift', '↑']],
    [shortcutText.list.compare, ['C']],
    ...ownFields.lines,
  ],
};

const job: ShortcutGroup = {
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
};

const goTo: ShortcutGroup = {
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
};

const goToInMain: ShortcutGroup = { title: shortcutText.goTo.inMainTitle, lines: goTo.lines };

const composer: ShortcutGroup = {
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
};

const compare: ShortcutGroup = {
  title: shortcutText.compare.title,
  lines: [
    [shortcutText.compare.nextDifference, ['F8'], ['Shift', 'F8']],
    [shortcutText.compare.nextPair, ['↵'], ['Shift', '↵']],
    [shortcutText.compare.retryCause, ['R']],
    [shortcutText.compare.muteCause, ['M']],
  ],
};

const pod: ShortcutGroup = {
  title: shortcutText.pod.title,
  lines: [
    [shortcutText.pod.read, ['F5']],
    [shortcutText.pod.find, ['Ctrl', 'F']],
    [shortcutText.pod.copyField, ['Ctrl', 'C']],
  ],
};

const template: ShortcutGroup = {
  title: shortcutText.template.title,
  lines: [
    [shortcutText.template.save, ['Ctrl', 'S']],
    [shortcutText.template.nextChange, ['Ctrl', 'D']],
    [shortcutText.template.undo, ['Ctrl', 'Z'], ['Ctrl', 'Shift', 'Z']],
  ],
};
