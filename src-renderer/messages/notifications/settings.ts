import { formatCount, formatMinute } from '../../../src-preload/format.ts';

/** The page of the settings about notifications. */
export const notificationSettingsText = {
  title: 'Notifications',
  sendTest: 'Send a test',
  testNotShown: 'Your system shows no notifications. They are listed under the bell.',
  lead: 'Each outcome notifies once. More than three within 5 s become one, and batches notify once, when they end.',
  badge: 'Badge on the tray and dock for unseen failures',
  badgeHint: 'Cleared when you have seen the jobs, or marked all notifications as seen',
  details: 'Show titles and errors in system notifications',
  detailsHint: 'Off: “A job failed on llm-70b”, for shared screens',
  keptFor: 'Notifications are kept for',
  keptForHint: 'Unseen ones are kept for 365 days',
  keptDays: 'Days that notifications are kept',
  dayUnit: (days: number): string => (days === 1 ? 'day' : 'days'),
};

/** Why a typed value is not accepted. */
export const typedProblems = {
  time: 'Enter a time such as 22:00',
  sameTime: 'Start and end must differ',
  whole: (max: number): string => `From 1 to ${formatCount(max)}`,
};

export const quietHoursText = {
  title: 'Quiet hours',
  hint: 'Held until they end, then sent as one',
  from: 'From',
  fromField: 'Quiet from',
  to: 'to',
  toField: 'Quiet until',
  everyDay: 'every day',
  letThrough: 'Let alerts with sound through',
  /** Every quarter of a day. */
  scale: ['0:00', '6:00', '12:00', '18:00', '24:00'],
};

/** Do not disturb, and for how long. */
export const undisturbedText = {
  card: 'Do not disturb and digest',
  title: 'Do not disturb',
  hint: 'Listed under the bell, not shown by the desktop',
  until: (atMs: number): string => `Listed only until ${formatMinute(atMs)}`,
  howLong: 'How long',
  hour: '1 h',
  evening: 'Until 18:00',
  on: 'Until I turn it off',
};

export const digestText = {
  title: 'Digest',
  every: 'Sent together every',
  minutes: 'Minutes per digest',
  unit: 'min',
  next: (atMs: number, count: number): string => `next ${formatMinute(atMs)}, ${formatCount(count)} so far`,
  alertsToo: 'Include alerts',
};

/** The table of the rules. */
export const rulesText = {
  title: 'Rules',
  hint: 'The lowest rule that matches wins',
  change: 'Change the rule',
  changeOf: (name: string): string => `Change the rule for ${name}`,
  allEndpoints: 'All endpoints',
  /** `name` is the name of an endpoint or tag. */
  cell: (name: string, outcome: string): string => `${name}, ${outcome}`,
  cellValue: (cell: string, choice: string): string => `${cell}: ${choice}`,
  asAbove: 'As above',
  moveUp: 'Move up',
  isFirst: 'It is already the first',
  moveDown: 'Move down',
  isLast: 'It is already the last',
  delete: 'Delete rule',
  deleted: (name: string): string => `Deleted the rule for ${name}`,
  add: 'Rule for an endpoint or tag',
  aTag: 'A tag',
  tag: 'Tag',
  tagField: 'Tag of the rule',
  addTag: 'Add rule',
  tagName: (tag: string): string => `tag: ${tag}`,
};
