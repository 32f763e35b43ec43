import { StandInEmitter, guard, preventable } from './guard.ts';
import { records } from './records.ts';

/** The systems on which Electron emits an event. One that is not listed is emitted on all (Electron's types). */
const powerEventSystems: Record<string, readonly string[]> = {
  'on-ac': ['darwin', 'win32'],
  'on-battery': ['darwin'],
  'lock-screen': ['darwin', 'win32'],
  'unlock-screen': ['darwin', 'win32'],
  shutdown: ['linux', 'darwin'],
};

class PowerMonitor extends StandInEmitter {
  onBatteryPower = false;
  constructor() {
    super('powerMonitor', [
      'suspend',
      'resume',
      'on-ac',
      'on-battery',
      'shutdown',
      'lock-screen',
      'unlock-screen',
      'user-did-become-active',
      'user-did-resign-active',
      'thermal-state-change',
      'speed-limit-change',
    ]);
    return guard('powerMonitor', this);
  }
  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
  getSystemIdleState(): 'active' | 'idle' | 'locked' | 'unknown' {
    return 'active';
  }
  getSystemIdleTime(): number {
    return 0;
  }
  getCurrentThermalState(): string {
    return 'unknown';
  }
}
export const powerMonitor = new PowerMonitor();

function hasPowerEvent(event: string): boolean {
  return powerEventSystems[event]?.includes(process.platform) ?? true;
}
/**
 * The system reports a power event. Returns whether a listener prevented it. Throws if this system never reports it.
 */
export function firePower(event: string): boolean {
  if (!hasPowerEvent(event))
    throw new Error(`Electron has no event "${event}" of powerMonitor on ${process.platform}.`);
  const said = preventable({});
  powerMonitor.emit(event, said);
  return said.defaultPrevented;
}
/** The plug is pulled or put in. It is an event on systems that report it; on others the app reads it. */
export function setOnBattery(isOnBattery: boolean): void {
  powerMonitor.onBatteryPower = isOnBattery;
  const event = isOnBattery ? 'on-battery' : 'on-ac';
  if (hasPowerEvent(event)) firePower(event);
}

const blockers = new Map<number, string>();
export const powerSaveBlocker = guard('powerSaveBlocker', {
  start(type: string): number {
    const id = records.powerSaveBlockers.length + blockers.size + 1;
    blockers.set(id, type);
    records.powerSaveBlockers = [...blockers.values()];
    return id;
  },
  stop(id: number): boolean {
    const isStopped = blockers.delete(id);
    records.powerSaveBlockers = [...blockers.values()];
    return isStopped;
  },
  isStarted: (id: number): boolean => blockers.has(id),
});
