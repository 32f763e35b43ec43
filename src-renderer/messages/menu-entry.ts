/** An AppImage in the desktop's menu of applications. */
export const menuEntryText = {
  name: 'In the applications menu',
  hint: 'This AppImage is not installed. Adds it to the menu, and makes it the program that opens jobdeck:// links',
};
