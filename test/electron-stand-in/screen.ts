import { StandInEmitter, conversionFailure, guard } from './guard.ts';
import { isReady } from './readiness.ts';

const display = {
  id: 1,
  label: 'stand-in',
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  size: { width: 1920, height: 1080 },
  workAreaSize: { width: 1920, height: 1080 },
  scaleFactor: 1,
  rotation: 0,
  internal: false,
};
/** A place that is not of whole numbers cannot be read (gfx_converter.cc: Point, Rect). */
function requireWholeNumbers(given: object, names: readonly string[]): void {
  for (const name of names) {
    const value: unknown = Reflect.get(given, name);
    if (typeof value !== 'number' || (value | 0) !== value) throw conversionFailure(0, given);
  }
}

class Screen extends StandInEmitter {
  constructor() {
    super('screen', ['display-added', 'display-removed', 'display-metrics-changed']);
    return guard('screen', this);
  }
  getPrimaryDisplay(): typeof display {
    return display;
  }
  getAllDisplays(): (typeof display)[] {
    return [display];
  }
  getDisplayMatching(given: object): typeof display {
    requireWholeNumbers(given, ['x', 'y', 'width', 'height']);
    return display;
  }
  getDisplayNearestPoint(given: object): typeof display {
    requireWholeNumbers(given, ['x', 'y']);
    return display;
  }
  getCursorScreenPoint(): { x: number; y: number } {
    return { x: 0, y: 0 };
  }
}
const ofThisSystem = new Screen();
/** Electron makes it when it is first used, and cannot before the app is ready (electron_api_screen.cc: Create). */
export const screen = new Proxy(ofThisSystem, {
  get(object, property, receiver) {
    if (!isReady()) throw new Error("The 'screen' module can't be used before the app 'ready' event");
    return Reflect.get(object, property, receiver);
  },
});
