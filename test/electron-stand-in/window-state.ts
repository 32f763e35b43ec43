type Shape = 'normal' | 'minimized' | 'maximized' | 'full-screen';

/** Each change returns false if it changed nothing. */
export interface WindowState {
  isShown: boolean;
  shape(): Shape;
  minimize(): boolean;
  /** Restores the state from before it was minimised. */
  unminimize(): boolean;
  /** Also shows the window, as Electron does. */
  maximize(): boolean;
  unmaximize(): boolean;
  setFullScreen(isFull: boolean): boolean;
  /** The state for Chromium's window, so that the page of a hidden or minimised one knows that it is not visible. */
  forChromium(isHeadless: boolean): 'normal' | 'minimized' | 'maximized' | 'fullscreen';
}

/** Whether a window is shown, and in which shape. Emits no event. */
export function createWindowState(isShown: boolean): WindowState {
  let shape: Shape = 'normal';
  let beforeMinimize: 'normal' | 'maximized' = 'normal';
  const become = (next: Shape): boolean => {
    const isNew = shape !== next;
    shape = next;
    return isNew;
  };
  const own: WindowState = {
    isShown,
    shape: () => shape,
    minimize() {
      if (shape === 'minimized') return false;
      beforeMinimize = shape === 'maximized' ? 'maximized' : 'normal';
      return become('minimized');
    },
    unminimize: () => shape === 'minimized' && become(beforeMinimize),
    maximize() {
      if (!become('maximized')) return false;
      own.isShown = true;
      return true;
    },
    unmaximize: () => shape === 'maximized' && become('normal'),
    setFullScreen: (isFull) => isFull !== (shape === 'full-screen') && become(isFull ? 'full-screen' : 'normal'),
    forChromium(isHeadless) {
      if (!own.isShown || shape === 'minimized') return 'minimized';
      if (isHeadless) return 'normal';
      return shape === 'full-screen' ? 'fullscreen' : shape;
    },
  };
  return own;
}
