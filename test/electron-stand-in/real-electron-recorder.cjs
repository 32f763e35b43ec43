/*
 * Loaded into real Electron before the app (electron -r): keeps what the app tells the desktop, so that specs can read it,
 * and lets them click. The names are those of control-contract.ts.
 */
const {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  session,
  shell,
  Tray,
  webContents,
} = require('electron');

// What a bench wants in main before the app's first line. Playwright takes NODE_OPTIONS away.
if (process.env.JOBDECK_RECORDER_LOADS) require(process.env.JOBDECK_RECORDER_LOADS);

const notifications = [];
const dialogs = [];
const dialogAnswers = [];
/** Dialogs whose answer was 'stays open', oldest first: each gets its answer when the test gives it. */
const openDialogs = [];
const downloads = [];
const shortcuts = new Map();
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

const start = { mainBegunMs: Date.now(), windowShownMs: 0, firstAnswers: {} };
const brokenAnswers = new Map();
const powerSaveBlockers = new Map();

const drawsActions = process.platform === 'darwin' || process.platform === 'win32';

/** What the desktop answered. */
const answers = { shown: 0, refused: [] };
const { show } = Notification.prototype;
Notification.prototype.show = function () {
  if (!notifications.includes(this)) {
    notifications.push(this);
    this.once('show', () => (answers.shown += 1));
    // macOS and Windows show none before a person allowed it, and where the specs run there may be no person. They test
    // what the app asks for and does after a click. What the desktop answered is tested by a spec of its own.
    if (drawsActions) this.removeAllListeners('failed');
    this.once('failed', (_event, error) => {
      answers.refused.push(error);
      // A Linux desktop that refuses it shows none, whatever the app asked for.
      if (!drawsActions) notifications.splice(notifications.indexOf(this), 1);
    });
    this.once('close', () => (this.isClosedForTests = true));
  }
  return show.call(this);
};

/** What each window's icon shows: Electron cannot be asked. */
const iconsOf = new WeakMap();
const iconOf = (window) => {
  if (!iconsOf.has(window)) iconsOf.set(window, { progress: -1, mode: 'normal', overlay: null });
  return iconsOf.get(window);
};
for (const [method, note] of [
  ['setProgressBar', (icon, progress, { mode = 'normal' } = {}) => Object.assign(icon, { progress, mode })],
  ['setOverlayIcon', (icon, image, words) => Object.assign(icon, { overlay: image === null ? null : words })],
]) {
  const original = BrowserWindow.prototype[method];
  BrowserWindow.prototype[method] = function (...args) {
    note(iconOf(this), ...args);
    return original.apply(this, args);
  };
}

app.on('browser-window-created', (_event, window) => {
  window.once('show', () => (start.windowShownMs ||= Date.now()));
});

/** When each call was answered first; some of them as a test wants it. */
const { handle } = ipcMain;
ipcMain.handle = (channel, listener) =>
  handle.call(ipcMain, channel, async (event, name, ...rest) => {
    const broken = brokenAnswers.get(name);
    if (broken?.kind === 'never') return new Promise(() => {});
    const answer = broken === undefined ? await listener(event, name, ...rest) : broken.result;
    start.firstAnswers[name] ??= Date.now();
    return answer;
  });

const { start: startBlocker, stop: stopBlocker } = powerSaveBlocker;
powerSaveBlocker.start = (type) => {
  const id = startBlocker.call(powerSaveBlocker, type);
  powerSaveBlockers.set(id, type);
  return id;
};
powerSaveBlocker.stop = (id) => {
  powerSaveBlockers.delete(id);
  return stopBlocker.call(powerSaveBlocker, id);
};

/** A program that restarts would outlive its test: the wish to restart is only recorded. */
app.relaunch = (options = {}) => console.error(`[electron recorder] relaunch ${JSON.stringify(options.args ?? [])}`);

/** macOS and Windows still have what the spec before copied. On the stand-in each app begins with an empty one. */
void app.whenReady().then(() => clipboard.clear());

/** The app listens after this, and denies: whether it did is known after all listeners ran. */
void app.whenReady().then(() =>
  session.defaultSession.on('will-download', (event, item) => {
    const name = item.getFilename();
    setImmediate(() => event.defaultPrevented || downloads.push(name));
  }),
);

const { register, unregisterAll } = globalShortcut;
const takenShortcuts = (process.env.ELECTRON_STAND_IN_TAKEN_SHORTCUTS ?? '').split(',');
globalShortcut.register = (accelerator, run) => {
  if (takenShortcuts.includes(accelerator)) return false;
  const isRegistered = register.call(globalShortcut, accelerator, run);
  if (isRegistered) shortcuts.set(accelerator, run);
  return isRegistered;
};
globalShortcut.unregisterAll = () => {
  shortcuts.clear();
  unregisterAll.call(globalShortcut);
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
    return answer === 'stays open' ? new Promise((resolve) => openDialogs.push(resolve)) : answer;
  };
  // A real dialog would wait for a person until the spec's time is over.
  if (!String(dialog[method]).includes('dialogAnswers')) throw new Error(`dialog.${method} cannot be replaced.`);
}
dialog.showErrorBox = (title, content) => {
  dialogs.push({ kind: 'error', options: { title, content }, answer: null });
  console.error(`${title}\n${content}`);
};

/** As a Linux desktop draws it: markup is not shown. */
const shownBody = (body) =>
  process.platform === 'linux'
    ? body
        .replaceAll(/<\/?[a-z][^>]*>/gi, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
    : body;

const unescaped = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
/** What is drawn of a notification. On Windows the app writes most of them as XML, of which Electron has no parts. */
const drawnOf = (one) => {
  if (process.platform !== 'win32' || !one.toastXml)
    return {
      title: one.title,
      body: shownBody(one.body),
      isSilent: one.silent,
      actions: drawsActions ? (one.actions ?? []).map((action) => action.text ?? '') : [],
    };
  const all = (pattern) => [...one.toastXml.matchAll(pattern)].map(([, found]) => unescaped(found));
  const [title = '', body = ''] = all(/<text>([^<]*)</g);
  return {
    title,
    body,
    isSilent: one.toastXml.includes('<audio silent="true"/>'),
    actions: all(/<action [^>]*content="([^"]*)"/g),
  };
};

/** What is drawn of a label: `&` marks the letter after it, and `&&` is the sign itself. */
const drawnLabel = (label) => label.replaceAll(/&(.?)/gs, '$1');

/** All open windows, oldest first. Electron has them in the order of a hash table, often the newest first. */
const allWindows = () => BrowserWindow.getAllWindows().toSorted((one, other) => one.id - other.id);

const pictureOf = (menu) =>
  (menu?.items ?? [])
    .filter((item) => item.visible)
    .map((item) => ({
      label: drawnLabel(item.label),
      type: item.type,
      enabled: item.enabled,
      checked: item.checked,
      accelerator: item.accelerator ?? null,
      submenu: item.submenu ? pictureOf(item.submenu) : null,
    }));
const clickIn = (menu, [label, ...rest]) => {
  const item = menu?.items.find((one) => drawnLabel(one.label) === label && one.visible);
  if (!item) throw new Error(`The menu has no item "${label}".`);
  if (rest.length > 0) return clickIn(item.submenu, rest);
  if (!item.enabled) throw new Error(`The menu item "${label}" is disabled.`);
  // Roles such as zooming act on contents, and do nothing without.
  const window = BrowserWindow.getFocusedWindow() ?? allWindows()[0];
  item.click({}, window, window?.webContents);
  return undefined;
};

/** Takes the focus from the window that has it. It goes in a later turn, or not at all if no window manager takes it. */
const loseFocus = () => {
  const window = BrowserWindow.getFocusedWindow();
  if (window === null) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1_000);
    window.once('blur', () => {
      clearTimeout(timer);
      // After the app's own listeners.
      setImmediate(resolve);
    });
    window.blur();
  });
};

globalThis.jobdeckRecorder = {
  windows: () =>
    allWindows().map((window) => ({
      id: window.id,
      targetId: null,
      url: window.webContents.getURL(),
      title: window.getTitle(),
      isVisible: window.isVisible(),
      isFocused: window.isFocused(),
      isMinimized: window.isMinimized(),
      isMaximized: window.isMaximized(),
      isOverFullScreen: window.isVisibleOnAllWorkspaces(),
      place: window.getBounds(),
      taskbar: iconOf(window),
      frames: window.webContents.mainFrame.framesInSubtree.length,
    })),
  notifications: () =>
    notifications.map((one) => ({
      ...drawnOf(one),
      subtitle: one.subtitle,
      icon: '',
      urgency: one.urgency,
      isClosed: one.isClosedForTests === true,
      id: drawsActions ? one.id : '',
    })),
  notificationAnswers: () => answers,
  clickNotification: (index) => void notifications.at(index).emit('click', {}),
  pressNotificationAction: (index, actionIndex) =>
    void notifications.at(index).emit('action', { actionIndex, selectionIndex: -1 }, actionIndex, -1),
  tray: () =>
    tray === null || tray.instance.isDestroyed()
      ? null
      : {
          tooltip: tray.tooltip ?? '',
          title: tray.title ?? '',
          image: typeof tray.image === 'string' ? tray.image : (imagePaths.get(tray.image) ?? ''),
          isTemplate: typeof tray.image !== 'string' && tray.image?.isTemplateImage() === true,
          hasClickHandler: tray.instance.listenerCount('click') > 0,
          menu: pictureOf(tray.menu),
        },
  // Electron does not know the icon's position on Linux: there it has none.
  clickTray: async () => {
    await loseFocus();
    const bounds = process.platform === 'linux' ? { x: 0, y: 0, width: 0, height: 0 } : tray.instance.getBounds();
    tray.instance.emit('click', {}, bounds, { x: 0, y: 0 });
  },
  clickTrayItem: (path) => clickIn(tray?.menu, path),
  applicationMenu: () => pictureOf(Menu.getApplicationMenu()),
  clickMenuItem: (path) => clickIn(Menu.getApplicationMenu(), path),
  badge: () => app.getBadgeCount(),
  clipboard: () => clipboard.readText(),
  clipboardPng: async () => {
    const item = (await clipboard.read()).find(({ types }) => types.includes('image/png'));
    if (item === undefined) return '';
    return Buffer.from(await (await item.getType('image/png')).arrayBuffer()).toString('base64');
  },
  clipboardFormats: async () => (await clipboard.read()).flatMap(({ types }) => types),
  setClipboard: (text) => clipboard.writeText(text),
  openedExternally: () => openedExternally,
  openedPaths: () => openedPaths,
  shownInFolder: () => shownInFolder,
  dialogs: () => dialogs,
  answerDialog: (answer) => {
    const open = openDialogs.shift();
    if (open === undefined) dialogAnswers.push(answer);
    else open(answer);
  },
  firePower: (event) => {
    let isPrevented = false;
    powerMonitor.emit(event, { preventDefault: () => (isPrevented = true) });
    return isPrevented;
  },
  start: () => start,
  breakInvoke: (name, broken) => void brokenAnswers.set(name, broken),
  powerSaveBlockers: () => [...powerSaveBlockers.values()],
  protocols: () => (app.isDefaultProtocolClient('jobdeck') ? ['jobdeck'] : []),
  setSystemColorScheme: (scheme) => void (nativeTheme.themeSource = scheme),
  loginItem: () => app.getLoginItemSettings(),
  activate: () => void app.emit('activate', {}, false),
  leave: loseFocus,
  comeBack: (id) => BrowserWindow.fromId(id)?.focus(),
  closeWindow: (id) => BrowserWindow.fromId(id)?.close(),
  crashWindow: (id) => BrowserWindow.fromId(id)?.webContents.forcefullyCrashRenderer(),
  // In a turn of main's own, not within the question that asks for it.
  throwInMain: (message) =>
    void setImmediate(() => {
      throw new Error(message);
    }),
  rejectInMain: (message) => void setImmediate(() => void Promise.reject(new Error(message))),
  openUrl: (link) => void app.emit('open-url', { preventDefault: () => {} }, link),
  downloads: () => downloads,
  pressGlobalShortcut: (accelerator) => {
    const run = shortcuts.get(accelerator);
    run?.();
    return run !== undefined;
  },
  // What Electron made of what was asked for. Its types do not have this method; a window without it fails the spec.
  webPreferences: () => webContents.getAllWebContents().map((contents) => contents.getLastWebPreferences()),
  processorMs: () => {
    const seconds = app.getAppMetrics().find(({ type }) => type === 'Browser')?.cpu.cumulativeCPUUsage;
    return seconds === undefined ? null : seconds * 1_000;
  },
};
