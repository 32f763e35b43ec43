import { describe, expect, it } from 'vitest';
import { createEvents } from '../../../src-main/async/events.ts';

interface NotificationRow {
  number: number;
  word: string;
}

describe('events', () => {
  it('reach whoever listens to them, in the order they came, and nobody else', () => {
    const events = createEvents<NotificationRow>({ number: [], word: [] });
    const heard: unknown[] = [];
    events.on('number', (value) => heard.push(['first', value]));
    events.on('number', (value) => heard.push(['second', value]));
    events.on('word', (value) => heard.push(value));
    events.emit('number', 7);
    expect(heard).toEqual([
      ['first', 7],
      ['second', 7],
    ]);
  });

  it('reach the others where one listener throws, and the failure is said with the name of the event', () => {
    const failures: unknown[] = [];
    const events = createEvents<NotificationRow>({ number: [], word: [] }, (error, name) =>
      failures.push([name, error]),
    );
    const heard: number[] = [];
    const broken = new Error('broken');
    events.on('number', () => {
      throw broken;
    });
    events.on('number', (value) => heard.push(value));
    events.emit('number', 1);
    expect(heard).toEqual([1]);
    expect(failures).toEqual([['number', broken]]);
  });

  it('throw to whoever emits where nobody hears of failures', () => {
    const events = createEvents<NotificationRow>({ number: [], word: [] });
    events.on('word', () => {
      throw new Error('broken');
    });
    expect(() => events.emit('word', 'x')).toThrow('broken');
  });
});
