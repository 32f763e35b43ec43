import { describe, expect, it } from 'vitest';
import { sandboxEndpointsText, shortSpanText, speedSentence } from '../../../../src-renderer/messages/sandbox/pane.ts';
import { readSpeed } from '../../../../src-renderer/sandbox/speed-card.tsx';
import { distortion } from '../../../../src-renderer/windows/sandbox-badge.tsx';
import type { SandboxFault } from '../../../../src-preload/sandbox.ts';

describe('speed', () => {
  it('is described by its effect on a result and a ttl', () => {
    expect(speedSentence(1)).toBe('Real time: a result expires in the sandbox after 30 min.');
    expect(speedSentence(60)).toBe(
      'At 60x a result expires in the sandbox after 30 s, and a ttl of 24 h expires after 24 min. Jobdeck’s ' +
        'own countdowns stay in real time.',
    );
    expect(speedSentence(10_000)).toContain('after 0.18 s');
  });

  it.each([
    [180, '0.18 s'],
    [3_000, '3 s'],
    [119_000, '119 s'],
    [180_000, '3 min'],
    [8_640_000, '2.4 h'],
  ])('%i ms is %s', (ms, text) => {
    expect(shortSpanText(ms)).toBe(text);
  });

  it.each([
    ['60', 60],
    [' 2.5x ', 2.5],
    ['1', 1],
    ['10000', 10_000],
    ['10001', null],
    ['0.5', null],
    ['', null],
    ['x', null],
    ['fast', null],
  ])('typed as %j is %j', (text, speed) => {
    expect(readSpeed(text)).toBe(speed);
  });
});

describe('the badge', () => {
  const fault: SandboxFault = {
    id: 'f1',
    isOn: true,
    kind: 'hang',
    operation: null,
    endpointId: null,
    status: null,
    probability: 1,
    times: null,
    forMs: null,
    isProcessed: false,
    delayMs: null,
  };

  it('is shown while anything is unusual', () => {
    expect(distortion(null)).toBeNull();
    expect(distortion({ timeScale: 1, faults: [] })).toBeNull();
    expect(distortion({ timeScale: 1, faults: [{ ...fault, isOn: false }] })).toBeNull();
    expect(distortion({ timeScale: 60, faults: [] })).toBe('60x');
    expect(distortion({ timeScale: 1, faults: [fault] })).toBe('1 fault');
    expect(distortion({ timeScale: 2.5, faults: [fault, { ...fault, isOn: false }, fault] })).toBe('2 faults, 2.5x');
  });
});

describe('workers', () => {
  it('are described as in the sidebar', () => {
    const none = { endpointId: 'e', running: 0, idle: 0, starting: 0, inQueue: 0 };
    expect(sandboxEndpointsText.workers(none)).toBe('no workers');
    expect(sandboxEndpointsText.workers({ ...none, running: 2, idle: 1, starting: 3 })).toBe(
      '2 running, 1 idle, 3 starting',
    );
  });
});
