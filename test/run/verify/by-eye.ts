/**
 * What no run proves, because the specs fire the events of the desktop themselves and answer its dialogs: a person has
 * to look.
 */
export const byEye: readonly string[] = [
  'The tray as it is drawn: icon, tooltip (on Windows with an ampersand in a name), menu, the popover beside it.',
  'Notifications as they are drawn, and clicks on them and on their buttons, also after a restart. On macOS and Windows ' +
    'the specs go on if the system refuses them, so that somebody must see one there. On macOS also whether they are ' +
    'still in the Notification Center when Jobdeck has quit.',
  'Dialogs for files, and questions over a window; on Windows and macOS a dialog whose window closes.',
  'Progress and overlay on dock, launcher and task bar.',
  'Links from a browser, starting at login, sleep, and the end of a session.',
  'Global shortcuts, pressed in another program.',
  'The installed package: signed, notarised, updated.',
];
