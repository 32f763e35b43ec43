import { describe, expect, it } from 'vitest';
import { createEvents } from '../../../src-main/async/events.ts';

interface NotificationRow {
  number: number;
  word: string;
}

describe('events', () => {
  it('reach only their own listeners, in order', () => {
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

  it('reach the others if one listener throws, and the failure is reported with the name of the event', () => {
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

  it('throw to the emitter if there is no failure listener', () => {
    const events = createEvents<NotificationRow>({ number: [], word: [] });
    events.on('word', () => {
      throw new Error('broken');
    });
    expect(() => events.emit('word', 'x')).toThrow('broken');
  });
});
