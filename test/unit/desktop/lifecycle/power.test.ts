import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { followPower } from '../../../../src-main/desktop/lifecycle/power.ts';

/** The computer's power as Electron reports it, and what Jobdeck made of it. */
function scene() {
  const seen: string[] = [];
  const source = Object.assign(new EventEmitter(), { onBatteryPower: false });
  const power = followPower({
    source,
    setOnBattery: (isOn) => void seen.push(isOn ? 'battery' : 'mains'),
    wokeUp: () => void seen.push('woke up'),
    quit: () => void seen.push('quit'),
  });
  return { seen, source, power };
}

describe('the computer’s power', () => {
  it('is read when a window becomes visible, if the system reports no change', () => {
    const { seen, source, power } = scene();
    source.onBatteryPower = true;
    power.ask();
    expect(seen).toEqual(['mains', 'battery']);
  });

  it('is read again after sleep, before anything is sent', () => {
    const { seen, source } = scene();
    source.onBatteryPower = true;
    source.emit('resume');
    expect(seen).toEqual(['mains', 'battery', 'woke up']);
  });

  it('is followed if the system reports it', () => {
    const { seen, source } = scene();
    source.onBatteryPower = true;
    source.emit('on-battery');
    source.onBatteryPower = false;
    source.emit('on-ac');
    source.emit('unlock-screen');
    expect(seen).toEqual(['mains', 'battery', 'mains', 'woke up']);
  });

  it('delays a shutdown until everything is written', () => {
    const { seen, source } = scene();
    let isDelayed = false;
    source.emit('shutdown', { preventDefault: () => (isDelayed = true) });
    expect(isDelayed).toBe(true);
    expect(seen.at(-1)).toBe('quit');
  });
});
