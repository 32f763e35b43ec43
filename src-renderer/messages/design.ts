/** The menus' names for screen readers. */
export const menuText = { menu: 'Menu' };

/** The button that opens the menu of a column. */
export const headMenuText = { menuOf: (column: string): string => `Menu of ${column}` };

/** A select without a choice. */
export const selectText = { none: 'none', choose: 'Choose' };

/** The bar that finds a text in what is shown. */
export const searchBarText = {
  previous: 'Previous match',
  next: 'Next match',
  close: 'Close the search',
};

/** What is shown instead of a part of the window that crashed. */
export const crashText = {
  couldNotShowWindow: 'Could not show this window',
  couldNotShow: (part: string): string => `Could not show ${part.charAt(0).toLowerCase()}${part.slice(1)}`,
  card: 'This card crashed. The rest of the page works, and your saved data is safe.',
  page: 'It crashed. Jobs are still tracked, and your saved data is safe.',
};

/** The parts of the window that lie over others, as `crashText.couldNotShow` names them. */
export const overlayText = { composer: 'The composer', settings: 'The settings' };

/** The window is opened by a browser instead of Jobdeck, or main does not answer it. */
export const bridgeText = {
  noBridge: 'This page is not running inside Jobdeck, so nothing can be asked of it.',
  noAnswer: 'Jobdeck could not answer. Saved jobs are not affected; try again, or restart Jobdeck.',
};
