import { StandInEmitter, guard } from './guard.ts';

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
  getDisplayMatching(): typeof display {
    return display;
  }
  getDisplayNearestPoint(): typeof display {
    return display;
  }
  getCursorScreenPoint(): { x: number; y: number } {
    return { x: 0, y: 0 };
  }
}
export const screen = new Screen();
