/*
 * Loaded into real Electron before the app (electron -r): keeps what the app tells the desktop, so that specs can read it,
 * and lets them click. The names are those of control-contract.ts.
 */
const {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  shell,
  Tray,
} = require('electron');

const notifications = [];
const dialogs = [];
const dialogAnswers = [];
const openedExternally = [];
const openedPaths = [];
const shownInFolder = [];
const imagePaths = new WeakMap();
let tray = null;

const { createFromPath } = nativeImage;
nativeImage.createFromPath = (path) => {
  const image = createFromPath(path);
  imagePaths.set(image, path);
  return image;
};

const { show } = Notification.prototype;
Notification.prototype.show = function () {
  if (!notifications.includes(this)) notifications.push(this);
  this.once('close', () => (this.isClosedForTests = true));
  return show.call(this);
};

/** Remembers the last value given to a method of Tray. */
for (const [method, key] of [
  ['setImage', 'image'],
  ['setToolTip', 'tooltip'],
  ['setTitle', 'title'],
  ['setContextMenu', 'menu'],
]) {
  const original = Tray.prototype[method];
  Tray.prototype[method] = function (value, ...rest) {
    if (tray?.instance !== this) tray = { instance: this };
    tray[key] = value;
    return original.call(this, value, ...rest);
  };
}

shell.openExternal = async (url) => void openedExternally.push(url);
shell.openPath = async (path) => (openedPaths.push(path), '');
shell.showItemInFolder = (path) => void shownInFolder.push(path);

const cancelled = {
  message: (options) => ({ response: options.cancelId ?? 0, checkboxChecked: false }),
  save: () => ({ canceled: true, filePath: '' }),
  open: () => ({ canceled: true, filePaths: [] }),
};
for (const [method, kind] of [
  ['showMessageBox', 'message'],
  ['showSaveDialog', 'save'],
  ['showOpenDialog', 'open'],
]) {
  dialog[method] = async (...args) => {
    const options = args.at(-1);
    const answer = dialogAnswers.length > 0 ? dialogAnswers.shift() : cancelled[kind](options);
    dialogs.push({ kind, options: JSON.parse(JSON.stringify(options)), answer });
    return answer;
  };
}
dialog.showErrorBox = (title, content) =>
  void dialogs.push({ kind: 'error', options: { title, content }, answer: null });

const pictureOf = (menu) =>
  (menu?.items ?? [])
    .filter((item) => item.visible)
    .map((item) => ({
      label: item.label,
      type: item.type,
      enabled: item.enabled,
      checked: item.checked,
      accelerator: item.accelerator ?? null,
      submenu: item.submenu ? pictureOf(item.submenu) : null,
    }));
const clickIn = (menu, [label, ...rest]) => {
  const item = menu?.items.find((one) => one.label === label && one.visible);
  if (!item) throw new Error(`The menu has no item "${label}".`);
  if (rest.length > 0) return clickIn(item.submenu, rest);
  if (!item.enabled) throw new Error(`The menu item "${label}" is disabled.`);
  item.click({}, BrowserWindow.getFocusedWindow() ?? undefined, undefined);
  return undefined;
};

globalThis.jobdeckRecorder = {
  windows: () =>
    BrowserWindow.getAllWindows().map((window) => ({
      id: window.id,
      targetId: null,
      url: window.webContents.getURL(),
      title: window.getTitle(),
      isVisible: window.isVisible(),
      isFocused: window.isFocused(),
      isMinimized: window.isMinimized(),
      isMaximized: window.isMaximized(),
      frames: window.webContents.mainFrame.framesInSubtree.length,
    })),
  notifications: () =>
    notifications.map((one) => ({
      title: one.title,
      subtitle: one.subtitle,
      body: one.body,
      isSilent: one.silent,
      icon: '',
      urgency: one.urgency,
      actions: (one.actions ?? []).map((action) => action.text ?? ''),
      isClosed: one.isClosedForTests === true,
    })),
  clickNotification: (index) => void notifications.at(index).emit('click', {}),
  tray: () =>
    tray === null || tray.instance.isDestroyed()
      ? null
      : {
          tooltip: tray.tooltip ?? '',
          title: tray.title ?? '',
          image: typeof tray.image === 'string' ? tray.image : (imagePaths.get(tray.image) ?? ''),
          menu: pictureOf(tray.menu),
        },
  clickTray: () => void tray.instance.emit('click', {}, tray.instance.getBounds(), { x: 0, y: 0 }),
  clickTrayItem: (path) => clickIn(tray?.menu, path),
  applicationMenu: () => pictureOf(Menu.getApplicationMenu()),
  clickMenuItem: (path) => clickIn(Menu.getApplicationMenu(), path),
  badge: () => app.getBadgeCount(),
  clipboard: () => clipboard.readText(),
  setClipboard: (text) => clipboard.writeText(text),
  openedExternally: () => openedExternally,
  openedPaths: () => openedPaths,
  shownInFolder: () => shownInFolder,
  dialogs: () => dialogs,
  answerDialog: (answer) => void dialogAnswers.push(answer),
  firePower: (event) => void powerMonitor.emit(event, {}),
  setSystemColorScheme: (scheme) => void (nativeTheme.themeSource = scheme),
  loginItem: () => app.getLoginItemSettings(),
  activate: () => void app.emit('activate', {}, false),
  closeWindow: (id) => BrowserWindow.fromId(id)?.close(),
};
