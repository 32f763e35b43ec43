import { backKeys, forwardKeys } from '../design/keyboard/platform.ts';
import { shortcutText } from '../messages/commands/shortcuts.ts';
import type { WindowKind } from '../navigation/route.ts';

type Chord = readonly string[];

/** What keys do, and the keys: one or more chords. */
export interface ShortcutLine {
  label: string;
  chords: readonly Chord[];
  /** Each does its part, one is pressed after the other, or they are a row from the first to the last. */
  join: 'each' | 'next' | 'row';
}

/** The keys of one part of a window. */
export interface ShortcutGroup {
  title: string;
  lines: readonly ShortcutLine[];
}

/** A line of chords that each have a function of their own. */
export const keyLine = (label: string, ...chords: Chord[]): ShortcutLine => ({ label, chords, join: 'each' });
const afterG = (label: string, key: string): ShortcutLine => ({ label, chords: [['G'], [key]], join: 'next' });
const keyRow = (label: string, ...chords: Chord[]): ShortcutLine => ({ label, chords, join: 'row' });

/** The groups with the lines whose label or keys contain the text; all lines if the title contains it. Pure. */
export function matchingShortcuts(groups: readonly ShortcutGroup[], text: string): ShortcutGroup[] {
  const wanted = text.trim().toLowerCase();
  return groups.flatMap((group) => {
    if (group.title.toLowerCase().includes(wanted)) return [group];
    const lines = group.lines.filter(({ label, chords }) =>
      [label, chords.flat().join(' ')].some((each) => each.toLowerCase().includes(wanted)),
    );
    return lines.length === 0 ? [] : [{ ...group, lines }];
  });
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
      // In this order its three columns are about as high as each other.
      return [anywhereInMain, goTo, list, compare, job, composer];
  }
}

const toSearch = keyLine(shortcutText.anywhere.search, ['Ctrl', 'K']);
const toCompose = keyLine(shortcutText.anywhere.newJob, ['N']);
const general: readonly ShortcutLine[] = [
  keyLine(shortcutText.anywhere.undo, ['Ctrl', 'Z']),
  keyLine(shortcutText.anywhere.refreshHealth, ['Ctrl', 'R']),
  keyLine(shortcutText.anywhere.latestMessage, ['F6']),
  keyLine(shortcutText.anywhere.preferences, ['Ctrl', ',']),
  keyLine(shortcutText.anywhere.zoom, ['Ctrl', '+'], ['Ctrl', '-'], ['Ctrl', '0']),
  keyLine(shortcutText.anywhere.escape, ['Esc']),
  keyLine(shortcutText.anywhere.shortcuts, ['?']),
];

const anywhere: ShortcutGroup = { title: shortcutText.anywhere.title, lines: [toSearch, toCompose, ...general] };

const anywhereInMain: ShortcutGroup = {
  title: shortcutText.anywhere.title,
  lines: [
    toSearch,
    toCompose,
    keyLine(shortcutText.anywhere.filter, ['/']),
    keyLine(shortcutText.anywhere.sidebar, ['Ctrl', 'B']),
    keyLine(shortcutText.anywhere.backAndForward, backKeys, forwardKeys),
    ...general,
  ],
};

/** What the user says of a job, and its deletion. */
const ownFields: ShortcutGroup = {
  title: shortcutText.ownFields.title,
  lines: [
    keyLine(shortcutText.ownFields.star, ['S']),
    keyLine(shortcutText.ownFields.markGoodOrBad, ['+'], ['-']),
    keyRow(shortcutText.ownFields.mark, ['Alt', '1'], ['Alt', '5']),
    keyLine(shortcutText.ownFields.judge, ['M']),
    keyLine(shortcutText.ownFields.label, ['L']),
    keyLine(shortcutText.ownFields.tag, ['T']),
    keyLine(shortcutText.ownFields.rename, ['F2']),
    keyLine(shortcutText.ownFields.delete, ['Del']),
  ],
};

const list: ShortcutGroup = {
  title: shortcutText.list.title,
  lines: [
    keyLine(shortcutText.list.move, ['J'], ['K']),
    keyLine(shortcutText.list.open, ['↵']),
    keyLine(shortcutText.list.openInOwnWindow, ['Shift', '↵']),
    keyLine(shortcutText.list.select, ['X']),
    keyLine(shortcutText.list.selectAll, ['Ctrl', 'A']),
    keyLine(shortcutText.list.extend, ['Shift', '↓'], ['Shift', '↑']),
    keyLine(shortcutText.list.compare, ['C']),
    ...ownFields.lines,
  ],
};

const job: ShortcutGroup = {
  title: shortcutText.job.title,
  lines: [
    keyLine(shortcutText.job.retry, ['R']),
    keyLine(shortcutText.job.edit, ['E']),
    keyLine(shortcutText.job.resubmit, ['Shift', 'E']),
    keyLine(shortcutText.job.cancel, ['.']),
    keyLine(shortcutText.job.copyOutput, ['Ctrl', 'C']),
    keyLine(shortcutText.job.copyCurl, ['Ctrl', 'Shift', 'C']),
    keyRow(shortcutText.job.tabs, ['1'], ['2'], ['3'], ['4'], ['5']),
    keyLine(shortcutText.job.followStream, ['F']),
    keyLine(shortcutText.job.find, ['Ctrl', 'F']),
    keyLine(shortcutText.job.nextHit, ['F3'], ['Shift', 'F3']),
    keyLine(shortcutText.job.copyPath, ['Ctrl', 'Shift', 'P']),
    keyLine(shortcutText.job.saveOutput, ['Ctrl', 'S']),
    keyLine(shortcutText.job.imageSize, ['+'], ['-']),
    keyLine(shortcutText.job.imageFit, ['0'], ['1']),
  ],
};

const goTo: ShortcutGroup = {
  title: shortcutText.goTo.title,
  lines: [
    afterG(shortcutText.goTo.all, 'A'),
    afterG(shortcutText.goTo.active, 'C'),
    afterG(shortcutText.goTo.finishedToday, 'D'),
    afterG(shortcutText.goTo.failed, 'F'),
    afterG(shortcutText.goTo.starred, 'S'),
    afterG(shortcutText.goTo.savedView, '1'),
    afterG(shortcutText.goTo.health, 'H'),
    afterG(shortcutText.goTo.failures, 'E'),
    afterG(shortcutText.goTo.pods, 'P'),
    afterG(shortcutText.goTo.templates, 'T'),
    afterG(shortcutText.goTo.sandbox, 'B'),
    afterG(shortcutText.goTo.bin, 'X'),
  ],
};

const goToInMain: ShortcutGroup = { title: shortcutText.goTo.inMainTitle, lines: goTo.lines };

const composer: ShortcutGroup = {
  title: shortcutText.composer.title,
  lines: [
    keyLine(shortcutText.composer.submit, ['Ctrl', '↵']),
    keyLine(shortcutText.composer.submitAndStay, ['Ctrl', 'Shift', '↵']),
    keyLine(shortcutText.composer.input, ['Ctrl', '1']),
    keyLine(shortcutText.composer.policy, ['Ctrl', '2']),
    keyLine(shortcutText.composer.presets, ['Ctrl', 'P']),
    keyLine(shortcutText.composer.previousInputs, ['Ctrl', 'H']),
    keyLine(shortcutText.composer.fillFromCurl, ['Ctrl', 'Shift', 'V']),
    keyLine(shortcutText.composer.nextProblem, ['F8']),
    keyLine(shortcutText.composer.applyFix, ['Ctrl', '.']),
    keyLine(shortcutText.composer.indent, ['Ctrl', ']'], ['Ctrl', '[']),
    keyLine(shortcutText.composer.suggestedValue, ['Tab'], ['Esc']),
    keyLine(shortcutText.composer.leaveEditor, ['Tab']),
  ],
};

const compare: ShortcutGroup = {
  title: shortcutText.compare.title,
  lines: [
    keyLine(shortcutText.compare.nextDifference, ['F8'], ['Shift', 'F8']),
    keyLine(shortcutText.compare.nextPair, ['↵'], ['Shift', '↵']),
    keyLine(shortcutText.compare.retryCause, ['R']),
    keyLine(shortcutText.compare.muteCause, ['M']),
  ],
};

const pod: ShortcutGroup = {
  title: shortcutText.pod.title,
  lines: [
    keyLine(shortcutText.pod.read, ['F5']),
    keyLine(shortcutText.pod.find, ['Ctrl', 'F']),
    keyLine(shortcutText.pod.copyField, ['Ctrl', 'C']),
  ],
};

const template: ShortcutGroup = {
  title: shortcutText.template.title,
  lines: [
    keyLine(shortcutText.template.save, ['Ctrl', 'S']),
    keyLine(shortcutText.template.nextChange, ['Ctrl', 'D']),
    keyLine(shortcutText.template.undo, ['Ctrl', 'Z'], ['Ctrl', 'Shift', 'Z']),
  ],
};
